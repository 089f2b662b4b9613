"""SIGTERM: the world is told at once, requests are served for a notice time and then refused, answers end, exit 0."""

import http.client
import signal

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

REQUEST = {"prompt": "hello", "max_tokens": 2}


@pytest.fixture
def start(tmp_path):
    """A server whose answer of 1000 tokens takes about ten seconds."""
    servers = []

    def begin(lanes: int = 2, drain: int = 30) -> Server:
        model = fake_model(tmp_path, call_us=10_000)
        servers.append(Server.start("--lanes", str(lanes), model=model, runtime="fake", drain=drain))
        return servers[-1]

    yield begin
    for server in servers:
        server.kill()


def test_an_idle_server_ends_after_the_notice_time(start):
    server = start()
    server.terminate()
    assert server.wait(within=10) == 0


def test_health_says_it_at_once(start):
    server = start()
    with OpenStream(server):
        server.terminate()
        eventually(lambda: server.get("/health").status == 503, "/health is 503", within=1)
        assert server.health()["status"] == "draining"


def test_requests_are_still_served_in_the_notice_time(start):
    server = start()
    with OpenStream(server):
        server.terminate()
        eventually(lambda: server.get("/health").status == 503, "/health is 503", within=1)
        assert server.post("/v1/completions", REQUEST).status == 200


def test_requests_are_refused_after_the_notice_time(start):
    server = start()
    with OpenStream(server):
        server.terminate()
        refused = eventually(lambda: refusal_of(server), "a request is refused")
    assert refused.status == 503
    assert int(refused.headers["Retry-After"]) >= 1
    assert refused.error["message"]


def refusal_of(server):
    reply = server.post("/v1/completions", REQUEST)
    return reply if reply.status != 200 else None


def test_a_running_stream_ends_as_it_should(start):
    server = start()
    with OpenStream(server, max_tokens=400) as stream:
        server.terminate()
        assert stream.finish_reason() == "length"
    assert server.wait() == 0


def test_a_queued_request_is_served_before_the_end(start):
    server = start(lanes=1)
    with OpenStream(server, max_tokens=300) as stream, server.connect() as queued:
        queued.send_request("POST", "/v1/completions", REQUEST)
        eventually(lambda: server.health()["waiting"] == 1, "one request waits")
        server.terminate()
        assert stream.finish_reason() == "length"
        assert queued.read_reply("POST").status == 200
    assert server.wait() == 0


def test_an_answer_that_does_not_end_in_time_is_told_so(start):
    server = start(drain=1)
    with OpenStream(server, max_tokens=100_000) as stream:
        server.terminate()
        assert stream.error()["message"]
    assert server.wait() == 0


def test_a_second_signal_does_not_wait(start):
    server = start()
    with OpenStream(server):
        server.terminate()
        eventually(lambda: server.get("/health").status == 503, "/health is 503", within=1)
        server.terminate()
        assert server.wait(within=5) == 128 + signal.SIGTERM


def test_idle_connections_do_not_keep_it(start):
    server = start()
    idle = [server.connect() for _ in range(10)]
    server.terminate()
    assert server.wait(within=10) == 0
    for connection in idle:
        with pytest.raises((http.client.HTTPException, ConnectionError)):
            connection.request("GET", "/health")
        connection.close()
