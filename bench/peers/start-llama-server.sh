#!/usr/bin/env bash
# start-llama-server.sh MODEL.gguf PORT LANES CONTEXT_PER_LANE THREADS [further arguments...]: the peer in the foreground.
. "$(dirname "$0")/peer.sh" llama-server
start_arguments "$@"
[[ -x $root/build/bin/llama-server ]] || refuse "not built yet: make llama-server"
if [[ $threads -gt 0 ]]; then further=(--threads "$threads" "${further[@]}"); fi
exec "$root/build/bin/llama-server" --model "$model" --host 127.0.0.1 --port "$port" \
  --parallel "$lanes" --ctx-size $((lanes * context)) "${further[@]}" >&2
