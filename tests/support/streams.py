"""A streamed answer that a test holds open while it does something to the server."""

import json
from typing import Any, Self

from support.http import Connection, server_sent_events
from support.server import Server

ENDLESS = {"ignore_eos": True, "stream": True}


class OpenStream:
    """Begun: the first event has come, so a lane is held."""

    def __init__(self, server: Server, key: str | None = None, **fields: Any):
        self.connection: Connection = server.connect()
        body = {"prompt": "Once upon a time", "max_tokens": 1000, **ENDLESS, **fields}
        self.connection.send_request("POST", "/v1/completions", body, {"Authorization": f"Bearer {key}"} if key else {})
        self.response = self.connection.read_head("POST")
        assert self.response.status == 200
        self._events = server_sent_events(self.response)
        self.events = [next(self._events)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def read_one(self) -> str:
        self.events.append(next(self._events))
        return self.events[-1]

    def read_to_end(self) -> list[str]:
        """All events, from the first; returns when the server has ended the stream."""
        self.events += list(self._events)
        return self.events

    def error(self) -> dict[str, Any]:
        """The error that ended the stream."""
        told = [json.loads(event) for event in self.read_to_end() if event != "[DONE]"]
        errors = [event["error"] for event in told if "error" in event]
        assert len(errors) == 1, f"not one error: {self.events[-3:]}"
        return errors[0]

    def finish_reason(self) -> str:
        events = self.read_to_end()
        assert events[-1] == "[DONE]", events[-3:]
        reasons = [choice["finish_reason"] for event in events[:-1] for choice in json.loads(event)["choices"]]
        return reasons[-1]
