"""Two keys of which one has a queue: the other waits little, and gets its half where both have work."""

import random
import statistics
import time
from pathlib import Path

from bars.bar import Bar
from bars.bare import prompt
from bars.streams import Stream
from bars.tuned import tuned

LANES, WINDOW = 8, 1024
QUEUED, TOKENS = 50, 384  # more than are answered meanwhile
EVERY_S, ASKED, ALONE = 2.0, 8, 5
SETTLE_S, BOTH_S = 2.0, 20.0
FIRST_MS, SHARE = 600, 0.45


def run(server_bin: Path, model: Path) -> list[Bar]:
    with tuned(model, LANES, WINDOW, "--api-key", "one", "--api-key", "two", key="one") as server:
        keys = Keys(server.port)
        bars = [keys.seldom(), keys.both()]
        keys.stop()
        return bars


class Keys:
    def __init__(self, port: int):
        self.port, self.draw = port, random.Random(8)
        self.own_ms = statistics.median(self.ask("two", 1).join().first_ms for _ in range(ALONE))
        self.one, self.two = [self.ask("one", TOKENS) for _ in range(QUEUED)], []

    def ask(self, key: str, tokens: int) -> Stream:
        return Stream(self.port, prompt(self.draw), tokens, {"Authorization": f"Bearer {key}"}).start()

    def seldom(self) -> Bar:
        """One request every two seconds, of the key that has no queue."""
        late = []
        for _ in range(ASKED):
            time.sleep(EVERY_S)
            late.append(self.ask("two", 1).join().first_ms - self.own_ms)
        queued = sum(not stream.times for stream in self.one)
        figure = f"own {self.own_ms:.0f} ms + {max(late):.0f} at most, {ASKED} times; {queued} of the other wait"
        return Bar("a second key's first token", figure, f"own + {FIRST_MS} ms", max(late) <= FIRST_MS and queued > 0)

    def both(self) -> Bar:
        self.two = [self.ask("two", TOKENS) for _ in range(QUEUED)]
        time.sleep(SETTLE_S)
        begun = time.monotonic()
        time.sleep(BOTH_S)
        until = time.monotonic()
        said = [sum(begun < at < until for s in streams for at in list(s.times)) for streams in (self.one, self.two)]
        asked = [sum(stream.is_running() for stream in streams) for streams in (self.one, self.two)]
        share = min(said) / sum(said)
        figure = f"{share:.0%} of {sum(said)} pieces of text, {asked[0]} and {asked[1]} still asked"
        return Bar("two keys with work", figure, f">= {SHARE:.0%} each", share >= SHARE and min(asked) > LANES)

    def stop(self) -> None:
        for stream in [*self.one, *self.two]:
            stream.stop()
