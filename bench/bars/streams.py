"""Streamed answers that are read while others run: when each token came, and whether all of them did."""

import http.client
import json
import threading
import time
from dataclasses import dataclass, field

from support.http import Connection

GIVEN_UP_S = 1800.0


@dataclass
class Stream:
    """One streamed answer, read by a thread of its own."""

    port: int
    ids: list[int]
    tokens: int
    headers: dict[str, str] = field(default_factory=dict)
    sent: float = 0.0
    times: list[float] = field(default_factory=list)  # of each event with text
    said: int = 0  # tokens, as the server counts them at the end

    def start(self) -> "Stream":
        self.connection = Connection(self.port, timeout=GIVEN_UP_S)
        self.thread = threading.Thread(target=self._read_to_end)
        self.sent = time.monotonic()
        self.thread.start()
        return self

    def join(self) -> "Stream":
        """Read to its end, and whole."""
        self.thread.join(GIVEN_UP_S)
        assert self.said == self.tokens and self.times, f"{self.said} of {self.tokens} tokens came"
        return self

    def is_running(self) -> bool:
        return self.thread.is_alive()

    def stop(self) -> None:
        """The client leaves."""
        self.connection.close()
        self.thread.join()

    def _read_to_end(self) -> None:
        body = {"prompt": self.ids, "max_tokens": self.tokens, "ignore_eos": True, "stream": True,
                "stream_options": {"include_usage": True}}  # fmt: skip
        try:
            with self.connection as connection:
                connection.send_request("POST", "/v1/completions", body, self.headers)
                for line in connection.read_head("POST"):
                    if line.startswith(b"data: {"):
                        self._take(json.loads(line.removeprefix(b"data: ")))
        except (OSError, ValueError, http.client.HTTPException, AssertionError):
            pass  # join() finds that tokens are missing

    def _take(self, event: dict) -> None:
        if any(choice.get("text") for choice in event.get("choices", ())):
            self.times.append(time.monotonic())
        self.said = (event.get("usage") or {}).get("completion_tokens", self.said)

    @property
    def first_ms(self) -> float:
        return (self.times[0] - self.sent) * 1000

    def gaps(self, since: float = 0.0, until: float | None = None) -> list[float]:
        """Between tokens, of those that ended after `since`; with one that is still open at `until`."""
        times = self.times if until is None else [*(at for at in self.times if at < until), until]
        return [after - before for before, after in zip(times, times[1:]) if after > since]
