#!/usr/bin/env bash
# smoke.sh [NAME...]: starts each peer that is there with the default model, asks it for a few tokens, ends it; a line each.
# Exits 1 where one that is there fails.
. "$(dirname "$0")/peer.sh" smoke
names=("$@")
if [[ ${#names[@]} -eq 0 ]]; then names=(llama-server superfluid mlx-lm ollama); fi
scratch=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null; rm -rf "$scratch"' EXIT

declare -A ready_path=([llama-server]=/health [superfluid]=/health [mlx-lm]=/health [ollama]=/api/version)
declare -A model_id=([mlx-lm]=default_model [ollama]=model)

descendants() {
  local child
  cat "/proc/$1/task/"*/children 2>/dev/null | tr ' ' '\n' | while read -r child; do echo "$child"; descendants "$child"; done || true
}

# Waits until the server at $1 answers or is gone.
ready() {
  for (( i = 0; i < 600; i++ )); do
    kill -0 "$server" 2>/dev/null || return 1
    curl -fs --max-time 5 -o /dev/null "$1" && return 0
    sleep 0.2
  done
  return 1
}

# Ends the server; `left` is then what of it is still there five seconds later.
end() {
  local children
  children=$(descendants "$server")
  kill "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  for (( i = 0; i < 25; i++ )); do
    left=$(for child in $children; do if kill -0 "$child" 2>/dev/null; then echo "$child"; fi; done)
    [[ -n $left ]] || return 0
    sleep 0.2
  done
}

smoke() {
  local name=$1 port url said code left
  port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
  url=http://127.0.0.1:$port
  "$beside/start-$name.sh" "$default_model" "$port" 2 2048 0 2> "$scratch/log" &
  server=$!
  if ready "$url${ready_path[$name]}"; then
    if said=$(python3 "$beside/smoke_requests.py" "$url" "${model_id[$name]:-$(basename "$default_model" .gguf)}" 2>&1); then
      said="ok: $said"
    else
      said="failed: $said"
    fi
    end
    [[ -z $left ]] || said="failed: these processes outlived the server: ${left//$'\n'/ }"
  else
    kill "$server" 2>/dev/null || true
    wait "$server" && code=0 || code=$?
    if [[ $code -eq $unobtainable ]]; then said="not obtainable: $(tail -1 "$scratch/log")"
    else said="failed: ended with $code: $(tail -1 "$scratch/log")"; fi
  fi
  server=
  echo "$name: $said"
  [[ $said != failed:* ]]
}

failures=0
for name in "${names[@]}"; do smoke "$name" || failures=1; done
exit "$failures"
