"""A runtime that breaks down in the middle of a step: what is lost is told, and the next request is served."""

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream

REQUEST = {"prompt": "hello", "max_tokens": 4}


@pytest.fixture
def server_with(tmp_path):
    """Starts a server whose runtime breaks down at a call that a short request does not reach."""
    servers = []

    def start(fault: str) -> Server:
        model = fake_model(tmp_path, call_us=2000, faults=[(fault, 30)])
        servers.append(Server.start("--lanes", "2", model=model, runtime="fake"))
        return servers[-1]

    yield start
    for server in servers:
        assert server.stop() == 0


@pytest.mark.parametrize(
    "fault, code", [("fatal", "fatal"), ("crash", "worker_lost"), ("freeze", "worker_lost")]
)  # a worker that knows its end says why
def test_a_runtime_that_cannot_go_on_costs_its_worker(server_with, fault, code):
    server = server_with(fault)
    with OpenStream(server) as stream:
        assert stream.error()["code"] == code
    assert server.post("/v1/completions", REQUEST).status == 200
    assert server.health()["worker_deaths"] == 1


def test_lost_sequences_fail_and_the_worker_goes_on(server_with):
    server = server_with("fault")
    with OpenStream(server) as stream:
        assert stream.error()["message"]
    assert server.post("/v1/completions", REQUEST).status == 200
    assert server.health()["worker_deaths"] == 0


def test_a_call_without_room_is_planned_again(server_with):
    server = server_with("capacity")
    server.post("/v1/completions", {"prompt": [7] * 20, "max_tokens": 2})  # what it leaves cached is given up
    with OpenStream(server, max_tokens=60) as stream:
        assert stream.finish_reason() == "length"
    assert server.health()["worker_deaths"] == 0
