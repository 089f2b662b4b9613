"""Clients that leave free what they held, at once, whatever state their request was in."""

import pytest

from support import processes
from support.disconnects import Moment, Storm
from support.fake import fake_model
from support.server import Server

LANES = 4
DISCONNECTS = 100


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory):
    """Steps slow enough for clients to leave in the middle of everything, and for /metrics to be made within one where
    sanitizers watch."""
    model = fake_model(tmp_path_factory.mktemp("slow"), call_us=15000, row_us=200)
    with Server.start("--lanes", str(LANES), model=model, runtime="fake") as server:
        yield server


def test_lanes_are_free_within_two_steps_at_random_moments(slow_server):
    storm = Storm(slow_server, LANES, seed=20240607)
    storm.run(DISCONNECTS)
    storm.close()
    assert storm.late() == []
    assert storm.voids <= len(storm.lefts) // 5
    assert all(storm.count_of(moment) > 0 for moment in Moment)
    slow_server.wait_until_idle()


def test_all_lanes_still_serve_afterwards(slow_server):
    clients = [slow_server.connect() for _ in range(LANES)]
    for client in clients:
        client.send_request("POST", "/v1/completions", {"prompt": "a", "max_tokens": 40, "ignore_eos": True})
    assert all(client.read_reply("POST").status == 200 for client in clients)
    for client in clients:
        client.close()
    slow_server.wait_until_idle()


def test_descriptors_do_not_leak(slow_server):
    slow_server.wait_until_idle()
    before = processes.open_descriptors(slow_server.pid)
    storm = Storm(slow_server, LANES, seed=7)
    storm.run(20)
    storm.close()
    slow_server.wait_until_idle()
    processes.eventually(lambda: processes.open_descriptors(slow_server.pid) <= before, "all descriptors are closed")


def test_a_client_that_leaves_one_of_n_answers_frees_all_of_them(slow_server):
    with slow_server.connect() as client:
        body = {"prompt": "a", "max_tokens": 1000, "ignore_eos": True, "n": 6, "stream": True}
        client.send_request("POST", "/v1/completions", body)
        assert client.read_head("POST").readline().startswith(b"data:")
    slow_server.wait_until_idle()


def test_a_left_request_is_told_in_the_access_log(slow_server):
    since = slow_server.stderr.count()
    with slow_server.connect() as client:
        body = {"prompt": "a", "max_tokens": 1000, "ignore_eos": True, "stream": True}
        client.send_request("POST", "/v1/completions", body, {"X-Request-Id": "left-early"})
        assert client.read_head("POST").status == 200
    line = slow_server.stderr.wait_for(r".*left-early.*", since)[0]
    assert "status=499" in line
