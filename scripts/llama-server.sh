#!/usr/bin/env bash
# llama-server.sh BIN: builds the peer llama-server from the pinned source, unpatched, with upstream's default options,
# in its own folder (build/peer), and puts it into BIN.
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$1
peer=build/peer
mkdir -p "$bin" "$peer"
if [[ ! -e $peer/build.ninja ]]; then
  echo "llama-server: configuring"
  # Upstream's defaults for everything that computes; left out are programs that are not wanted and the web page, which
  # would be fetched.
  cmake -S deps/llama.cpp -B $peer -G Ninja -DCMAKE_BUILD_TYPE=Release -DLLAMA_BUILD_TESTS=OFF \
    -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_UI=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_NUMBER=0 -DLLAMA_BUILD_COMMIT=sdist-0.3.36 \
    > $peer-configure.log 2>&1 || { cat $peer-configure.log; exit 1; }
fi
scripts/timed.sh "llama-server: building the peer (the first time about 6 minutes on 2 cores)" ninja -C $peer --quiet llama-server
ln -sf "../peer/bin/llama-server" "$bin/llama-server"
