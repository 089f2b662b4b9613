"""Who may wait, and how long: each wait is bounded, or refused at once."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

REQUEST = {"prompt": "hello", "max_tokens": 2}


@pytest.fixture
def serve(tmp_path):
    """Starts servers with one lane, slow enough that a stream holds it."""
    started = []

    def start(*options: str) -> Server:
        model = fake_model(tmp_path, call_us=2000)
        started.append(Server.start("--lanes", "1", *options, model=model, runtime="fake"))
        return started[-1]

    yield start
    for server in started:
        assert server.stop() == 0


def expect_unavailable(reply, code: str):
    assert reply.status == 503, reply.body
    assert reply.error["code"] == code
    assert int(reply.headers["Retry-After"]) >= 1


def test_queue_max_is_for_all(serve):
    server = serve("--queue-max", "1")
    with OpenStream(server):
        expect_unavailable(server.post("/v1/completions", REQUEST), "queue_full")
    server.wait_until_idle()
    assert server.post("/v1/completions", REQUEST).status == 200
    assert server.metrics().value("sluice_refusals_total", code="queue_full") == 1


def test_class_queue_is_a_classes_share(serve):
    server = serve("--class-queue", "background=1")
    with OpenStream(server, **{"class": "background"}):
        expect_unavailable(server.post("/v1/completions", {**REQUEST, "service_tier": "flex"}), "queue_full")
    server.wait_until_idle()
    assert server.post("/v1/completions", {**REQUEST, "class": "background"}).status == 200


def test_key_queue_is_a_keys_share(serve):
    server = serve("--api-key", "a", "--api-key", "b", "--key-queue", "1")
    server.key = "b"
    with OpenStream(server, key="a"):
        refused = server.post("/v1/completions", REQUEST, {"Authorization": "Bearer a"})
        assert (refused.status, refused.error["code"]) == (429, "key_queue_full")
        assert server.post("/v1/completions", REQUEST).status == 200
    server.wait_until_idle()


@pytest.mark.parametrize("stream", [False, True])
def test_queue_time_ends_a_wait_with_its_own_status(serve, stream):
    server = serve("--queue-time-ms", "150")
    with OpenStream(server, max_tokens=8000):
        expect_unavailable(server.post("/v1/completions", {**REQUEST, "stream": stream}), "queue_timeout")
    server.wait_until_idle()


def ask(server: Server, number: int, **fields):
    return server.post("/v1/completions", {"prompt": f"{number:>3} " + "x" * 200, "max_tokens": 1, **fields})


@pytest.fixture
def reading(tmp_path):
    """A server with one lane that reads 500 tokens a second, and has read enough to know it; 12 prompts of 0.4 s wait."""
    model = fake_model(tmp_path, row_us=2000)
    with Server.start("--lanes", "1", "--queue-time-ms", "9000", model=model, runtime="fake") as server:
        for number in range(4):
            assert ask(server, number).status == 200
        with ThreadPoolExecutor(12) as pool:
            waiting = [pool.submit(ask, server, number) for number in range(10, 22)]
            eventually(lambda: server.health()["waiting"] >= 10, "the others wait")
            yield server
        assert {reply.result().status for reply in waiting} == {200}


def test_who_cannot_begin_in_time_is_refused_at_once(reading):
    expect_unavailable(ask(reading, 50, timeout=0.6), "queue_too_long")
    assert reading.metrics().value("sluice_refusals_total", code="queue_too_long") == 1
    assert reading.health()["waiting"] >= 5, "that was at once"


def test_whose_prompt_alone_takes_longer_is_told_so_at_once(reading):
    reply = ask(reading, 50, prompt="y" * 7000, timeout=3)
    assert (reply.status, reply.error["code"]) == (504, "timed_out")
    assert reading.health()["waiting"] >= 5
    metrics = reading.metrics()
    assert metrics.value("sluice_refusals_total", code="timed_out") == 1
    assert metrics.value("sluice_deadline_misses_total", **{"class": "agent"}) == 0, "it was told before it was late"
    assert metrics.value("sluice_generations_finished_total", reason="refused") == 1
    assert metrics.value("sluice_generations_finished_total", reason="failed") == 0


def test_a_better_class_is_not_behind_them(reading):
    assert ask(reading, 50, timeout=6, **{"class": "interactive"}).status == 200


def test_queue_time_ends_neither_what_runs_nor_the_rest_of_its_answers(serve):
    server = serve("--queue-time-ms", "1500")
    reply = server.post("/v1/completions", {**REQUEST, "n": 2, "max_tokens": 1000, "ignore_eos": True})
    assert reply.json["usage"]["completion_tokens"] == 2000  # on one lane, one after the other: 2 s and more each
