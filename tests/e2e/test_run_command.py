"""`sluice run`: a chat in the terminal, here through pipes."""

import subprocess

import pytest

from support.fake import fake_model
from support.paths import program
from support.server import Server


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Server.start(model=fake_model(tmp_path_factory.mktemp("model")), runtime="fake") as started:
        yield started


def run(*arguments: str, said: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program("sluice"), "run", *arguments], input=said, capture_output=True, text=True, timeout=60
    )


def test_each_line_is_answered(server):
    ended = run("--url", server.url, "--max-tokens", "8", "--seed", "1", said="hello\nand again\n")
    assert ended.returncode == 0, ended
    assert ended.stdout.strip()
    assert server.health()["completion_tokens"] > 0


def test_the_answer_is_what_the_api_says(server):
    ended = run("--url", server.url, "--max-tokens", "8", "--temperature", "0", said="hello\n")
    body = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 8, "temperature": 0}
    said = server.post("/v1/chat/completions", body).json["choices"][0]["message"]["content"]
    assert said.strip() in ended.stdout


def test_a_server_of_its_own_is_started_and_ended(tmp_path):
    ended = run(str(fake_model(tmp_path)), "--runtime", "fake", "--max-tokens", "4", said="hello\n")
    assert ended.returncode == 0, ended
    assert ended.stdout.strip()


def test_no_input_is_no_error(server):
    assert run("--url", server.url, said="").returncode == 0


def test_a_server_that_is_not_there_is_one_clear_line():
    ended = run("--url", "http://127.0.0.1:1", said="hello\n")
    assert ended.returncode != 0
    assert "127.0.0.1:1" in ended.stderr
    assert len(ended.stderr.strip().splitlines()) == 1


def test_a_model_that_is_not_there_is_named(tmp_path):
    ended = run(str(tmp_path / "none.gguf"), said="hello\n")
    assert ended.returncode == 3
    assert "none.gguf" in ended.stderr
