"""What /metrics says of the order: who waits, how long, how large the pieces of prompts are, who was too late."""

import pytest

from support.fake import fake_model
from support.metrics import Metrics
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

CLASSES = ("interactive", "completion", "agent", "background")
SHORT = {"prompt": "hi", "max_tokens": 2, "ignore_eos": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    model = fake_model(tmp_path_factory.mktemp("model"), call_us=1000, row_us=200)
    with Server.start("--lanes", "1", "--chunk-ms", "20", model=model, runtime="fake") as started:
        yield started


def grown(before: Metrics, after: Metrics, name: str, **labels: str) -> float:
    return after.value(name, **labels) - before.value(name, **labels)


def test_every_class_has_its_series_from_the_start(server):
    told = server.metrics()
    for cls in CLASSES:
        for name in ("sluice_queue_depth", "sluice_queue_seconds_count", "sluice_first_token_seconds_count",
                     "sluice_deadline_misses_total"):
            assert told.value(name, **{"class": cls}) >= 0, name


def test_who_waits_for_a_lane_is_counted_by_class_and_how_long_when_it_has_one(server):
    before = server.metrics()
    with server.connect() as waiting:
        with OpenStream(server, max_tokens=8000, **{"class": "interactive"}):
            waiting.send_request("POST", "/v1/completions", {**SHORT, "class": "background"})
            eventually(
                lambda: server.metrics().value("sluice_queue_depth", **{"class": "background"}) == 1, "one waits"
            )
            assert server.metrics().value("sluice_queue_depth", **{"class": "interactive"}) == 0
            held = server.metrics()
            assert grown(before, held, "sluice_queue_seconds_count", **{"class": "interactive"}) == 1
            assert grown(before, held, "sluice_queue_seconds_count", **{"class": "background"}) == 0
        assert waiting.read_reply("POST").status == 200
    after = server.metrics()
    assert after.value("sluice_queue_depth", **{"class": "background"}) == 0
    assert grown(before, after, "sluice_queue_seconds_count", **{"class": "background"}) == 1
    assert grown(before, after, "sluice_queue_seconds_sum", **{"class": "background"}) > 0


def test_a_first_token_counts_for_its_class(server):
    before = server.metrics()
    assert server.post("/v1/completions", {**SHORT, "class": "completion"}).status == 200
    after = server.metrics()
    for cls in CLASSES:
        expected = 1 if cls == "completion" else 0
        assert grown(before, after, "sluice_first_token_seconds_count", **{"class": cls}) == expected, cls


def test_the_mean_size_of_a_prompts_pieces_follows_from_rows_and_calls(server):
    before = server.metrics()
    assert server.post("/v1/completions", {**SHORT, "prompt": list(range(32, 96)) * 10, "max_tokens": 5}).status == 200
    after = server.metrics()
    rows, calls = (grown(before, after, f"sluice_{what}_total", kind="prefill") for what in ("rows", "calls"))
    assert calls > 2
    assert 1 < rows / calls < 640
    assert grown(before, after, "sluice_calls_total", kind="decode") >= 4


def test_who_was_too_late_is_counted_by_class(server):
    def misses(cls: str) -> float:
        return server.metrics().value("sluice_deadline_misses_total", **{"class": cls})

    before = misses("agent"), misses("background")
    late = {"prompt": "hello", "max_tokens": 8000, "ignore_eos": True, "timeout": 0.2}
    assert server.post("/v1/completions", late).json["choices"][0]["finish_reason"] == "deadline"
    assert (misses("agent"), misses("background")) == (before[0] + 1, before[1])
    with OpenStream(server, max_tokens=8000, **{"class": "interactive"}):
        reply = server.post("/v1/completions", {**late, "class": "background"})
        assert (reply.status, reply.error["code"]) == (504, "timed_out")
    assert (misses("agent"), misses("background")) == (before[0] + 1, before[1] + 1)
