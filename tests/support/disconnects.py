"""Clients that leave at random moments, and how many steps the worker makes until their lanes are free.

Counted from outside: a request for /metrics goes out right before the connections end, so the daemon's one thread
answers it right before it learns of the ends, and a second one right after them. Where nobody else is served, steps
end with the last generation: the difference of two snapshots is the number of steps between. Where a busy machine
holds up the client or the daemon just then, steps pass between the first two snapshots, and nobody can say how many
of them came after the ends: such a measurement, if it is not within the bound anyway, is void and made again."""

import random
from dataclasses import dataclass, field
from enum import Enum

from support.figures import Probe, Snapshot
from support.http import Connection
from support.server import Server
from support.waiting import eventually

STEPS_MAX = 2
WAIT_SECONDS = 240.0  # a real model on a busy machine


class Moment(Enum):
    AT_ONCE = "at once"
    QUEUED = "queued"
    PREFILLING = "prefilling"
    DECODING = "decoding"


@dataclass(frozen=True)
class Left:
    """Some clients that left together."""

    moment: Moment
    clients: int
    steps: int  # until all that they held was free


@dataclass
class Storm:
    """Makes clients come and leave. `long_words`: of a prompt whose prefill takes several steps."""

    server: Server
    lanes: int
    seed: int
    long_words: int = 600
    lefts: list[Left] = field(default_factory=list)
    voids: int = 0

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._probe = Probe(self.server)
        self._second_probe = Probe(self.server)
        self._prompts = 0

    def run(self, disconnects: int) -> None:
        while self.disconnects() < disconnects:
            moment = self._random.choice(list(Moment))
            count = min(self._random.randint(1, self.lanes), disconnects - self.disconnects())
            {
                Moment.QUEUED: self._leave_queued,
                Moment.PREFILLING: self._leave_prefilling,
                Moment.DECODING: self._leave_decoding,
                Moment.AT_ONCE: self._leave_at_once,
            }[moment](count)

    def disconnects(self) -> int:
        return sum(left.clients for left in self.lefts)

    def steps_max(self) -> int:
        return max(left.steps for left in self.lefts)

    def count_of(self, moment: Moment) -> int:
        return sum(left.clients for left in self.lefts if left.moment is moment)

    def late(self) -> list[Left]:
        return [left for left in self.lefts if left.steps > STEPS_MAX]

    def close(self) -> None:
        self._probe.close()
        self._second_probe.close()

    # ---- coming ------------------------------------------------------------------------------------------------------

    def _come(self, count: int, words: int) -> list[Connection]:
        return [self._client(words) for _ in range(count)]

    def _client(self, words: int) -> Connection:
        connection = self.server.connect()
        body = {
            "prompt": self._unique_prompt(words),
            "max_tokens": 1000,
            "ignore_eos": True,
            "stream": self._random.random() < 0.5,
        }
        connection.send_request("POST", "/v1/completions", body)
        return connection

    def _unique_prompt(self, words: int) -> str:
        self._prompts += 1
        return f"{self._prompts} " + " ".join(
            self._random.choice(["red", "green", "blue", "grey"]) for _ in range(words)
        )

    def _wait(self, what: str, holds) -> Snapshot:
        def ask() -> Snapshot | None:
            snapshot = self._probe.ask()
            return snapshot if holds(snapshot) else None

        return eventually(ask, what, within=WAIT_SECONDS)

    # ---- leaving -----------------------------------------------------------------------------------------------------

    def _leave_at_once(self, count: int) -> None:
        self._leave(Moment.AT_ONCE, self._come(count, words=3), busy_afterwards=0)

    def _leave_prefilling(self, count: int) -> None:
        clients = self._come(count, self.long_words)
        self._wait(f"{count} lanes are busy", lambda s: s.lanes_busy == count)
        self._leave(Moment.PREFILLING, clients, busy_afterwards=0)

    def _leave_decoding(self, count: int) -> None:
        self._leave(Moment.DECODING, self._running(count), busy_afterwards=0)

    def _leave_queued(self, count: int) -> None:
        runners = self._running(self.lanes)
        queued = self._come(count, words=3)
        self._wait(f"{count} wait", lambda s: s.waiting == count)
        self._leave(Moment.QUEUED, queued, busy_afterwards=self.lanes)
        self._leave(Moment.DECODING, runners, busy_afterwards=0)

    def _running(self, count: int) -> list[Connection]:
        clients = self._come(count, words=3)
        begun = self._wait(f"{count} lanes are busy", lambda s: s.lanes_busy == count)
        target = begun.steps + self._random.randint(3, 20)
        self._wait(f"step {target} is done", lambda s: s.steps >= target)
        return clients

    def _leave(self, moment: Moment, clients: list[Connection], busy_afterwards: int) -> None:
        self._probe.send()
        for client in clients:
            self._random.choice([client.close, client.reset])()
        self._second_probe.send()
        before, after = self._probe.read(), self._second_probe.read()
        freed = self._wait("the lanes are free", lambda s: s.lanes_busy == busy_afterwards and s.waiting == 0)
        steps = freed.steps - before.steps
        if steps > STEPS_MAX and freed.steps - after.steps <= STEPS_MAX:
            self.voids += 1
        else:
            self.lefts.append(Left(moment, len(clients), steps))
