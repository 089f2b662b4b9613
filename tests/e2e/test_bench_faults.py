"""`sluice bench` against a server that misbehaves by script: every fault is named, and only what counts is counted."""

import pytest

from support.bench import bench, call, samples
from support.scripted_api import Script, ScriptedApi

CALM = ("--pairs", "1", "--warm-ups", "0", "--tokens", "8", "--levels", "2", "--sampling", "greedy", "--others-max", "64")


def measure(script: Script, tmp_path, *words: str, code: int | None = None):
    with ScriptedApi(script) as api:
        return bench("decode", "--url", api.url, *CALM, *words, out=tmp_path / "r.json", code=code)


@pytest.mark.parametrize(
    ("script", "faults", "state"),
    [
        (Script(), [], "ok"),
        (Script(half_chunks=True), [], "ok"),
        (Script(usage=False), ["no usage"], "ok"),
        (Script(done=False), ["no [DONE]"], "ok"),
        (Script(finish=False), ["no finish reason"], "ok"),
        (Script(together=4, draft=True), [], "ok"),
        (Script(tokens=5), ["wrong token count"], "void"),
        (Script(tokens=4, over_reported=4), ["usage over-reported"], "void"),
        (Script(over_reported=1), ["wrong token count"], "void"),
        (Script(cached=12), ["from a cache"], "void"),
        (Script(status=503), ["refused"], "failed"),
        (Script(error_after=3), ["error in mid-stream"], "failed"),
        (Script(garbage_after=3), ["unreadable event"], "failed"),
        (Script(cut_after=3), ["cut short"], "failed"),
        (Script(tokens=0), ["no content"], "failed"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_a_fault_is_named_and_decides_what_counts(script, faults, state, tmp_path):
    result = measure(script, tmp_path, code=0 if state == "ok" else 1)
    (sample,) = samples(result)
    assert [request.get("faults", []) for request in sample["requests"]] == [faults] * 2
    assert sample["state"] == state, sample["reasons"]
    assert bool(sample.get("figures")) == (state == "ok")
    assert result["cells"][0]["summaries"][0]["samples"] == (state == "ok")


def test_a_failed_sample_says_what_the_server_said(tmp_path):
    (sample,) = samples(measure(Script(status=503), tmp_path, code=1))
    assert sample["reasons"] == ['2 x refused: {"error":{"message":"no"}}']


def test_a_server_that_is_not_there_fails_every_request(tmp_path):
    with ScriptedApi() as api:
        url = api.url
    ended = call("bench", "decode", "--url", url, *CALM, "--out", str(tmp_path / "r.json"))
    assert ended.returncode == 1
    assert "did not start" in ended.stderr, ended


def test_tokens_without_usage_are_counted_by_events(tmp_path):
    (sample,) = samples(measure(Script(usage=False, first_ms=0, gap_ms=0), tmp_path, code=0))
    assert all("completion_tokens" not in request and request["events"] == 8 for request in sample["requests"])
    assert sample["figures"]["tokens_per_s"] > 0


