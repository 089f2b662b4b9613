"""GET /slots: what each lane does, who waits, and for what."""

from typing import Any

import pytest

from support.fake import fake_model
from support.keys import key_table
from support.server import Server
from support.streams import OpenStream
from support.waiting import eventually

ENDLESS = {"max_tokens": 8000}
SHORT = {"prompt": "hi", "max_tokens": 2, "ignore_eos": True}
LONG_PROMPT = "a long story " * 200


@pytest.fixture(scope="module")
def one_lane(tmp_path_factory):
    """A row takes a millisecond: a thousand of them are worth far more than moving their KV."""
    model = fake_model(tmp_path_factory.mktemp("one-lane"), call_us=2000, row_us=1000)
    with Server.start("--lanes", "1", "--chunk-ms", "50", model=model, runtime="fake") as server:
        yield server


@pytest.fixture
def idle(one_lane):
    one_lane.wait_until_idle()
    yield one_lane
    one_lane.wait_until_idle()


def slots(server: Server) -> dict[str, Any]:
    reply = server.get("/slots")
    assert (reply.status, reply.headers["Content-Type"]) == (200, "application/json")
    return reply.json


def lane_when(server: Server, state: str) -> dict[str, Any]:
    return eventually(lambda: next((lane for lane in slots(server)["lanes"] if lane["state"] == state), None), state)


def waiting_when(server: Server, state: str, count: int = 1) -> list[dict[str, Any]]:
    def found():
        waiting = [one for one in slots(server)["waiting"] if one["state"] == state]
        return waiting if len(waiting) == count else None

    return eventually(found, f"{count} {state}")


def ask(server: Server, headers={}, **fields):
    """Asked, and not waited for."""
    connection = server.connect()
    connection.send_request("POST", "/v1/completions", {**SHORT, **fields}, headers)
    return connection


def test_a_lane_that_nobody_has_is_free(idle):
    told = slots(idle)
    assert told == {"worker_told": True, "window": told["window"], "lanes": [{"state": "free"}], "waiting": []}
    assert told["window"] > 0


def test_a_lane_tells_whose_answer_it_writes_and_how_fast(idle):
    with OpenStream(idle, prompt=[10] * 20, user="someone", **ENDLESS, **{"class": "interactive"}) as stream:
        for _ in range(5):
            stream.read_one()
        lane = lane_when(idle, "decode")
        assert (lane["class"], lane["class_named"], lane["session"], lane["key"]) == ("interactive", True, True, None)
        assert (lane["prompt_tokens"], lane["max_tokens"]) == (20, 8000)
        assert lane["computed_tokens"] >= 20 + 5 - 1
        assert lane["answer_tokens"] >= 5
        assert 0 < lane["decode_per_second"] < 1000
        assert lane["age_ms"] >= lane["prefill_ms"] > 0
        assert "someone" not in str(lane)


def test_a_prompt_that_is_read_tells_how_far_it_is(idle):
    with ask(idle, prompt=LONG_PROMPT) as asked:
        lane = lane_when(idle, "prefill")
        assert 0 <= lane["computed_tokens"] < lane["prompt_tokens"]
        assert lane["answer_tokens"] == 0
        later = eventually(
            lambda: next((one for one in slots(idle)["lanes"] if one.get("computed_tokens", 0) > 200), None),
            "it gets on",
        )
        assert later["generation"] == lane["generation"]
        assert later["prefill_per_second"] > 0
        asked.read_reply("POST")


def test_who_waits_tells_for_what_and_behind_how_many(idle):
    with OpenStream(idle, **ENDLESS, **{"class": "interactive"}):
        with ask(idle, **{"class": "background"}), ask(idle, **{"class": "completion"}):
            first, second = waiting_when(idle, "waiting", 2)
            assert (first["class"], first["ahead"], first["waits_for"]) == ("completion", 0, "lane")
            assert (second["class"], second["ahead"], second["waits_for"]) == ("background", 1, "lane")
            eventually(lambda: all(one["waits_ms"] > 0 for one in slots(idle)["waiting"]), "they have waited")
            assert slots(idle)["lanes"][0]["class"] == "interactive"


def test_who_gave_its_lane_away_is_preempted_and_its_kv_parked(idle):
    with OpenStream(idle, prompt=LONG_PROMPT[:1000], **ENDLESS) as long:
        with OpenStream(idle, **ENDLESS, **{"class": "interactive"}):
            (preempted,) = waiting_when(idle, "preempted")
            assert preempted["parked_tokens"] == preempted["computed_tokens"] >= 1000
            assert preempted["answer_tokens"] > 0
            eventually(lambda: idle.metrics().value("sluice_kv_tokens_parked") >= 1000, "its KV is in host memory")
        eventually(lambda: slots(idle)["waiting"] == [], "it has its lane again")
        assert idle.metrics().value("sluice_kv_tokens_parked") == 0
        long.read_one()


def test_a_class_that_has_all_its_lanes_is_what_one_waits_for(tmp_path):
    model = fake_model(tmp_path, call_us=5000)
    with Server.start("--lanes", "2", "--class-lanes", "agent=1", model=model, runtime="fake") as server:
        with OpenStream(server), ask(server):
            (waiting,) = waiting_when(server, "waiting")
            assert waiting["waits_for"] == "class_lanes"
            assert [lane["state"] for lane in slots(server)["lanes"]] == ["decode", "free"]


def test_what_came_before_the_worker_is_queued_in_the_daemon(tmp_path):
    model = fake_model(tmp_path, load_ms=3000)
    with Server.start_loading(model=model, runtime="fake") as loading:
        eventually(lambda: "context_window" in loading.get("/v1/models").json["data"][0], "the codec has opened it")
        with ask(loading) as asked:
            (queued,) = waiting_when(loading, "queued")
            assert queued["waits_for"] == "worker"
            told = slots(loading)
            assert (told["worker_told"], told["lanes"]) == (False, [])
            assert asked.read_reply("POST").status == 200


def test_a_worker_in_a_step_without_end_holds_nobody_up(tmp_path):
    model = fake_model(tmp_path, faults=[("freeze", 5)])
    with Server.start("--lanes", "2", model=model, runtime="fake") as server:
        with OpenStream(server):
            eventually(lambda: not slots(server)["worker_told"], "the worker says nothing")
            told = slots(server)
            assert [lane["state"] for lane in told["lanes"]] == ["running"]
            assert "sequence" not in told["lanes"][0]


def test_a_key_is_needed_and_named_and_never_told(tmp_path):
    table = key_table(tmp_path / "keys.toml", team={"text": "sesame"}, admin={"text": "open"})
    model = fake_model(tmp_path, call_us=2000)
    options = ("--lanes", "1", "--api-keys", str(table), "--metrics-open")
    with Server.start(*options, model=model, runtime="fake", key="open") as server:
        server.key = None
        assert server.get("/slots").status == 401
        server.key = "open"
        with OpenStream(server, key="sesame", prompt="a secret plan", **ENDLESS):
            reply = server.get("/slots")
            assert reply.json["lanes"][0]["key"] == "team"
            for secret in (b"sesame", b"open", b"plan"):
                assert secret not in reply.body
