"""Options that only a real runtime has a use for: each has an effect that can be seen from outside."""

import subprocess

import pytest

from support.paths import program
from support.processes import threads_of
from support.server import Server

USAGE, MODEL = 2, 3
SMALL = ("--lanes", "2", "--context", "2048")
LONG_PROMPT = {"prompt": [20] * 500, "max_tokens": 1}


@pytest.fixture
def serve(model_file, runtime):
    """Starts small servers one after the other: each is ended before the next."""
    servers = []

    def start(*options: str) -> Server:
        end_all(servers)
        servers.append(Server.start(*SMALL, *options, model=model_file, runtime=runtime))
        return servers[-1]

    yield start
    end_all(servers)


def end_all(servers: list[Server]) -> None:
    while servers:
        assert servers.pop().stop() == 0


def refusal(code: int, model_file, *options: str) -> str:
    command = [program("sluice"), "serve", str(model_file), "--port", "0", *options]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert ended.returncode == code, ended
    return ended.stderr


def completes(server) -> bool:
    return server.post("/v1/completions", {"prompt": "Paris is", "max_tokens": 4}).status == 200


def kv_bytes(server) -> float:
    return server.metrics().value("sluice_resident_bytes", process="worker")


def passes(server) -> float:
    before = server.metrics().value("sluice_passes_total")
    assert server.post("/v1/completions", LONG_PROMPT).status == 200
    return server.metrics().value("sluice_passes_total") - before


def test_threads_are_how_many_compute(serve):
    counts = [threads_of(serve("--threads", threads).worker()) for threads in ("1", "2")]
    assert counts[1] - counts[0] == 1


def test_ubatch_bounds_the_tokens_of_a_pass(serve):
    assert passes(serve("--ubatch", "32")) > passes(serve("--ubatch", "512"))


def test_batch_bounds_the_tokens_of_a_call(serve):
    assert passes(serve("--batch", "16")) > passes(serve("--batch", "2048"))


@pytest.mark.parametrize("option", ["--cache-type-k", "--cache-type-v"])
def test_a_smaller_cache_type_takes_less_memory(serve, option):
    plain_bytes = kv_bytes(serve(option, "f16"))
    smaller = serve(option, "q8_0")
    assert kv_bytes(smaller) < plain_bytes
    assert completes(smaller)


@pytest.mark.parametrize(
    "asked, told", [("on", "flash attention on"), ("off", "flash attention off"), ("auto", "flash attention off")]
)
def test_flash_attention_is_told(serve, asked, told):
    server = serve("--flash-attn", asked)
    server.stderr.wait_for(told)
    assert completes(server)


def test_a_device_that_is_not_there_is_refused_with_those_that_are(model_file):
    told = refusal(MODEL, model_file, "--device", "Abacus0")
    assert "Abacus0" in told and "CPU" in told


def test_a_device_may_be_named(serve):
    assert completes(serve("--device", "CPU"))


def test_layers_on_a_device_that_is_not_there_are_refused(model_file):
    assert "5 layers" in refusal(MODEL, model_file, "--device", "none", "--gpu-layers", "5")


def test_context_beyond_memory_is_refused(model_file):
    told = refusal(USAGE, model_file, "--lanes", "64", "--context", "1000000")
    assert "--context" in told


def test_context_is_the_trained_window_where_memory_allows(serve, model_file, runtime):
    with Server.start("--lanes", "1", model=model_file, runtime=runtime) as server:
        assert "context=8192" in server.stdout.text()
