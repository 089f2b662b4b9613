"""The class of a request: who may name it, and how it is told."""

import pytest

from support.fake import fake_model
from support.server import Server
from support.waiting import eventually

REQUEST = {"prompt": "hello", "max_tokens": 1}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    model = fake_model(tmp_path_factory.mktemp("model"), call_us=500)
    with Server.start("--name", "m", "--alias", "bulk=background,m2", model=model, runtime="fake") as started:
        yield started


def class_of(server, headers={}, **fields) -> str:
    reply = server.post("/v1/completions", {**REQUEST, **fields}, headers)
    assert reply.status == 200, reply.body
    return reply.headers["X-Sluice-Class"]


def test_without_one_it_is_agent(server):
    assert class_of(server) == "agent"
    assert class_of(server, model="m2", priority=0, service_tier="auto") == "agent"


def test_a_header_wins_over_the_body_over_the_models_name(server):
    assert class_of(server, model="bulk") == "background"
    assert class_of(server, model="bulk", service_tier="priority") == "interactive"
    assert class_of(server, {"X-Sluice-Class": "completion"}, model="bulk", priority=-1) == "completion"


def test_a_stream_tells_it_too(server):
    assert class_of(server, stream=True, priority=7) == "background"


def test_a_word_that_is_none_is_refused_with_those_that_are(server):
    for reply in (
        server.post("/v1/completions", REQUEST, {"X-Sluice-Class": "fast"}),
        server.post("/v1/completions", {**REQUEST, "class": "fast"}),
    ):
        assert reply.status == 400
        assert '"background"' in reply.error["message"]


def test_a_name_that_gives_a_class_is_listed(server):
    models = {model["id"]: model for model in server.get("/v1/models").json["data"]}
    assert models["m"]["aliases"] == ["bulk", "m2"]
    assert models["bulk"]["class"] == "background"
    assert server.get("/v1/models/bulk").json["id"] == "bulk"


def test_the_log_tells_it(server):
    class_of(server, {"X-Request-Id": "classed-1"}, model="bulk")
    server.stderr.wait_for(r"classed-1.* class=background")


def test_a_time_that_is_over_before_the_worker_is_ready_is_told(tmp_path):
    slow = fake_model(tmp_path, load_ms=3000)
    with Server.start_loading(model=slow, runtime="fake") as loading:
        eventually(lambda: "context_window" in loading.get("/v1/models").json["data"][0], "the codec has opened it")
        reply = loading.post("/v1/completions", REQUEST, {"X-Sluice-Deadline-Ms": "200"})
        assert (reply.status, reply.error["code"]) == (504, "timed_out")
        assert loading.post("/v1/completions", {**REQUEST, "timeout": 0.2}).status == 504


def test_a_time_out_of_range_is_refused(server):
    assert server.post("/v1/completions", REQUEST, {"X-Sluice-Deadline-Ms": "0"}).status == 400
    assert server.post("/v1/completions", {**REQUEST, "timeout": 0}).error["param"] == "timeout"


def test_a_time_that_is_over_later_ends_what_was_said(server):
    reply = server.post("/v1/completions", {"prompt": "hello", "max_tokens": 8000, "ignore_eos": True, "timeout": 0.3})
    assert reply.json["choices"][0]["finish_reason"] == "deadline"
    assert 0 < reply.json["usage"]["completion_tokens"] < 8000
    assert server.metrics().value("sluice_generations_finished_total", reason="deadline") == 1
