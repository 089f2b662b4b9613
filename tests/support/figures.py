"""The figures that tests and bars read from /metrics, by the names that they have there."""

import re
from dataclasses import dataclass

from support.http import Connection
from support.server import Server

STEPS = "sluice_steps_total"
LANES_BUSY = "sluice_lanes_busy"
WAITING = "sluice_generations_waiting"


@dataclass(frozen=True)
class Snapshot:
    """What the daemon knew at one moment."""

    steps: int
    lanes_busy: int
    waiting: int

    @property
    def is_idle(self) -> bool:
        return self.lanes_busy == 0 and self.waiting == 0


class Probe:
    """Asks for /metrics again and again on one connection. ask() may be cut in two, so that something happens at the
    very moment that the answer tells of."""

    def __init__(self, server: Server):
        self._connection: Connection = server.connect()

    def close(self) -> None:
        self._connection.close()

    def send(self) -> None:
        self._connection.send_request("GET", "/metrics")

    def read(self) -> Snapshot:
        text = self._connection.read_reply().body.decode()
        return Snapshot(_figure(text, STEPS), _figure(text, LANES_BUSY), _figure(text, WAITING))

    def ask(self) -> Snapshot:
        self.send()
        return self.read()


def _figure(text: str, name: str) -> int:
    """Without reading the rest: steps go on while a probe reads, and it is told how many."""
    found = re.search(rf"^{name} (\d+)$", text, re.MULTILINE)
    assert found, f"no sample {name}"
    return int(found[1])
