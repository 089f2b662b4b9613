"""Model files that cannot be loaded: the cause, and exit code 3."""

import subprocess

import pytest

from support.paths import DEFAULT_MODEL, program

MODEL = 3


def serve(model, *options):
    return subprocess.run(
        [program("sluice"), "serve", str(model), "--port", "0", *options], capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("kept", [0, 4, 100, 100_000, 60_000_000])
def test_a_file_cut_short(tmp_path, kept):
    cut = tmp_path / "cut.gguf"
    with DEFAULT_MODEL.open("rb") as whole:
        cut.write_bytes(whole.read(kept))
    ended = serve(cut)
    assert ended.returncode == MODEL, ended
    assert "cut.gguf" in ended.stderr


def test_a_file_of_something_else(tmp_path):
    other = tmp_path / "other.gguf"
    other.write_text("To whom it may concern\n" * 1000)
    ended = serve(other)
    assert ended.returncode == MODEL, ended
    assert "other.gguf" in ended.stderr
