"""Running streams while a long prompt arrives: how long they pause."""

import random
import statistics
import time
from pathlib import Path

from bars.bar import Bar
from bars.bare import prompt
from bars.streams import Stream
from bars.tuned import tuned

LANES, WINDOW = 8, 8192
STREAMS, TOKENS = 4, 6000  # more than are answered meanwhile
BEGIN_S, QUIET_S = 3.0, 10.0  # while their own prompts are read; while nothing arrives
LONG_PROMPT = 6000
GAPS, OVER_S = 2, 0.25


def run(server_bin: Path, model: Path) -> list[Bar]:
    draw = random.Random(6)
    with tuned(model, LANES, WINDOW) as server:
        streams = [Stream(server.port, prompt(draw), TOKENS).start() for _ in range(STREAMS)]
        time.sleep(BEGIN_S)
        quiet = time.monotonic()
        time.sleep(QUIET_S)
        arrived = time.monotonic()
        Stream(server.port, prompt(draw, LONG_PROMPT), 1).start().join()
        answered = time.monotonic()
        running = sum(stream.is_running() for stream in streams)
        for stream in streams:
            stream.stop()
    return [bar(streams, running, quiet, arrived, answered)]


def bar(streams: list[Stream], running: int, quiet: float, arrived: float, answered: float) -> Bar:
    p99 = statistics.quantiles([gap for s in streams for gap in s.gaps(quiet, arrived)], n=100)[98]
    longest = max(gap for s in streams for gap in s.gaps(arrived, answered))
    bound = GAPS * p99 + OVER_S
    took = f"{answered - arrived:.0f} s, {running}/{STREAMS} still running"
    figure = f"{longest * 1000:.0f} ms, p99 gap {p99 * 1000:.0f} ms; {took}"
    name = f"longest pause while {LONG_PROMPT} tokens arrive"
    return Bar(name, figure, f"<= {bound * 1000:.0f} ms", longest <= bound and running == STREAMS)
