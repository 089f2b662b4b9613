"""Many at once: nothing fails, and the daemon stays small."""

import os
import resource

import pytest

from support.crowd import Crowd
from support.fake import fake_model
from support.processes import resident_bytes
from support.server import Server

IDLE, QUEUED = 1000, 200
LIVE_MAX = 1024  # limits::live_generations_max
DAEMON_BYTES_MAX = 200 << 20


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    model = fake_model(tmp_path_factory.mktemp("model"), call_us=10000)  # 200 answers take seconds, so that some wait
    with Server.start("--lanes", "8", model=model, runtime="fake") as started:
        yield started


@pytest.fixture(scope="module", autouse=True)
def enough_descriptors():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 4096)), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_thousand_idle_connections_and_200_queued_requests(server):
    with Crowd(server) as crowd:
        crowd.connect_idle(IDLE)
        crowd.send_requests(QUEUED, {"prompt": "hello", "max_tokens": 20, "ignore_eos": True})
        assert server.health()["waiting"] > 0
        assert [reply.status for reply in crowd.replies()] == [200] * QUEUED
        assert crowd.idle_still_served() == IDLE
        if not os.environ.get("SLUICE_SANITIZED"):
            assert resident_bytes(server.pid) < DAEMON_BYTES_MAX
    server.wait_until_idle()


def test_more_generations_than_may_live_are_refused_at_once(tmp_path):
    too_many = 76
    slow = fake_model(tmp_path, call_us=20000)  # no answer ends while requests are still being sent
    with Server.start("--lanes", "8", model=slow, runtime="fake") as server:
        with Crowd(server) as crowd:
            crowd.send_requests(LIVE_MAX + too_many, {"prompt": "hello", "max_tokens": 8000, "ignore_eos": True})
            refused = crowd.first_replies(too_many)
        server.wait_until_idle()
    assert len(refused) == too_many
    for reply in refused:
        assert reply.status == 503
        assert int(reply.headers["Retry-After"]) >= 1
        assert reply.error["code"] == "queue_full"
