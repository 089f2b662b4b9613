"""Five hundred clients leave at random moments: their lanes are free within two steps each, and none leaks."""

from pathlib import Path

from bars.bar import Bar
from support.disconnects import STEPS_MAX, Storm
from support.server import Server
from support.waiting import eventually

DISCONNECTS = 500
LANES = 8


def run(server_bin: Path, model: Path) -> list[Bar]:
    with Server.start("--lanes", str(LANES), "--context", "2048", model=model, runtime="llamacpp") as server:
        storm = Storm(server, LANES, seed=20240607, long_words=800)
        storm.run(DISCONNECTS)
        storm.close()
        server.wait_until_idle()
        usable = usable_lanes(server)
        server.wait_until_idle()
    return [steps_bar(storm), leak_bar(usable)]


def steps_bar(storm: Storm) -> Bar:
    late = sum(left.clients for left in storm.late())
    figure = f"{storm.disconnects()} left, {storm.steps_max()} steps at most, {late} late, {storm.voids} void"
    holds = late == 0 and storm.voids <= len(storm.lefts) // 5
    return Bar("client gone: lane free", figure, f"<= {STEPS_MAX} steps", holds)


def leak_bar(usable: int) -> Bar:
    return Bar("client gone: none leaked", f"{usable} of {LANES} lanes usable", "all", usable == LANES)


def usable_lanes(server: Server) -> int:
    """How many lanes still take a request, when one more than there are is asked for."""
    clients = [server.connect() for _ in range(LANES + 1)]
    for client in clients:
        client.send_request("POST", "/v1/completions", {"prompt": "a", "max_tokens": 1900, "ignore_eos": True})
    try:
        eventually(lambda: server.lanes_busy() == LANES, "every lane is busy", within=20)
    except AssertionError:
        pass  # the figure tells how many are not
    busy = server.lanes_busy()
    for client in clients:
        client.close()
    return busy
