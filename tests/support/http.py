"""HTTP as a client that hides nothing: whole requests, half requests, streams read event by event, sudden ends."""

import contextlib
import http.client
import json
import socket
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

TIMEOUT_SECONDS = 240.0


@dataclass(frozen=True)
class Reply:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def error(self) -> dict[str, Any]:
        return self.json["error"]


class Connection:
    """One TCP connection. Its owner sends what it likes, and reads whole replies or streams."""

    def __init__(self, port: int, host: str = "127.0.0.1", timeout: float = TIMEOUT_SECONDS):
        self.socket = socket.create_connection((host, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def send_request(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}) -> None:
        self.send(encode_request(method, path, body, headers))

    def read_head(self, method: str = "GET") -> http.client.HTTPResponse:
        """The answer's status and headers; its body is still to be read."""
        response = http.client.HTTPResponse(self.socket, method=method)
        response.begin()
        return response

    def read_reply(self, method: str = "GET") -> Reply:
        response = self.read_head(method)
        return Reply(response.status, response.headers, response.read())

    def request(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}) -> Reply:
        self.send_request(method, path, body, headers)
        return self.read_reply(method)

    def read_until_closed(self) -> bytes:
        parts = []
        while data := self.socket.recv(65536):
            parts.append(data)
        return b"".join(parts)

    def close(self) -> None:
        """Ends the connection, even where a response still holds its socket open."""
        with contextlib.suppress(OSError):  # the server ended it before
            self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def reset(self) -> None:
        """Ends the connection with RST, as a client does that dies."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


def encode_request(method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}) -> bytes:
    """`body`: bytes as they are, None for none, anything else as JSON."""
    data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    fields = {"Host": "sluice.test", **headers}
    if body is not None:
        fields = {"Content-Type": "application/json", "Content-Length": str(len(data)), **fields}
    head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return head.encode() + b"\r\n" + data


def server_sent_events(response: http.client.HTTPResponse) -> Iterator[str]:
    """The data of each event of a stream, as it comes."""
    for line in iter(response.readline, b""):
        text = line.decode().rstrip("\r\n")
        if text.startswith("data:"):
            yield text[5:].lstrip()


def json_events(response: http.client.HTTPResponse) -> list[dict[str, Any]]:
    """All events of a stream that ends as OpenAI's do, without the closing [DONE]."""
    events = list(server_sent_events(response))
    assert events and events[-1] == "[DONE]", f"the stream ended without [DONE]: {events[-3:]}"
    return [json.loads(event) for event in events[:-1]]
