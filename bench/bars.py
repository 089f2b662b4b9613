"""Measures every bar there is, prints one table, and exits 1 where a closing bar does not hold.

deps/venv/bin/python bench/bars.py [--bin build/bin] [--model FILE] [--only NAME]...
"""

import argparse
import os
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(REPOSITORY / "bench"), str(REPOSITORY / "tests")]

from bars import arriving, bare, behind, crowd, disconnects, equal_bytes, harness, idle_lanes, openai_scripts, overload
from bars import oversubscription, quick_answers, same_bytes, simulator, speed, two_keys
from bars.bar import Bar

MODULES = (
    openai_scripts, same_bytes, equal_bytes, disconnects, quick_answers, crowd, harness, bare, idle_lanes, speed,
    simulator, behind, arriving, two_keys, overload, oversubscription,
)  # fmt: skip
HEADINGS = ("bar", "figure", "wanted", "holds", "")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--bin", type=Path, default=REPOSITORY / "build" / "bin", help="folder of the programs")
    parser.add_argument("--model", type=Path, default=REPOSITORY / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf")
    parser.add_argument("--only", action="append", choices=[name_of(module) for module in MODULES])
    return parser.parse_args()


def name_of(module) -> str:
    return module.__name__.rpartition(".")[2]


def measure(module, server_bin: Path, model: Path) -> list[Bar]:
    """A measurement that breaks down is a closing bar that does not hold."""
    begun = time.monotonic()
    try:
        bars = module.run(server_bin, model)
    except Exception as failure:  # whatever it is, the other bars are still measured
        bars = [Bar(name_of(module), f"not measured: {failure}".splitlines()[0][:60], "a figure", holds=False)]
    print(f"{name_of(module)}: {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return bars


def table(bars: list[Bar]) -> str:
    rows = [HEADINGS, *(bar.row() for bar in bars)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def main() -> int:
    asked = arguments()
    os.environ["SLUICE_BIN"] = str(asked.bin.resolve())
    wanted = [module for module in MODULES if not asked.only or name_of(module) in asked.only]
    bars = [bar for module in wanted for bar in measure(module, asked.bin.resolve(), asked.model.resolve())]
    print(table(bars))
    return 1 if any(bar.closing and not bar.holds for bar in bars) else 0


if __name__ == "__main__":
    sys.exit(main())
