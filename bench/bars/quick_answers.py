"""/health and /metrics answer at once while all lanes compute. Reported: the client shares the cores it measures on."""

import time
from pathlib import Path

from bars.bar import Bar
from support.http import Connection
from support.server import Server
from support.streams import OpenStream

ASKED = 400
WANTED_MS = 5.0
LANES = 8


def run(server_bin: Path, model: Path) -> list[Bar]:
    with Server.start("--lanes", str(LANES), "--context", "4096", model=model, runtime="llamacpp") as server:
        streams = [OpenStream(server, max_tokens=3000) for _ in range(LANES)]
        with server.connect() as connection:
            bars = [
                bar(path, [milliseconds(connection, path) for _ in range(ASKED)]) for path in ("/health", "/metrics")
            ]
        for stream in streams:
            stream.connection.close()
        server.wait_until_idle()
    return bars


def milliseconds(connection: Connection, path: str) -> float:
    begun = time.perf_counter()
    reply = connection.request("GET", path)
    assert reply.status == 200
    return (time.perf_counter() - begun) * 1000


def bar(path: str, taken: list[float]) -> Bar:
    ordered = sorted(taken)
    median, high, most = ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1]
    figure = f"p50 {median:.1f}, p99 {high:.1f}, max {most:.1f} ms"
    return Bar(f"{path} while {LANES} lanes run", figure, f"p99 <= {WANTED_MS:g} ms", high <= WANTED_MS, closing=False)
