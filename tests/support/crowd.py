"""Many connections at once, each of them plain: some idle, some with a request under way."""

import select
from typing import Any, Self

from support.http import Connection, Reply
from support.server import Server
from support.waiting import eventually


class Crowd:
    def __init__(self, server: Server):
        self._server = server
        self._idle: list[Connection] = []
        self._asking: list[Connection] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for connection in self._idle + self._asking:
            connection.close()

    def connect_idle(self, count: int) -> None:
        self._idle += [self._server.connect() for _ in range(count)]

    def send_requests(self, count: int, body: dict[str, Any]) -> None:
        for _ in range(count):
            self._asking.append(self._server.connect())
            self._asking[-1].send_request("POST", "/v1/completions", body)

    def replies(self) -> list[Reply]:
        return [connection.read_reply("POST") for connection in self._asking]

    def first_replies(self, count: int) -> list[Reply]:
        """Of those that are answered first; the others are left waiting."""
        poll = select.poll()
        by_descriptor = {connection.socket.fileno(): connection for connection in self._asking}
        for descriptor in by_descriptor:
            poll.register(descriptor, select.POLLIN)
        answered = eventually(
            lambda: ready if len(ready := poll.poll(1000)) >= count else None, f"{count} requests are answered"
        )
        return [by_descriptor[descriptor].read_reply("POST") for descriptor, _ in answered]

    def idle_still_served(self) -> int:
        """How many of the idle connections get an answer when they ask at last."""
        return sum(connection.request("GET", "/v1/models").status == 200 for connection in self._idle)
