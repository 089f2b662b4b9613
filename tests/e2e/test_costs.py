"""What a worker learned of the costs of work is kept, and the next start begins with it; a file that is not right is
said to be so, and costs are learned anew."""

from pathlib import Path

import pytest

from support.fake import fake_model
from support.server import Server
from support.waiting import eventually

REQUEST = {"prompt": "what does it cost?", "max_tokens": 4}
RECALLED = "first predictions from the costs learned until 20"


@pytest.fixture
def state(tmp_path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def model(tmp_path) -> Path:
    return fake_model(tmp_path, call_us=500, row_us=20)


@pytest.fixture
def start(model, state):
    def start(*options: str) -> Server:
        tune = () if "--tune" in options else ("--tune", "off")
        return Server.start("--state-dir", str(state), *tune, *options, model=model, runtime="fake")

    return start


@pytest.fixture
def log_of(start):
    """What a server that answers one request says from its start to its end."""

    def run(*options: str) -> str:
        with start(*options) as server:
            assert server.post("/v1/completions", REQUEST).status == 200
            server.wait_until_idle()
            server.stop()
            return server.stderr.text()

    return run


def files(state: Path) -> list[Path]:
    return sorted((state / "costs").iterdir())


def test_what_a_start_learns_the_next_one_begins_with(log_of, state):
    assert RECALLED not in log_of()
    assert len(files(state)) == 1
    before = files(state)[0].read_bytes()
    assert RECALLED in log_of()
    assert len(files(state)) == 1
    assert files(state)[0].read_bytes() != before, "it went on learning"


def test_lanes_and_context_may_differ_settings_of_speed_may_not(log_of, state):
    log_of()
    assert RECALLED in log_of("--lanes", "3", "--context", "512")
    assert RECALLED not in log_of("--threads", "1")
    assert RECALLED not in log_of("--flash-attn", "off")
    assert RECALLED not in log_of("--ubatch", "256")
    assert len(files(state)) == 4


def test_costs_are_of_the_settings_that_a_first_load_chose(log_of):
    assert RECALLED not in log_of("--tune", "auto")
    assert RECALLED in log_of("--tune", "auto")


def test_what_was_learned_first_survives_a_daemon_that_is_killed(start, log_of, state):
    server = start()
    try:
        assert server.post("/v1/completions", REQUEST).status == 200
        eventually(lambda: any(state.glob("costs/*.costs")), "the costs are written")
    finally:
        server.kill()
    assert RECALLED in log_of()


@pytest.mark.parametrize("bytes_kept", [0, 10, 100, -1])
def test_a_file_that_was_cut_is_said_to_be_and_costs_are_learned_anew(log_of, state, bytes_kept):
    log_of()
    (file,) = files(state)
    file.write_bytes(file.read_bytes()[:bytes_kept])
    log = log_of()
    assert f"{file} is not used" in log and "learned anew" in log and RECALLED not in log
    assert RECALLED in log_of()


def test_a_file_of_another_version_is_said_to_be(log_of, state):
    log_of()
    (file,) = files(state)
    file.write_bytes(file.read_bytes().replace(b"sluice-costs 1", b"sluice-costs 9", 1))
    log = log_of()
    assert "its version is not 1" in log and "learned anew" in log


def test_a_folder_that_cannot_be_written_costs_nothing_else(log_of, state):
    state.write_text("not a folder")
    assert "what was learned of costs is not kept" in log_of()
