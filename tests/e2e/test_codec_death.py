"""The codec process may die or hang at any time: running answers do not notice, and the next request is served."""

import os
import signal

import pytest

from support.fake import fake_model
from support.processes import is_alive, wait_until_dead
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

CHAT = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 4}


@pytest.fixture
def server(tmp_path):
    model = fake_model(tmp_path, call_us=3000)
    with Server.start("--lanes", "2", model=model, runtime="fake") as started:
        yield started


def kill_codec(server) -> None:
    pid = server.codec()
    os.kill(pid, signal.SIGKILL)
    wait_until_dead(pid)


def test_the_next_request_is_served(server):
    kill_codec(server)
    assert server.post("/v1/chat/completions", CHAT).status == 200


def test_it_may_die_again_and_again(server):
    for _ in range(3):
        kill_codec(server)
        assert server.post("/v1/chat/completions", CHAT).status == 200


def test_running_answers_go_on(server):
    with OpenStream(server, max_tokens=200) as stream:
        kill_codec(server)
        assert stream.finish_reason() == "length"
    assert server.health()["worker_deaths"] == 0


def test_metrics_tell_it(server):
    kill_codec(server)
    assert server.post("/v1/chat/completions", CHAT).status == 200
    assert server.metrics().value("sluice_codec_deaths_total") == 1
    assert server.metrics().value("sluice_codec_starts_total") == 2


def test_a_codec_that_hangs_is_killed_and_the_request_is_served(server):
    hung = server.codec()
    os.kill(hung, signal.SIGSTOP)
    assert server.post("/v1/chat/completions", CHAT).status == 200
    assert not is_alive(hung)


def test_health_answers_while_the_codec_hangs(server):
    os.kill(server.codec(), signal.SIGSTOP)
    with server.connect() as connection:
        connection.send_request("POST", "/v1/chat/completions", CHAT)
        assert server.get("/health").status == 200
        assert connection.read_reply("POST").status == 200


def test_a_client_that_left_while_the_codec_hung_starts_nothing(server):
    os.kill(server.codec(), signal.SIGSTOP)
    with server.connect() as connection:
        connection.send_request("POST", "/v1/chat/completions", {**CHAT, "max_tokens": 5000, "ignore_eos": True})
    assert server.post("/v1/chat/completions", CHAT).status == 200
    eventually(server.is_idle, "nothing runs for the client that left", within=5)
