#!/usr/bin/env bash
# get-ollama.sh: builds Ollama out of its Go module, the CPU backend that it would choose on this machine, and the default
# model in its store: deps/peers/ollama. The module lacks three header libraries of llama.cpp, which deps/llama.cpp has.
. "$(dirname "$0")/peer.sh" ollama
version=v0.17.4
sum=h1:X3KNm9x4BlHqk/AXMGtC7pBAFd46nmJmy8yDaBZLo9s=
is_got "$version" && exit 0
need go "a Go toolchain, 1.24.1 or newer"
need cmake "make deps"
need ninja "make deps"
vendor=$root/deps/llama.cpp/vendor
[[ -d $vendor ]] || refuse "needs the source of llama.cpp: make deps"

field() { sed -n "s/.*\"$1\": \"\(.*\)\".*/\1/p"; }

has() {
  local flag
  for flag in "$@"; do grep -qwm1 "$flag" /proc/cpuinfo || return 1; done
}

# The best of its variants for this CPU, as its own choice at run time goes; elsewhere than on x86-64 all are built.
backend() {
  if [[ $(uname -m) != x86_64 ]]; then echo ggml-cpu
  elif has avx512f avx512vbmi avx512_vnni; then echo ggml-cpu-icelake
  elif has avx512f avx512cd avx512vl avx512dq avx512bw; then echo ggml-cpu-skylakex
  elif has avx2 avx_vnni; then echo ggml-cpu-alderlake
  elif has avx2 fma f16c bmi2; then echo ggml-cpu-haswell
  else echo ggml-cpu; fi
}

build_program() {
  CGO_CPPFLAGS=-I$vendor go build -C "$source" -trimpath -ldflags "-s -w -X=github.com/ollama/ollama/version.Version=${version#v}" \
    -o "$into/bin/ollama" . 2>&1
}

build_backend() {
  cmake -S "$source" -B "$into/build" -G Ninja -DCMAKE_DISABLE_FIND_PACKAGE_Vulkan=ON -DCMAKE_CUDA_COMPILER= -DCMAKE_HIP_COMPILER= \
    > "$into/configure.log" 2>&1 || { cat "$into/configure.log"; return 1; }
  cmake --build "$into/build" --target "$(backend)" -j "${JOBS:-$(nproc)}" > "$into/build.log" 2>&1 || { tail -50 "$into/build.log"; return 1; }
  mkdir -p "$into/lib/ollama"
  cp -P "$into"/build/lib/ollama/*.so* "$into/lib/ollama/"
  rm -rf "$into/build"
}

echo "ollama: building $version and its $(backend)"
mkdir -p "$into"
module=$(go mod download -json "github.com/ollama/ollama@$version")
[[ $(field Sum <<< "$module") == "$sum" ]] || refuse "the module's sum is not $sum"
source=$(field Dir <<< "$module")
timed "building the program (the first time about 4 minutes on 2 cores)" build_program
timed "building the CPU backend (about a minute)" build_backend
"$beside/prepare-ollama.sh" "$default_model" 0 > /dev/null
got "$version"
