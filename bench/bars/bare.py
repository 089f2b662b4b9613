"""Against the bare loop over the runtime: the rate of one lane, what a first token costs more, the daemon's own time."""

import os
import random
import statistics
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from bars.bar import Bar
from support.server import Server

PAIRS = 9
RATE, LATENCY_MS, DAEMON_SHARE = 0.97, 2.0, 0.03
PROMPT, TOKENS, FIRSTS = 110, 128, 40
# Before each answer: a runtime takes a core that another process has just used for one that it goes on to use, and the two
# take turns here. So long, and it looks afresh.
REST_S = 0.3
WORDS = 40000  # ids below are whole words or pieces of them in every vocabulary that is measured here
LANES = 8


@dataclass(frozen=True)
class Answer:
    first_ms: float
    total_ms: float
    text: bytes


class BareLoop:
    """`sluice-bare-loop`, which does what it is told line by line."""

    def __init__(self, server_bin: Path, model: Path, lanes: int, window: int):
        command = [server_bin / "sluice-bare-loop", model, str(lanes), str(window)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        if self.process.stdout.readline() != "ready\n":
            self.process.kill()
            raise RuntimeError("the bare loop did not start")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.stdin.close()
        self.process.wait(60)

    def answer(self, prompt: list[int], tokens: int, moves: str = "none", seed: int = 0, temperature: float = 0):
        words = [moves, seed, temperature, tokens, *prompt]
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        first, total, *text = self.process.stdout.readline().split()
        return Answer(float(first), float(total), bytes.fromhex("".join(text)))


def run(server_bin: Path, model: Path) -> list[Bar]:
    draw = random.Random(7)
    with BareLoop(server_bin, model, 1, 1024) as loop:
        with Server.start("--lanes", "1", "--context", "1024", model=model, runtime="llamacpp") as server:
            bars = [rate_bar(loop, server, draw), latency_bar(loop, server, draw)]
    with Server.start("--lanes", str(LANES), "--context", "1024", model=model, runtime="llamacpp") as server:
        return [*bars, daemon_bar(server, draw)]


def prompt(draw: random.Random, tokens: int = PROMPT) -> list[int]:
    return [draw.randrange(100, WORDS) for _ in range(tokens)]


def ask(server: Server, ids: list[int], tokens: int) -> float:
    """Seconds until the whole answer was there."""
    body = {"prompt": ids, "max_tokens": tokens, "ignore_eos": True, "temperature": 0}
    begun = time.monotonic()
    reply = server.post("/v1/completions", body)
    took = time.monotonic() - begun
    assert reply.status == 200 and reply.json["usage"]["completion_tokens"] == tokens, reply.body[:300]
    return took


def rested(answer: Callable, *words: object):
    time.sleep(REST_S)
    return answer(*words)


def rate_bar(loop: BareLoop, server: Server, draw: random.Random) -> Bar:
    ratios = []
    for _ in range(PAIRS + 1):
        ids = prompt(draw)
        ratios.append(rested(loop.answer, ids, TOKENS).total_ms / 1000 / rested(ask, server, ids, TOKENS))
    ratio = statistics.median(ratios[1:])
    figure = f"{ratio:.3f} [{min(ratios[1:]):.3f}, {max(ratios[1:]):.3f}] x the bare loop"
    return Bar("one lane through HTTP", figure, f">= {RATE}", ratio >= RATE, closing=False)


def latency_bar(loop: BareLoop, server: Server, draw: random.Random) -> Bar:
    added = []
    for _ in range(FIRSTS):
        ids = prompt(draw, 16)
        added.append(rested(ask, server, ids, 1) * 1000 - rested(loop.answer, ids, 1).total_ms)
    middle = statistics.median(added)
    return Bar("added to a 1-token answer, p50", f"{middle:.1f} ms", f"<= {LATENCY_MS:g} ms", middle <= LATENCY_MS, False)


def daemon_bar(server: Server, draw: random.Random) -> Bar:
    """Streamed to eight clients, as most are."""
    prompts = [prompt(draw) for _ in range(LANES)]
    streams = [threading.Thread(target=read_stream, args=(server, ids, 2 * TOKENS)) for ids in prompts]
    begun, used = time.monotonic(), cpu_seconds(server.pid)
    for stream in streams:
        stream.start()
    for stream in streams:
        stream.join()
    share = (cpu_seconds(server.pid) - used) / (time.monotonic() - begun)
    return Bar(
        f"daemon's CPU at {LANES} lanes", f"{share:.2%} of a core", f"<= {DAEMON_SHARE:.0%}", share <= DAEMON_SHARE, False
    )


def read_stream(server: Server, ids: list[int], tokens: int) -> None:
    body = {"prompt": ids, "max_tokens": tokens, "ignore_eos": True, "stream": True}
    assert server.post("/v1/completions", body).status == 200


def cpu_seconds(pid: int) -> float:
    """Of all threads, without children."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
