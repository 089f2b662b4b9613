"""Every option of `sluice serve` has an effect that can be seen from outside, and --help lists no other."""

import re
import socket
import subprocess

import pytest

from support.fake import fake_model
from support.paths import program
from support.server import LISTENING, Server

# Options whose effect another test shows.
SHOWN_ELSEWHERE = {
    "--help": "test_command_line",
    "--drain-seconds": "test_drain",
    "--runtime": "every test",
    "--api-key": "test_keys",
    "--api-key-file": "test_keys",
    "--metrics-open": "test_keys",
    "--api-keys": "test_key_limits",
    "--queue-max": "test_queue",
    "--class-queue": "test_queue",
    "--key-queue": "test_queue",
    "--queue-time-ms": "test_queue",
    "--chunk-ms": "test_order",
    "--class-lanes": "test_order",
    "--pace-ms": "test_order",
    "--tune": "test_tuning",
    "--state-dir": "test_tuning",
    # What the fake runtime has no use for is seen with a real model.
    "--threads": "model/test_runtime_options",
    "--ubatch": "model/test_runtime_options",
    "--gpu-layers": "model/test_runtime_options",
    "--device": "model/test_runtime_options",
    "--cache-type-k": "model/test_runtime_options",
    "--cache-type-v": "model/test_runtime_options",
    "--flash-attn": "model/test_runtime_options",
}
SHOWN_HERE = {
    "--host",
    "--port",
    "--insecure",
    "--lanes",
    "--context",
    "--max-tokens",
    "--batch",
    "--name",
    "--alias",
    "--log-level",
}


@pytest.fixture
def serve(tmp_path):
    """Starts servers with options, and ends them."""
    servers = []

    def start(*options: str, **settings) -> Server:
        servers.append(Server.start(*options, model=fake_model(tmp_path, **settings), runtime="fake"))
        return servers[-1]

    yield start
    for server in servers:
        assert server.stop() == 0


def complete(server, **fields):
    return server.post("/v1/completions", {"prompt": "hello", "max_tokens": 3, **fields})


def test_help_lists_the_options_that_tests_show():
    listed = subprocess.run([program("sluice"), "serve", "--help"], capture_output=True, text=True, check=True).stdout
    assert set(re.findall(r"--[a-z][a-z-]*", options_of(listed))) == SHOWN_HERE | set(SHOWN_ELSEWHERE)


def options_of(help_text: str) -> str:
    """The first column of the list: what the explanations mention is not an option."""
    return "\n".join(match[0] for match in re.finditer(r"^ +(-\S+,?)+", help_text, re.MULTILINE))


def test_port_0_lets_the_system_choose(serve):
    assert serve().port > 0


def test_port_is_the_one_that_is_listened_on(tmp_path):
    with socket.socket() as chosen:
        chosen.bind(("127.0.0.1", 0))
        port = chosen.getsockname()[1]
    command = [
        str(program("sluice")),
        "serve",
        str(fake_model(tmp_path)),
        "--port",
        str(port),
        "--runtime",
        "fake",
        "--drain-seconds",
        "0",
    ]
    with Server(command) as server:
        assert int(server.stdout.wait_for(LISTENING)["port"]) == port


def test_host_may_be_ipv6(serve):
    server = serve("--host", "::1")
    assert server.host == "::1"
    assert complete(server).status == 200


def test_host_localhost_is_the_loopback_address(serve):
    assert serve("--host", "localhost").host == "127.0.0.1"


def test_insecure_opens_an_address_without_a_key(serve):
    server = serve("--host", "0.0.0.0", "--insecure")
    server.host = "127.0.0.1"
    assert complete(server).status == 200


def test_name_is_the_models_id(serve):
    server = serve("--name", "my model/1")
    assert complete(server).json["model"] == "my model/1"
    assert complete(server, model="my model/1").status == 200
    assert complete(server, model="fake").status == 404
    assert server.health()["model"] == "my model/1"


def test_without_a_name_the_file_gives_it(serve, tmp_path):
    server = serve()
    assert complete(server).json["model"] == fake_model(tmp_path).stem


def test_aliases_are_served_too(serve):
    server = serve("--alias", "gpt-4o,gpt-4", "--alias", "another")
    for alias in ("gpt-4o", "gpt-4", "another"):
        assert complete(server, model=alias).status == 200
    (model,) = server.get("/v1/models").json["data"]
    assert model["aliases"] == ["gpt-4o", "gpt-4", "another"]


def test_lanes_are_how_many_answers_run_at_once(serve):
    server = serve("--lanes", "3", call_us=3000)
    assert server.health()["lanes"] == 3


def test_context_bounds_prompt_and_answer(serve):
    server = serve("--context", "256")
    assert complete(server, prompt=[10] * 300).error["code"] == "context_length_exceeded"
    answer = complete(server, prompt=[10] * 200, max_tokens=None, ignore_eos=True).json
    assert answer["choices"][0]["finish_reason"] == "length"
    assert answer["usage"]["total_tokens"] <= 256


def test_max_tokens_is_for_requests_that_name_none(serve):
    server = serve("--max-tokens", "7")
    assert complete(server, max_tokens=None, ignore_eos=True).json["usage"]["completion_tokens"] == 7
    assert complete(server, max_tokens=9, ignore_eos=True).json["usage"]["completion_tokens"] == 9


def test_batch_bounds_the_tokens_of_a_call(serve):
    def steps_of_a_long_prompt(*options):
        server = serve(*options)
        complete(server, prompt=[10] * 500, max_tokens=1)
        return server.metrics().value("sluice_steps_total")

    assert steps_of_a_long_prompt("--batch", "64") > steps_of_a_long_prompt("--batch", "512")


@pytest.mark.parametrize("level, has_access_line", [("error", False), ("warn", False), ("info", True)])
def test_log_level_decides_what_stderr_tells(serve, level, has_access_line):
    server = serve("--log-level", level)
    complete(server)
    server.stop()
    assert bool(server.stderr.matching("status=200")) == has_access_line


def test_log_level_debug_tells_more(serve):
    def lines_at(level):
        server = serve("--log-level", level)
        complete(server)
        server.stop()
        return server.stderr.count()

    assert lines_at("debug") > lines_at("info")
