"""Who goes first: a short answer takes the lane of a long one, classes have lanes and a pace, prompts go in chunks."""

import json

import pytest

from support.fake import fake_model
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

PREEMPTIONS, PARKED, AGAIN = "sluice_preemptions_total", "sluice_parked_tokens_total", "sluice_recomputed_tokens_total"
LONG = {"prompt": "a long story " * 80, "max_tokens": 60, "temperature": 0.7, "seed": 5}
SHORT = {"prompt": "hi", "max_tokens": 4, "ignore_eos": True, "temperature": 0}


@pytest.fixture(scope="module")
def one_lane(tmp_path_factory):
    """A row takes a millisecond: a thousand of them are worth far more than moving their KV."""
    model = fake_model(tmp_path_factory.mktemp("one-lane"), call_us=2000, row_us=1000)
    with Server.start("--lanes", "1", "--chunk-ms", "50", model=model, runtime="fake") as server:
        yield server


def text_of(stream: OpenStream) -> str:
    events = [json.loads(event) for event in stream.read_to_end() if event != "[DONE]"]
    return "".join(choice["text"] for event in events for choice in event["choices"])


def test_a_newcomer_does_not_wait_for_the_end_of_a_long_answer(one_lane):
    with OpenStream(one_lane, **LONG) as disturbed:
        reply = one_lane.post("/v1/completions", SHORT)
        assert reply.status == 200
        assert one_lane.metrics().value(PREEMPTIONS) > 0
        with_a_pause = text_of(disturbed)
    with OpenStream(one_lane, **LONG) as undisturbed:
        assert text_of(undisturbed) == with_a_pause
    assert one_lane.metrics().value(PARKED) > 0
    assert one_lane.metrics().value(AGAIN) == 0


def test_time_and_context_switches_of_the_worker_are_counted_by_kind(one_lane):
    one_lane.post("/v1/completions", SHORT)
    metrics = one_lane.metrics()
    for kind in ("decode", "prefill", "draw"):
        assert metrics.value("sluice_step_microseconds_total", kind=kind) > 0, kind
    assert metrics.value("sluice_worker_context_switches_total", kind="waited") > 0


def test_a_class_holds_no_more_lanes_than_it_may(tmp_path):
    model = fake_model(tmp_path, call_us=5000)
    with Server.start("--lanes", "3", "--class-lanes", "agent=2", model=model, runtime="fake") as server:
        with OpenStream(server), OpenStream(server):
            waiting = server.connect()
            waiting.send_request("POST", "/v1/completions", SHORT)
            eventually(lambda: server.metrics().value("sluice_generations_waiting") == 1, "one waits")
            assert server.lanes_busy() == 2
        assert waiting.read_reply("POST").status == 200
        waiting.close()


def steps_of_a_long_prompt(model, *options: str, beside: bool = False) -> float:
    """Steps of the engine while a prompt of about 600 rows is read, a millisecond each."""
    with Server.start("--lanes", "2", *options, model=model, runtime="fake") as server:
        server.post("/v1/completions", {"prompt": "to learn from " * 20, "max_tokens": 2})
        stream = OpenStream(server) if beside else None
        before = server.metrics().value("sluice_steps_total")
        assert server.post("/v1/completions", {"prompt": "a long prompt " * 40, "max_tokens": 1}).status == 200
        steps = server.metrics().value("sluice_steps_total") - before
        if stream:
            stream.connection.close()
    return steps


def test_a_smaller_chunk_cuts_a_prompt_into_more_steps(tmp_path):
    model = fake_model(tmp_path, row_us=1000)
    assert steps_of_a_long_prompt(model, "--chunk-ms", "20") > 2 * steps_of_a_long_prompt(model, "--chunk-ms", "200")


def test_a_class_that_asks_for_a_pace_makes_steps_shorter_while_it_decodes(tmp_path):
    model = fake_model(tmp_path, row_us=1000)
    paced = steps_of_a_long_prompt(model, "--pace-ms", "agent=20", beside=True)
    assert paced > 2 * steps_of_a_long_prompt(model, "--pace-ms", "agent=0", beside=True)
