#!/usr/bin/env bash
# start-superfluid.sh MODEL.gguf PORT LANES CONTEXT_PER_LANE THREADS [further arguments...]: the peer in the foreground.
. "$(dirname "$0")/peer.sh" superfluid
start_arguments "$@"
[[ -e $into/.got ]] || refuse "not got yet: bench/peers/get-superfluid.sh"
[[ -e $root/build/peer/bin/libllama.so ]] || refuse "needs the peer's libllama: make llama-server"
# Its sessions outlive it: every start begins with none.
export SUPERFLUID_HOME=$into/home-$port SUPERFLUID_LLAMA_LIB=$root/build/peer/bin
rm -rf "$SUPERFLUID_HOME"
mkdir -p "$SUPERFLUID_HOME"
exec "$into/bin/superfluid" serve "$model" --offline --no-tui --runtime llamacpp --host 127.0.0.1 --port "$port" \
  --max-batch "$lanes" --max-context "$context" --llamacpp-threads "$threads" "${further[@]}" >&2
