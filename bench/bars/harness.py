"""`sluice bench` against a server that knows what it did: are the figures right, and what does measuring cost?"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bars.bar import Bar
from support import scripted_api
from support.scripted_api import Script, ScriptedApi, Served

WITHIN = 0.02
CPU_MAX = 0.03
STREAMS, TOKENS, RATE = 16, 300, 30
SCRIPTS = {
    "even": Script(first_ms=80, gap_ms=20),
    "half chunks": Script(first_ms=120, gap_ms=15, half_chunks=True),
    "two tokens an event": Script(first_ms=50, gap_ms=10, together=2, draft=True),
    "slow": Script(first_ms=400, gap_ms=50),
    "no usage, no [DONE]": Script(first_ms=60, gap_ms=20, usage=False, done=False),
}


def run(server_bin: Path, model: Path) -> list[Bar]:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "r.json"
        errors = {f"{name}: {figure}": error for name, script in SCRIPTS.items()
                  for figure, error in wrong_by(server_bin, script, out).items()}  # fmt: skip
        share = cost(server_bin, out)
    worst = max(errors, key=lambda name: errors[name])
    return [
        Bar(f"bench: {len(errors)} figures against the truth", f"off by {errors[worst]:.2%} ({worst})",
            f"<= {WITHIN:.0%}", errors[worst] <= WITHIN),
        Bar(f"bench: its CPU at {STREAMS} streams x {RATE} tok/s", f"{share:.1%} of a core",
            f"<= {CPU_MAX:.0%}", share <= CPU_MAX),
    ]  # fmt: skip


def bench(server_bin: Path, out: Path, *words: str) -> dict:
    command = [server_bin / "sluice", "bench", "decode", "--sampling", "greedy", "--others-max", "64",
               "--out", out, *words]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=600)
    return json.loads(out.read_text())


def wrong_by(server_bin: Path, script: Script, out: Path) -> dict[str, float]:
    """Each figure's relative error against what the server did."""
    with ScriptedApi(script) as api:
        result = bench(server_bin, out, "--url", api.url, "--levels", "4", "--tokens", "100", "--pairs", "3", "--warm-ups", "0")
        served = [s for s in api.served if s.body["max_tokens"] > 1]  # not the first, which warms
    (cell,) = result["cells"]
    rounds = [served[i : i + 4] for i in range(0, len(served), 4)]
    measured = {s["figure"]: s["median"] for s in cell["summaries"]}
    return {
        figure: abs(measured[figure] / statistics.median(truth(one) for one in rounds) - 1)
        for figure, truth in TRUTHS.items()
    }


def rate(served: list[Served]) -> float:
    return sum(s.body["max_tokens"] for s in served) / (max(s.ended for s in served) - min(s.received for s in served))


def firsts(served: list[Served]) -> list[float]:
    return [1000 * (s.sent[0] - s.received) for s in served]


def gaps(served: list[Served]) -> list[float]:
    return [1000 * (b - a) for s in served for a, b in zip(s.sent, s.sent[1:])]


def pace(served: list[Served]) -> float:
    """Of the tokens that came after the first event's."""
    return statistics.median(
        s.body["max_tokens"] * (1 - 1 / len(s.sent)) / (s.sent[-1] - s.sent[0]) for s in served
    )


TRUTHS: dict[str, Callable[[list[Served]], float]] = {
    "tokens_per_s": rate,
    "tokens_per_s_stream": pace,
    "ttft_ms_p50": lambda served: statistics.median(firsts(served)),
    "gap_ms_p50": lambda served: statistics.median(gaps(served)),
    "pause_ms_max": lambda served: max(gaps(served)),
    "wall_ms": lambda served: 1000 * (max(s.ended for s in served) - min(s.received for s in served)),
}


def cost(server_bin: Path, out: Path) -> float:
    """The load generator's share of a core; the scripted server is a process of its own, so that it does not disturb."""
    script = ["{port}", "first_ms=100", f"gap_ms={1000 / RATE}"]
    row = ",".join(["it=command", f"program={sys.executable}", *(f"arg={w}" for w in (scripted_api.__file__, *script))])
    words = ["--levels", str(STREAMS), "--tokens", str(TOKENS), "--pairs", "3", "--warm-ups", "0"]
    result = bench(server_bin, out, "--start", row, *words)
    return max(sample["bench_cpu"] for sample in result["cells"][0]["samples"])
