#!/usr/bin/env bash
# lint.sh BUILD [FILE...]: clang-tidy over our sources (all of them where none is named), with .clang-tidy.
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1
shift
files=("$@")
if [[ ${#files[@]} -eq 0 ]]; then mapfile -t files < <(git ls-files 'src/*.cc' 'adapters/*.cc'); fi
printf '%s\n' "${files[@]}" | xargs -P "$(nproc)" -n 4 clang-tidy-19 -p "$build" --quiet
