"""GET /health: what is going on, in one small object."""

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

REQUEST = {"prompt": [10] * 20, "max_tokens": 5, "ignore_eos": True}
COUNTS = ("lanes", "lanes_busy", "waiting", "prompt_tokens", "cached_tokens", "completion_tokens", "resident_bytes")


@pytest.fixture
def server(tmp_path):
    with Server.start(
        "--lanes", "2", "--name", "m", model=fake_model(tmp_path, call_us=3000), runtime="fake"
    ) as started:
        yield started


def test_it_tells_the_model_and_an_idle_machine(server):
    health = server.health()
    assert health["status"] == "ok"
    assert health["model"] == "m"
    assert (health["lanes"], health["lanes_busy"], health["waiting"]) == (2, 0, 0)
    assert all(isinstance(health[name], int) for name in COUNTS)
    assert health["resident_bytes"] > 1_000_000


def test_it_counts_tokens(server):
    server.post("/v1/completions", REQUEST)
    server.post("/v1/completions", REQUEST)
    health = server.health()
    assert health["prompt_tokens"] == 40
    assert health["completion_tokens"] == 10
    assert 0 < health["cached_tokens"] < 20


def test_it_tells_tokens_per_second(server):
    assert server.health()["tokens_per_second"] == 0
    with OpenStream(server, max_tokens=100) as stream:
        stream.read_to_end()
    assert server.health()["tokens_per_second"] > 1


def test_it_tells_who_runs_and_who_waits(server):
    with OpenStream(server), OpenStream(server), server.connect() as third:
        third.send_request("POST", "/v1/completions", REQUEST)
        eventually(lambda: server.health()["waiting"] == 1, "the third request waits")
        assert server.health()["lanes_busy"] == 2


def test_it_is_503_while_the_model_loads(tmp_path):
    server = Server.start_loading(model=fake_model(tmp_path, load_ms=2000), runtime="fake")
    try:
        reply = server.get("/health")
        assert reply.status == 503
        assert reply.json["status"] == "loading"
        eventually(server.is_ready, "the model is loaded")
    finally:
        server.kill()


def test_requests_that_come_while_the_model_loads_wait_for_it(tmp_path):
    server = Server.start_loading(model=fake_model(tmp_path, load_ms=1000), runtime="fake")
    try:
        server.stderr.wait_for("takes requests while the weights are loaded")
        assert server.post("/v1/completions", {"prompt": "a", "max_tokens": 1}).status == 200
    finally:
        server.kill()
