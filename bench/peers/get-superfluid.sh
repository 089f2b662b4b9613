#!/usr/bin/env bash
# get-superfluid.sh: builds superfluid with its llama.cpp runtime into deps/peers/superfluid, with the versions and hashes of
# the crate's own Cargo.lock. It drives the libllama of the peer llama-server (`make llama-server`).
. "$(dirname "$0")/peer.sh" superfluid
version=0.1.6
is_got "$version" && exit 0
need cargo "a Rust toolchain, 1.88 or newer"
[[ -e $root/build/peer/bin/libllama.so ]] || refuse "needs the peer's libllama: make llama-server"
timed "building $version (the first time about 6 minutes on 2 cores)" \
  cargo install --quiet --locked --root "$into" --target-dir "$into/target" "superfluid@$version" \
  --no-default-features --features llamacpp,tui
rm -rf "$into/target"
got "$version"
