"""Tokens a second against llama-server: at every number of lanes, after a long prompt, and beside a busy process."""

import json
import statistics
import subprocess
import tempfile
from pathlib import Path

from bars.bar import Bar

LEVELS = (1, 2, 4, 8, 16)
MEDIAN, LOWER = 1.00, 0.97
AT_8_SAMPLED = 1.05
DEPTH = 4000
DEEP_DEFAULT, DEEP_SAME, PREFILL_SAME = 2.5, 0.97, 0.95
KEPT, NEIGHBOUR = 0.42, 0.8
PEER = "llama-server"


def run(server_bin: Path, model: Path) -> list[Bar]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(server_bin, model, Path(folder) / "r.json")
        return [*lanes(bench), *depth(bench), *busy(bench)]


class Bench:
    """`sluice bench`, and its result."""

    def __init__(self, server_bin: Path, model: Path, out: Path):
        self.program, self.model, self.out = server_bin / "sluice", model, out

    def __call__(self, *words: str, mode: str = "raw") -> dict:
        command = [self.program, "bench", *words, "--model", self.model, "--mode", mode, "--out", self.out]
        subprocess.run(command, check=True, capture_output=True, timeout=7200)
        return json.loads(self.out.read_text())


def lanes(bench: Bench) -> list[Bar]:
    words = ("--start", PEER, "--start", "sluice", "--lanes", "16", "--context", "1024", "--tokens", "128")
    result = bench("decode", *words, "--levels", ",".join(map(str, LEVELS)))
    return [lane_bar(cell) for cell in result["cells"]]


def lane_bar(cell: dict) -> Bar:
    found = against_first(cell, "tokens_per_s")
    wanted = AT_8_SAMPLED if (cell["x"], cell["series"]) == (8, "sampled") else MEDIAN
    holds = found["ratio"] >= wanted and found["ratio_low"] >= LOWER
    figure = f"{interval(found)} x {PEER}"
    return Bar(f"tokens/s, {cell['label']}", figure, f">= {wanted:.2f}, low >= {LOWER:.2f}", holds)


def against_first(cell: dict, figure: str) -> dict:
    """The summary of the second row, whose ratio is over the first."""
    (found,) = [s for s in cell["summaries"] if s["row"] == 1 and s["figure"] == figure]
    return found


def interval(summary: dict) -> str:
    return f"{summary['ratio']:.3f} [{summary['ratio_low']:.3f}, {summary['ratio_high']:.3f}]"


def depth(bench: Bench) -> list[Bar]:
    rows = ("--start", PEER, "--start", f"off={PEER},arg=-fa,arg=off", "--start", "sluice")
    result = bench("depth", "prefill", *rows, "--prompt-tokens", str(DEPTH), "--tokens", "48", "--context", "8192",
                   "--lanes", "2")  # fmt: skip
    decode, prefill = result["cells"]
    measured = [
        (f"decode after {DEPTH} tokens, x its defaults", ratio(decode, "tokens_per_s_stream", 2, 0), DEEP_DEFAULT),
        (f"decode after {DEPTH} tokens, x the same flash attention", ratio(decode, "tokens_per_s_stream", 2, 1), DEEP_SAME),
        (f"prefill of {DEPTH} tokens, x the same flash attention", ratio(prefill, "prefill_tokens_per_s", 2, 1), PREFILL_SAME),
    ]  # fmt: skip
    return [Bar(name, f"{value:.2f}", f">= {wanted}", value >= wanted) for name, value, wanted in measured]


def busy(bench: Bench) -> list[Bar]:
    (cell,) = bench("busy", "--start", PEER, "--start", "sluice", "--lanes", "4", "--tokens", "96")["cells"]
    kept = statistics.median(figures(cell, "kept_share", 1).values())
    neighbour = ratio(cell, "neighbour_kept_share", 1, 0)
    return [
        Bar("rate kept beside a busy process", f"{kept:.2f} of the quiet one", f">= {KEPT}", kept >= KEPT),
        Bar("what the busy process keeps", f"{neighbour:.2f} x beside {PEER}", f">= {NEIGHBOUR}", neighbour >= NEIGHBOUR),
    ]


def figures(cell: dict, figure: str, row: int) -> dict[int, float]:
    """Of each round that counts."""
    return {s["round"]: s["figures"][figure] for s in cell["samples"] if s["row"] == row and s["state"] == "ok"}


def ratio(cell: dict, figure: str, row: int, other: int) -> float:
    """The median of the ratios within rounds."""
    over, under = figures(cell, figure, row), figures(cell, figure, other)
    return statistics.median(over[n] / under[n] for n in over.keys() & under.keys())
