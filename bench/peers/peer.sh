# shellcheck shell=bash disable=SC2034
# Sourced by the scripts beside it, with the peer's name: `. peer.sh NAME`. Says what they share.
set -euo pipefail
peer=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
beside=$root/bench/peers
into=$root/deps/peers/$peer
default_model=$root/models/SmolLM2-135M-Instruct.Q4_1.gguf
unobtainable=69 # sysexits: EX_UNAVAILABLE

refuse() {
  echo "$peer: $*" >&2
  exit "$unobtainable"
}

# Something that a get script cannot fetch itself: the program $1, and what brings it.
need() { command -v "$1" >/dev/null || refuse "needs $1: $2"; }

# True where the version $1 has been got; and the note that it has.
is_got() { [[ -e $into/.got && $(cat "$into/.got") == "$1" ]]; }
got() { echo "$1" > "$into/.got"; }

# Says what is done, and how long it took.
timed() {
  echo "$peer: $1"
  SECONDS=0
  "${@:2}"
  echo "$peer: done in ${SECONDS} s"
}

# Reads the arguments that every start script takes.
start_arguments() {
  if [[ ${1:-} == --version ]]; then
    echo "$peer $(cat "$into/.got" 2>/dev/null || echo "not got yet")"
    exit
  fi
  if [[ $# -lt 5 ]]; then
    echo "usage: start-$peer.sh MODEL.gguf PORT LANES CONTEXT_PER_LANE THREADS [further arguments...]" >&2
    exit 2
  fi
  model=$(realpath "$1") port=$2 lanes=$3 context=$4 threads=$5
  further=("${@:6}")
  [[ -f $model ]] || { echo "$peer: no such model: $1" >&2; exit 66; }
}

# What a peer keeps for the model $model, made by the program $1: a folder that changes with either.
model_folder() {
  local made_of
  made_of=$(stat -c %s-%Y "$model")-$(sha256sum "$1" | cut -c1-8)
  echo "$into/models/$(basename "$model" .gguf)-$made_of"
}
