"""What a first load measures is kept and used by every later one, before it come pins, and before these flags; `sluice
tune` shows, pins and redoes it."""

import os
import signal
import subprocess
from pathlib import Path

import pytest

from support.fake import fake_model
from support.paths import program
from support.processes import wait_until_dead
from support.server import Server
from support.waiting import eventually

MEASURING = "measuring once"
USAGE, FAILED = 2, 1


@pytest.fixture
def state(tmp_path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def model(tmp_path) -> Path:
    return fake_model(tmp_path, tuning="on 3")


@pytest.fixture
def log_of(model, state):
    """What a server says until it is ready; it is ended then."""

    def start(*options: str, model: Path = model, state: Path = state) -> str:
        with Server.start("--state-dir", str(state), *options, model=model, runtime="fake") as server:
            server.stop()
            return server.stderr.text()

    return start


@pytest.fixture
def tune(model, state):
    def run(*options: str, code: int = 0) -> str:
        command = [program("sluice"), "tune", model, "--runtime", "fake", "--state-dir", state, *options]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
        assert ended.returncode == code, ended
        return ended.stdout if code == 0 else ended.stderr

    return run


def files(state: Path) -> list[Path]:
    return sorted((state / "tuning").iterdir())


def test_the_first_start_measures_and_says_what_was_chosen(log_of, state):
    log = log_of()
    assert MEASURING in log
    assert "flash attention on, 3 threads (measured in 1.5 s)" in log
    assert len(files(state)) == 1


def test_the_worker_serves_with_what_was_chosen(log_of):
    assert "flash attention on, threads 3" in log_of()
    assert "flash attention on, threads 3" in log_of()


def test_later_starts_use_it_and_measure_nothing(log_of):
    log_of()
    log = log_of("--lanes", "3", "--context", "512")
    assert MEASURING not in log
    assert "flash attention on, 3 threads (stored tuning of 20" in log


def test_a_copy_of_the_model_is_the_same_model(log_of, model, tmp_path):
    log_of()
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(model.read_bytes())
    assert MEASURING not in log_of(model=copy)


def test_another_model_or_cache_type_is_measured_for_itself(log_of, tmp_path, state):
    log_of()
    assert MEASURING in log_of("--cache-type-k", "q8_0")
    (tmp_path / "other").mkdir()
    assert "flash attention off, 2 threads" in log_of(model=fake_model(tmp_path / "other", tuning="off 2"))
    assert len(files(state)) == 3


def test_flags_come_first_and_change_nothing_that_is_kept(log_of):
    log = log_of("--flash-attn", "off")
    assert "flash attention off (--flash-attn), 3 threads (measured" in log
    assert "flash attention off, threads 3" in log
    assert "flash attention on (stored tuning" in log_of("--threads", "1")


def test_where_flags_say_everything_nothing_is_measured(log_of, state):
    log = log_of("--flash-attn", "off", "--threads", "1")
    assert MEASURING not in log
    assert not state.exists()


def test_tune_off_leaves_it_to_the_runtime(log_of, state):
    assert "flash attention auto, threads 0" in log_of("--tune", "off")
    assert not state.exists()


def test_a_state_folder_that_cannot_be_written_costs_the_tuning_not_the_start(log_of, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    log = log_of(state=tmp_path / "file")
    assert "not tuned" in log and str(tmp_path / "file") in log
    assert "flash attention auto, threads 0" in log


@pytest.mark.parametrize("bytes_kept", [0, 10, 100])
def test_a_file_that_was_cut_is_said_to_be_and_made_anew(log_of, state, bytes_kept):
    log_of()
    (file,) = files(state)
    whole = file.read_bytes()
    file.write_bytes(whole[:bytes_kept])
    log = log_of()
    assert str(file) in log and MEASURING in log
    assert MEASURING not in log_of()


def test_a_file_of_another_version_is_said_to_be_and_made_anew(log_of, state):
    log_of()
    (file,) = files(state)
    file.write_bytes(file.read_bytes().replace(b"sluice-tuning 1", b"sluice-tuning 9", 1))
    log = log_of()
    assert "version" in log and MEASURING in log


def test_a_worker_that_takes_over_is_told_the_choice(model, state):
    with Server.start("--state-dir", str(state), model=model, runtime="fake") as server:
        since = server.stderr.count()
        killed = server.worker()
        os.kill(killed, signal.SIGKILL)
        wait_until_dead(killed)
        server.stderr.wait_for("flash attention on, threads 3", since)
        eventually(server.is_ready, "the next worker is ready")
        assert len(server.stderr.matching(MEASURING)) == 1


def test_a_worker_that_dies_of_measuring_is_replaced_by_one_that_does_not(log_of, tmp_path):
    (tmp_path / "crash").mkdir()
    log = log_of(model=fake_model(tmp_path / "crash", tuning="crash"))
    assert "nothing was measured" in log
    assert "flash attention auto, threads 0" in log


# ---- sluice tune -----------------------------------------------------------------------------------------------------


def test_tune_says_that_nothing_is_measured(tune, state):
    assert "--redo" in tune()
    assert not state.exists()


def test_tune_shows_figures_and_the_choice(tune, log_of):
    log_of()
    shown = tune()
    assert "`sluice serve` uses flash attention on, 3 threads (stored tuning of 20" in shown
    (chosen,) = [line for line in shown.splitlines() if line.endswith("chosen")]
    assert chosen.split()[:3] == ["on", "3", "640"]  # 256 rows of a prompt in 400 ms


def test_a_pin_is_used_until_it_is_taken_back(tune, log_of):
    log_of()
    assert "flash attention off (pinned), 3 threads (stored" in tune("--pin", "flash-attn=off")
    assert "flash attention off (pinned), 3 threads (stored" in log_of()
    assert "flash attention off, 1 thread (pinned)" in tune("--pin", "flash-attn=off,threads=1")
    assert "flash attention off, threads 1" in log_of()
    assert "pinned" not in tune("--unpin")
    assert "flash attention on, 3 threads (stored" in log_of()


def test_a_whole_pin_needs_no_measuring(tune, log_of):
    tune("--pin", "flash-attn=on,threads=2")
    log = log_of()
    assert MEASURING not in log
    assert "flash attention on, 2 threads (pinned)" in log


def test_redo_measures_whatever_is_known(tune, log_of, state):
    log_of()
    (file,) = files(state)
    before = file.stat().st_mtime_ns
    tune("--pin", "flash-attn=on,threads=2")
    shown = tune("--redo")
    assert "chosen" in shown
    assert file.stat().st_mtime_ns > before


def test_redo_needs_no_server(tune, log_of):
    assert "chosen" in tune("--redo")
    assert MEASURING not in log_of()


def test_redo_names_a_folder_that_cannot_be_written(tune, state):
    state.write_text("not a folder")
    assert str(state) in tune("--redo", code=FAILED)


def test_redo_tells_why_a_model_cannot_be_loaded(tune, model):
    model.write_text("load_error = out of tokens\n")
    assert "out of tokens" in tune("--redo", code=3)


def test_an_impossible_pin_is_refused_with_what_works(tune):
    assert "threads=N" in tune("--pin", "cores=2", code=USAGE)


def test_a_broken_file_is_shown_as_such(tune, log_of, state):
    log_of()
    (file,) = files(state)
    file.write_bytes(file.read_bytes()[:-20])
    assert "--redo" in tune(code=FAILED)
    tune("--redo")
    assert "chosen" in tune()
