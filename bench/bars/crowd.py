"""A thousand idle connections and two hundred queued requests: nothing fails, and the daemon stays small."""

import resource
from pathlib import Path

from bars.bar import Bar
from support.crowd import Crowd
from support.processes import resident_bytes
from support.server import Server

IDLE, QUEUED = 1000, 200
MIB_MAX = 200


def run(server_bin: Path, model: Path) -> list[Bar]:
    allow_descriptors(4096)
    with Server.start("--lanes", "8", "--context", "2048", model=model, runtime="llamacpp") as server:
        with Crowd(server) as crowd:
            crowd.connect_idle(IDLE)
            crowd.send_requests(QUEUED, {"prompt": "hello", "max_tokens": 8, "ignore_eos": True})
            served = sum(reply.status == 200 for reply in crowd.replies())
            idle = crowd.idle_still_served()
            mib = resident_bytes(server.pid) / (1 << 20)
    return [
        Bar(
            f"{IDLE} idle, {QUEUED} queued: served",
            f"{idle} and {served}",
            "all",
            (idle, served) == (IDLE, QUEUED),
            closing=False,
        ),
        Bar("daemon's memory with them", f"{mib:.0f} MiB", f"< {MIB_MAX} MiB", mib < MIB_MAX, closing=False),
    ]


def allow_descriptors(wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, wanted)), hard))
