#!/usr/bin/env bash
# Installs the Debian packages that sluice needs and this machine lacks. Names them first.
set -euo pipefail
packages=(
  g++ cmake ninja-build ccache git patch                 # toolchain
  python3 python3-venv                                   # fetching, tests, tidy
  libboost1.81-dev libboost-json1.81-dev                 # HTTP, event loop, JSON
  libprotobuf-dev protobuf-compiler                      # frames between processes
  libfmt-dev libspdlog-dev libcli11-dev                  # text, logs, flags
  libssl-dev libtomlplusplus-dev                         # hashes of API keys, the file that lists them
  libgtest-dev libgmock-dev                              # tests
  clang-format-19 clang-tidy-19                          # format and lint
  curl                                                   # the line that `make serve` prints
)
missing=()
for package in "${packages[@]}"; do
  state=$(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true)
  [[ $state == ii* ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then exit 0; fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || { echo "deps: need root or sudo to install: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "deps: installing Debian packages: ${missing[*]}"
SECONDS=0
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "deps: installed in ${SECONDS} s"
