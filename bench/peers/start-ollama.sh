#!/usr/bin/env bash
# start-ollama.sh MODEL.gguf PORT LANES CONTEXT_PER_LANE THREADS [further arguments...]: the peer in the foreground.
# The model is named `model`, is loaded by the first request, and stays.
. "$(dirname "$0")/peer.sh" ollama
start_arguments "$@"
[[ -e $into/.got ]] || refuse "not got yet: bench/peers/get-ollama.sh"
OLLAMA_MODELS=$("$beside/prepare-ollama.sh" "$model" "$threads")
export HOME=$into/home OLLAMA_MODELS OLLAMA_HOST=127.0.0.1:$port OLLAMA_NUM_PARALLEL=$lanes OLLAMA_CONTEXT_LENGTH=$context
export OLLAMA_KEEP_ALIVE=-1 OLLAMA_NO_CLOUD=1
exec "$into/bin/ollama" serve "${further[@]}" >&2
