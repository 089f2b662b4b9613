"""What is idle costs nothing: one active lane of sixteen, and four lanes scattered over ten sequences."""

import statistics
import tempfile
import time
from pathlib import Path

from bars.bar import Bar
from bars.speed import Bench, against_first, interval
from support.server import Server
from support.streams import OpenStream

ONE_OF_16, SCATTERED = 0.98, 0.95
PAIRS = 9
SEQUENCES = 10
FAR_APART = (0, 3, 6, 9)
SETTLE, COUNTED = 24, 96  # tokens of each stream: before the clock starts, and while it runs


def run(server_bin: Path, model: Path) -> list[Bar]:
    return [one_of_sixteen(server_bin, model), scattered(model)]


def one_of_sixteen(server_bin: Path, model: Path) -> Bar:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(server_bin, model, Path(folder) / "r.json")
        rows = ("--start", "one=sluice,lanes=1", "--start", "sixteen=sluice,lanes=16", "--context", "1024")
        result = bench("decode", *rows, "--tokens", "128", "--levels", "1", "--sampling", "greedy")
    (cell,) = result["cells"]
    found = against_first(cell, "tokens_per_s")
    figure = f"{interval(found)} x --lanes 1"
    return Bar("one active lane at --lanes 16", figure, f">= {ONE_OF_16}", found["ratio"] >= ONE_OF_16, closing=False)


def scattered(model: Path) -> Bar:
    with Server.start("--lanes", str(SEQUENCES), "--context", "1024", model=model, runtime="llamacpp") as server:
        ratios = [rate(server, FAR_APART) / rate(server, range(len(FAR_APART))) for _ in range(PAIRS + 1)][1:]
    ratio = statistics.median(ratios)
    figure = f"{ratio:.3f} [{min(ratios):.3f}, {max(ratios):.3f}] x adjacent"
    return Bar(f"4 lanes scattered over {SEQUENCES}", figure, f">= {SCATTERED}", ratio >= SCATTERED, closing=False)


def rate(server: Server, kept) -> float:
    """Tokens a second of four streams, once the others of ten have left."""
    streams = [OpenStream(server, prompt=f"{number} is a number, and", temperature=0) for number in range(SEQUENCES)]
    for number, stream in enumerate(streams):
        if number not in kept:
            stream.connection.close()
    four = [streams[number] for number in kept]
    read(four, SETTLE)
    begun = time.monotonic()
    read(four, COUNTED)
    took = time.monotonic() - begun
    for stream in four:
        stream.connection.close()
    server.wait_until_idle()
    return len(four) * COUNTED / took


def read(streams: list[OpenStream], tokens: int) -> None:
    for _ in range(tokens):
        for stream in streams:
            stream.read_one()
