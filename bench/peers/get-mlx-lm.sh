#!/usr/bin/env bash
# get-mlx-lm.sh: mlx_lm.server for the CPU in a virtual environment of its own, pinned by hash; OpenBLAS unpacked beside it
# (mlx brings the reference BLAS, which is many times slower); the default model in its format. All in deps/peers/mlx-lm.
. "$(dirname "$0")/peer.sh" mlx-lm
requirements=$beside/mlx-lm-requirements.txt
packages=(libopenblas0-pthread=0.3.21+ds-4 libgfortran5=12.2.0-14+deb12u1)
sums="4f7e4561dbfa9286c671c91350204fbda7afad675500e59cd4a56f84604844f8  openblas.deb
63d38775d20c425c1f00914b52167ae0e3b4639facdb0aa734877279fb716fbb  gfortran.deb"

version=$(sha256sum <<< "$(cat "$requirements") $sums")
is_got "$version" && exit 0
python=/usr/bin/python3
[[ $(uname -m) == x86_64 && -x $python && $("$python" -V) == "Python 3.11."* ]] ||
  refuse "its pins are for Debian 12 (Python 3.11) on x86-64"

install_packages() {
  "$python" -m venv --clear "$into/venv"
  PIP_DISABLE_PIP_VERSION_CHECK=1 "$into/venv/bin/pip" install -q --require-hashes -r "$requirements"
}

# Unpacked, not installed: an installed OpenBLAS would become the BLAS of every program.
unpack_openblas() (
  rm -rf "$into/openblas"
  mkdir -p "$into/openblas"
  cd "$into/openblas"
  apt-get download -qq "${packages[@]}" 2>/dev/null || refuse "apt-get download ${packages[*]} failed (apt-get update?)"
  mv libopenblas0-pthread_*.deb openblas.deb
  mv libgfortran5_*.deb gfortran.deb
  sha256sum --quiet -c <<< "$sums"
  dpkg -x openblas.deb .
  dpkg -x gfortran.deb .
)

echo "mlx-lm: installing mlx, mlx-lm (360 MB) and OpenBLAS (7 MB)"
mkdir -p "$into"
timed "installing the Python packages" install_packages
timed "unpacking OpenBLAS" unpack_openblas
"$beside/prepare-mlx-lm.sh" "$default_model" > /dev/null
got "$version"
