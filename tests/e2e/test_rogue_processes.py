"""A process that sends garbage, half a frame, too large a frame or nothing sensible at all is replaced; the daemon
goes on, and serves as soon as an honest one is there."""

import pytest

from support import rogue
from support.fake import fake_model
from support.server import Server
from support.waiting import eventually

REQUEST = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 2}

CANNOT_LOAD = 3

MISBEHAVIOURS = {
    "ends at once": "  exit 1",
    "says why it ends": "  echo 'there is no licence here' >&2; exit 7",
    "kills itself": "  kill -9 $$",
    "sends text": "  echo 'hello, I am a worker' >&3; exec sleep 60",
    "sends a frame that is no message": rogue.frame(b"\xff\xff\xff\xff") + "; exec sleep 60",
    "announces too large a frame": rogue.send(b"\xff\xff\xff\x7f") + "; exec sleep 60",
    "announces an empty frame": rogue.frame(b"") + "; exec sleep 60",
    "sends half a frame and ends": rogue.send(b"\x20\x00\x00\x00half"),
    "sends half a length and ends": rogue.send(b"\x20\x00"),
}


@pytest.fixture
def serve_with(tmp_path, monkeypatch):
    """A server that has met `misbehaviour` of the first process of `role`, listening but not yet ready."""
    servers = []

    def start(role: str, misbehaviour: str) -> Server:
        rogue.install(tmp_path, role, misbehaviour)
        monkeypatch.setenv("SLUICE_BIN", str(tmp_path))
        servers.append(Server.start_loading(model=fake_model(tmp_path), runtime="rogue"))
        return servers[-1]

    yield start
    for server in servers:
        server.kill()


@pytest.mark.parametrize("role", ["worker", "codec"])
@pytest.mark.parametrize("misbehaviour", MISBEHAVIOURS.values(), ids=MISBEHAVIOURS.keys())
def test_it_is_replaced(serve_with, role, misbehaviour):
    server = serve_with(role, misbehaviour)
    eventually(lambda: server.post("/v1/chat/completions", REQUEST).status == 200, "an honest process serves")
    metrics = server.metrics()
    assert metrics.value(f"sluice_{role}_starts_total") == 2
    assert metrics.value(f"sluice_{role}_deaths_total") == 1


def test_what_it_wrote_to_stderr_is_shown(serve_with):
    server = serve_with("worker", MISBEHAVIOURS["says why it ends"])
    server.stderr.wait_for("there is no licence here")
    eventually(server.is_ready, "an honest worker is there")


@pytest.mark.parametrize("role", ["worker", "codec"])
def test_a_process_of_another_build_is_refused(serve_with, role):
    server = serve_with(role, rogue.frame(rogue.hello("somebody-else/Release", role)) + "; exec sleep 60")
    server.stderr.wait_for("somebody-else/Release")
    assert server.wait() == CANNOT_LOAD


@pytest.mark.parametrize("role", ["worker", "codec"])
def test_a_process_of_another_protocol_is_refused(serve_with, role):
    server = serve_with(role, rogue.frame(rogue.hello("unknown", role, protocol=99)) + "; exec sleep 60")
    server.stderr.wait_for("protocol 99")
    assert server.wait() == CANNOT_LOAD


def test_its_environment_is_scrubbed_and_no_descriptor_is_inherited(serve_with, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_OF_THE_OPERATOR", "do not pass on")
    seen = tmp_path / "seen"
    server = serve_with("worker", f"  env > '{seen}'; ls /proc/$$/fd >> '{seen}'")
    eventually(server.is_ready, "an honest worker is there")
    told = seen.read_text()
    assert "SECRET_OF_THE_OPERATOR" not in told
    assert max(int(line) for line in told.splitlines() if line.isdigit()) <= 11  # 10 and 11 are the shell's own
