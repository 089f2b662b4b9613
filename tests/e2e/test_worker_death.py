"""A worker that dies takes its running answers with it, says so, and is started again; the daemon goes on."""

import os
import signal

import pytest

from support.fake import fake_model
from support.processes import wait_until_dead
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

REQUEST = {"prompt": "hello", "max_tokens": 4}


@pytest.fixture
def server(tmp_path):
    model = fake_model(tmp_path, call_us=3000)
    with Server.start("--lanes", "2", model=model, runtime="fake") as started:
        yield started


def kill_worker(server) -> int:
    pid = server.worker()
    os.kill(pid, signal.SIGKILL)
    return pid


def deaths(server) -> int:
    return server.health()["worker_deaths"]


def test_its_stream_ends_with_a_typed_error_event(server):
    with OpenStream(server) as stream:
        kill_worker(server)
        error = stream.error()
    assert error["type"] and error["message"]
    assert error["code"] == "worker_lost"


def test_a_whole_answer_becomes_a_typed_error(server):
    with server.connect() as connection:
        connection.send_request("POST", "/v1/completions", {**REQUEST, "max_tokens": 1000, "ignore_eos": True})
        eventually(lambda: server.lanes_busy() == 1, "the request runs")
        kill_worker(server)
        reply = connection.read_reply("POST")
    assert reply.status >= 500
    assert reply.error["code"] == "worker_lost"


def test_the_next_request_is_served(server):
    wait_until_dead(kill_worker(server))
    assert server.post("/v1/completions", REQUEST).status == 200


def test_the_answer_of_the_next_worker_is_the_same(server):
    before = server.post("/v1/completions", {**REQUEST, "seed": 5}).json["choices"]
    wait_until_dead(kill_worker(server))
    assert server.post("/v1/completions", {**REQUEST, "seed": 5}).json["choices"] == before


def test_health_and_metrics_tell_it(server):
    wait_until_dead(kill_worker(server))
    assert server.post("/v1/completions", REQUEST).status == 200
    health = server.health()
    assert (health["worker_starts"], health["worker_deaths"]) == (2, 1)
    metrics = server.metrics()
    assert metrics.value("sluice_worker_starts_total") == 2
    assert metrics.value("sluice_worker_deaths_total") == 1


def test_health_is_503_until_the_next_worker_is_ready(server):
    with OpenStream(server) as stream:
        kill_worker(server)
        stream.error()  # the daemon knows of the death
        told = server.get("/health")
    assert told.status == 503 or told.json["worker_starts"] == 2
    eventually(server.is_ready, "the next worker is ready")


def test_requests_that_come_while_it_restarts_wait_for_it(server):
    with OpenStream(server) as stream:
        kill_worker(server)
        stream.error()
        assert all(server.post("/v1/completions", REQUEST).status == 200 for _ in range(3))


def test_it_is_started_again_each_time(server):
    for count in range(1, 4):
        wait_until_dead(kill_worker(server))
        assert server.post("/v1/completions", REQUEST).status == 200
        assert deaths(server) == count
    server.wait_until_idle()


def test_the_log_says_how_it_died(server):
    wait_until_dead(kill_worker(server))
    assert "signal 9" in server.stderr.wait_for(r".*the worker is lost.*")[0]


def test_a_stopped_worker_is_replaced(server):
    with OpenStream(server) as stream:
        os.kill(server.worker(), signal.SIGSTOP)
        assert stream.error()["code"] == "worker_lost"
    assert server.post("/v1/completions", REQUEST).status == 200
