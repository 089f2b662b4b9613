"""Commands that end before they serve: what they print, where, and their exit codes."""

import re
import subprocess

import pytest

from support.fake import fake_model
from support.paths import program

OK, USAGE, MODEL = 0, 2, 3


def sluice(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program("sluice"), *arguments], capture_output=True, text=True, timeout=60)


def expect_refusal(code: int, *arguments: str) -> str:
    """Refused with `code` and one line on stderr, which is returned."""
    ended = sluice(*arguments)
    assert ended.returncode == code, ended
    assert ended.stdout == ""
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1, ended.stderr
    return lines[0]


def test_version_tells_commit_runtime_and_build():
    ended = sluice("--version")
    assert ended.returncode == OK
    assert re.search(r"sluice \d+\.\d+\.\d+", ended.stdout)
    assert re.search(r"\b[0-9a-f]{12}\b|unknown", ended.stdout)
    assert re.search("Release|Debug|RelWithDebInfo|Sanitize", ended.stdout)


def test_help_is_printed_on_stdout():
    for arguments in (["--help"], ["serve", "--help"], ["run", "--help"]):
        ended = sluice(*arguments)
        assert ended.returncode == OK
        assert "sluice" in ended.stdout
        assert ended.stderr == ""


def test_no_command_says_what_there_is():
    ended = sluice()
    assert ended.returncode == USAGE
    assert "serve" in ended.stderr + ended.stdout


def test_an_unknown_command_names_the_nearest():
    assert "serve" in expect_refusal(USAGE, "serv")


@pytest.mark.parametrize(
    "wrong, right",
    [
        ("--lane", "--lanes"),
        ("--ctx", "--context"),
        ("--treads=4", "--threads"),
        ("--max-token", "--max-tokens"),
        ("--api_key", "--api-key"),
    ],
)
def test_an_unknown_option_names_the_nearest(wrong, right):
    line = expect_refusal(USAGE, "serve", wrong)
    assert wrong.partition("=")[0] in line
    assert right in line or wrong == "--ctx"


@pytest.mark.parametrize(
    "option, value",
    [
        ("--port", "70000"),
        ("--port", "http"),
        ("--lanes", "0"),
        ("--lanes", "65"),
        ("--lanes", "many"),
        ("--context", "1"),
        ("--context", "-5"),
        ("--threads", "-1"),
        ("--batch", "0"),
        ("--ubatch", "0"),
        ("--gpu-layers", "x"),
        ("--cache-type-k", "f17"),
        ("--cache-type-v", "int4"),
        ("--flash-attn", "yes"),
        ("--max-tokens", "0"),
        ("--log-level", "loud"),
        ("--drain-seconds", "-1"),
        ("--drain-seconds", "soon"),
        ("--name", ""),
        ("--alias", ""),
        ("--api-key", ""),
        ("--runtime", "../../bin/sh"),
        ("--host", "no-such-name"),
    ],
)
def test_an_impossible_value_names_its_option(option, value):
    line = expect_refusal(USAGE, "serve", f"{option}={value}")
    assert option in line


@pytest.mark.parametrize(
    "arguments, option",
    [
        (["--ubatch", "512", "--batch", "64"], "--ubatch"),
        (["--batch", "4", "--lanes", "8"], "--batch"),
        (["--cache-type-v", "q8_0", "--flash-attn", "off"], "--cache-type-v"),
        (["--host", "0.0.0.0"], "--host"),
        (["--host", "::"], "--host"),
    ],
)
def test_options_that_exclude_each_other_are_named(arguments, option):
    assert option in expect_refusal(USAGE, "serve", *arguments)


def test_an_open_address_without_a_key_says_what_would_work():
    line = expect_refusal(USAGE, "serve", "--host", "0.0.0.0")
    assert "--api-key" in line and "--insecure" in line


def test_a_key_file_that_is_not_there_is_named(tmp_path):
    assert str(tmp_path / "keys") in expect_refusal(USAGE, "serve", "--api-key-file", str(tmp_path / "keys"))


def test_a_second_model_is_refused(tmp_path):
    assert "second" in expect_refusal(USAGE, "serve", str(tmp_path / "a.gguf"), str(tmp_path / "b.gguf"))


def test_a_missing_model_is_named(tmp_path):
    assert str(tmp_path / "none.gguf") in expect_refusal(MODEL, "serve", str(tmp_path / "none.gguf"))


def test_a_folder_is_no_model(tmp_path):
    assert str(tmp_path) in expect_refusal(MODEL, "serve", str(tmp_path))


def test_a_runtime_without_a_worker_is_named(tmp_path):
    ended = sluice("serve", str(fake_model(tmp_path)), "--port", "0", "--runtime", "abacus")
    assert ended.returncode == USAGE
    assert "sluice-worker-abacus" in ended.stderr


@pytest.mark.parametrize("content", [b"GGUF", b"not a model", b"\0" * 64, b"no_such_key = 1"], ids=repr)
def test_a_broken_model_ends_with_its_cause(tmp_path, content):
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(content)
    ended = sluice("serve", str(broken), "--port", "0", "--runtime", "fake")
    assert ended.returncode == MODEL, ended
    assert "broken.gguf" in ended.stderr


def test_a_port_in_use_is_said(tmp_path):
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = sluice("serve", str(fake_model(tmp_path)), "--port", port, "--runtime", "fake")
    assert ended.returncode not in (OK, USAGE, MODEL)
    assert port in ended.stderr
