"""Three times what the server can do, in an open loop: as many are answered well as at the best rate, and whoever is
refused learns it at once.

The server runs with one bound, --queue-max: so many that wait for a lane as would begin within the goal, which is the
goal's time less that of a prompt, times the answers that end in a second. Who comes then is refused before anything is
computed. --queue-time-ms stays as it is: it refuses those who have waited already, and none of them at once.
--class-queue and --key-queue divide places between kinds of clients; here all are of one kind."""

import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bars.bar import Bar
from bars.speed import Bench

LANES, CONTEXT, TOKENS = 8, 1024, 64
SWEEP, OVERLOAD = (0.5, 0.75, 1.0, 1.25), 3.0  # of the capacity
ALONE, FULL_SECONDS, SECONDS = 9, 30, 90
FIRSTS, PACE = 4, 0.5  # what counts as good: of the first token alone, of the pace at full lanes
KEPT, REFUSED_MS = 0.9, 50
ANSWERED, REFUSED = 200, 503


@dataclass(frozen=True)
class Unhurried:
    """The server without bounds: one chat alone, and as many as there are lanes, each followed by the next."""

    first_ms: float
    first_full_ms: float
    pace: float
    per_second: float

    @property
    def goal_ms(self) -> float:
        return FIRSTS * self.first_ms

    @property
    def queue_max(self) -> int:
        return LANES + max(0, int((self.goal_ms - self.first_full_ms) / 1000 * self.per_second))


def run(server_bin: Path, model: Path) -> list[Bar]:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(server_bin, model, Path(folder) / "r.json")
        unhurried = measure_unhurried(bench)
        samples = measure_rates(bench, unhurried)
    return [goodput_bar(unhurried, samples), refusals_bar(samples[OVERLOAD])]


def measure_unhurried(bench: Bench) -> Unhurried:
    alone = measure(bench, "ttft", "--start", "sluice", "--levels", "1", "--pairs", str(ALONE))
    full = measure(bench, "sustained", "--start", "sluice", "--levels", str(LANES), "--seconds", str(FULL_SECONDS),
                   "--pairs", "1", "--warm-ups", "0")  # fmt: skip
    (cell,) = full["cells"]
    sample = counted(cell)
    one_by_one = sorted(sample["requests"], key=lambda r: r["sent_ms"])[LANES:]  # the first came all at once
    return Unhurried(
        first_ms=statistics.median(one["figures"]["ttft_ms_p50"] for one in all_counted(alone["cells"][0])),
        first_full_ms=statistics.median(r["first_ms"] - r["sent_ms"] for r in one_by_one),
        pace=sample["figures"]["tokens_per_s_stream"],
        per_second=sample["figures"]["tokens_per_s"] / TOKENS,
    )


def measure_rates(bench: Bench, unhurried: Unhurried) -> dict[float, dict]:
    """By the share of the capacity that is asked for. Each rate draws its arrivals anew, the same in every run."""
    shares = (*SWEEP, OVERLOAD)
    row = f"sluice,arg=--queue-max,arg={unhurried.queue_max}"
    good = ("--first-token-ms", f"{unhurried.goal_ms:.0f}", "--pace", f"{PACE * unhurried.pace:.2f}")
    rates = ",".join(f"{share * unhurried.per_second:.3f}" for share in shares)
    result = measure(bench, "arrivals", "--start", row, "--rates", rates, "--seconds", str(SECONDS), *good,
                     "--seed", "1", "--pairs", "1", "--warm-ups", "0")  # fmt: skip
    return {share: counted(cell) for share, cell in zip(shares, result["cells"], strict=True)}


def measure(bench: Bench, cell: str, *words: str) -> dict:
    sizes = ("--lanes", str(LANES), "--context", str(CONTEXT), "--tokens", str(TOKENS))
    return bench(cell, *sizes, *words, mode="chat")


def all_counted(cell: dict) -> list[dict]:
    samples = [sample for sample in cell["samples"] if sample["state"] == "ok"]
    if not samples:
        raise RuntimeError(f"{cell['label']}: {cell['samples'][-1]['reasons']}")
    return samples


def counted(cell: dict) -> dict:
    return all_counted(cell)[-1]


def good_per_second(sample: dict) -> float:
    return sample["figures"]["goodput"] * len(sample["requests"]) / SECONDS


def goodput_bar(unhurried: Unhurried, samples: dict[float, dict]) -> Bar:
    good = {share: good_per_second(sample) for share, sample in samples.items()}
    kept = good[OVERLOAD] / max(good[share] for share in SWEEP)
    rates = ", ".join(f"{per_second:.2f} at {share:g}x" for share, per_second in good.items())
    name = f"good answers/s, --queue-max {unhurried.queue_max}"
    good_is = f"first <= {unhurried.goal_ms:.0f} ms, {PACE * unhurried.pace:.1f} tok/s"
    return Bar(name, f"{kept:.2f} of the most: {rates}", f">= {KEPT} ({good_is})", kept >= KEPT)


def refusals_bar(sample: dict) -> Bar:
    """Whoever has neither an answer nor a refusal was let down."""
    waits = [r["done_ms"] - r["sent_ms"] for r in sample["requests"] if r["status"] == REFUSED]
    let_down = sum(r["status"] not in (ANSWERED, REFUSED) for r in sample["requests"])
    if len(waits) < 2:
        raise RuntimeError(f"{len(waits)} refused at {OVERLOAD:g} times the capacity")
    high = statistics.quantiles(waits, n=100, method="inclusive")[98]
    figure = f"p50 {statistics.median(waits):.1f}, p99 {high:.1f}, max {max(waits):.1f} ms; {let_down} let down"
    holds = high <= REFUSED_MS and let_down == 0
    return Bar(f"{len(waits)} refused at {OVERLOAD:g}x", figure, f"p99 <= {REFUSED_MS} ms", holds)
