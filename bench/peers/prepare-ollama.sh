#!/usr/bin/env bash
# prepare-ollama.sh MODEL.gguf THREADS: creates the model `model` in a store of its own, where it is not there yet, and prints
# the store's folder. Ollama takes the number of threads from the model.
. "$(dirname "$0")/peer.sh" ollama
model=$(realpath "$1") threads=$2
store=$(model_folder "$beside/ollama_model.py")-threads-$threads

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# `ollama create` needs a server: one on a port of its own, for as long as that takes.
create() {
  local ollama=$into/bin/ollama given=$store.part/given server
  rm -rf "$store.part"
  python3 "$beside/ollama_model.py" "$model" "$given" --threads "$threads"
  OLLAMA_HOST=127.0.0.1:$(free_port)
  export HOME=$into/home OLLAMA_HOST OLLAMA_MODELS=$store.part OLLAMA_NO_CLOUD=1
  "$ollama" serve > "$into/create.log" 2>&1 &
  server=$!
  # shellcheck disable=SC2064
  trap "kill $server 2>/dev/null || true" EXIT
  curl -fs --retry 60 --retry-delay 1 --retry-connrefused --output /dev/null "http://$OLLAMA_HOST/api/version"
  (cd "$given" && "$ollama" create model -f Modelfile >> "$into/create.log" 2>&1)
  kill "$server"
  wait "$server" || true
  rm -rf "$given"
  mv "$store.part" "$store"
}

if [[ ! -d $store ]]; then timed "creating $(basename "$model")" create >&2; fi
echo "$store"
