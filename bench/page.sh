#!/usr/bin/env bash
# page.sh: measures sluice and its rivals on the default model, and writes docs/benchmarks.md and docs/benchmarks.html.
# `make benchmarks` builds and gets what it needs. The machine should have nothing else to do. SHORT_PAIRS=9 LONG_PAIRS=9
# takes hours, and marks winners.
set -euo pipefail
cd "$(dirname "$0")/.."
sluice=build/bin/sluice
results=build/benchmarks
rows=()
for kind in sluice llama-server superfluid mlx-lm ollama; do rows+=(--start "$kind"); done

# Each with what its cells need; the seed is fixed, so that the next page asks the same.
measure() {
  "$sluice" bench "${@:2}" "${rows[@]}" --mode chat --seed 20 --out "$results/$1.json" > /dev/null ||
    echo "page: $1: not every row and cell has a figure" >&2
}

mkdir -p "$results"
rm -f "$results"/*.json
short=${SHORT_PAIRS:-3} long=${LONG_PAIRS:-1} # samples that take seconds, and minutes
measure 1-decode decode ttft --levels 1,8 --sampling sampled --tokens 48 --pairs "$short"
measure 2-prefill prefill --prompt-tokens 2000 --tokens 4 --context 8192 --pairs "$short" --warm-ups 0
measure 3-depth depth --prompt-tokens 0,4000 --tokens 24 --context 8192 --pairs "$long" --warm-ups 0
measure 4-behind behind --tokens 24 --pairs "$long" --warm-ups 0
measure 5-shared shared --gaps 0 --prompt-tokens 300 --tokens 16 --pairs "$long" --warm-ups 0
measure 6-busy busy --tokens 32 --pairs "$short" --warm-ups 0

"$sluice" bench report "$results"/*.json --html docs/benchmarks.html --markdown "$results/tables.md"
{
  echo "# Benchmarks"
  echo
  echo "Made by \`make benchmarks\` on a quiet machine with two cores; [the same with plots](benchmarks.html)."
  echo "Samples of each: $short, and $long of depth, behind and shared; with fewer than six no winner is marked."
  echo "How to read it: [measuring](measuring.md), [the rivals](../bench/peers/README.md). Rows that sluice loses are in it."
  echo
  sed 's/^#/##/' "$results/tables.md"
} > docs/benchmarks.md
sed -i "s|$PWD/||g" docs/benchmarks.md docs/benchmarks.html # where the checkout lies says nothing
