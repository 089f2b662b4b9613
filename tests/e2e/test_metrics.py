"""GET /metrics: Prometheus text in which every figure says what it means."""

import pytest

from support import metrics
from support.fake import fake_model
from support.figures import LANES_BUSY, STEPS, WAITING
from support.server import Server
from support.streams import OpenStream

REQUEST = {"prompt": [10] * 20, "max_tokens": 5, "ignore_eos": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    model = fake_model(tmp_path_factory.mktemp("model"), call_us=1000)
    with Server.start("--lanes", "2", model=model, runtime="fake") as started:
        started.post("/v1/completions", REQUEST)
        yield started


@pytest.fixture
def told(server) -> metrics.Metrics:
    return server.metrics()


def test_it_is_prometheus_text(server):
    reply = server.get("/metrics")
    assert reply.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert reply.body.endswith(b"\n")


def test_every_metric_has_help_and_type(told):
    for family in told.families():
        assert len(told.help.get(family, "").split()) >= 4, f"{family} does not say what it means"
        assert told.type.get(family) in ("counter", "gauge", "histogram"), family


def test_help_is_only_of_metrics_that_there_are(told):
    assert set(told.help) == set(told.type) == told.families()


def test_names_follow_the_conventions(told):
    for family in told.families():
        assert family.startswith("sluice_")
        assert (told.type[family] == "counter") == family.endswith("_total"), family


def test_counters_only_grow(server):
    before = server.metrics()
    server.post("/v1/completions", REQUEST)
    after = server.metrics()
    for key, value in before.samples.items():
        if before.type.get(key.partition("{")[0]) == "counter":
            assert after.samples[key] >= value, key


def test_tokens_are_counted(server):
    before = server.metrics()
    usage = server.post("/v1/completions", REQUEST).json["usage"]
    after = server.metrics()

    def grown(name):
        return after.value(name) - before.value(name)

    assert grown("sluice_prompt_tokens_total") == usage["prompt_tokens"]
    assert grown("sluice_completion_tokens_total") == usage["completion_tokens"]
    assert grown("sluice_cached_tokens_total") == usage["prompt_tokens_details"]["cached_tokens"]


def test_steps_are_counted(server):
    before = server.metrics().value(STEPS)
    server.post("/v1/completions", REQUEST)
    assert server.metrics().value(STEPS) - before >= REQUEST["max_tokens"]


def test_gauges_tell_who_runs(server):
    with OpenStream(server):
        assert server.metrics().value(LANES_BUSY) == 1
    server.wait_until_idle()
    assert server.metrics().value(WAITING) == 0


def test_processes_are_counted(told):
    for role in ("worker", "codec"):
        assert told.value(f"sluice_{role}_starts_total") == 1
        assert told.value(f"sluice_{role}_deaths_total") == 0
        assert told.value("sluice_resident_bytes", process=role) > 1_000_000


def test_requests_are_counted_by_route_and_status(server):
    def counted():
        told = server.metrics()
        return told.samples.get('sluice_requests_total{route="other",status="404"}', 0)

    before = counted()
    server.get("/nowhere")
    assert counted() == before + 1
