"""Fixtures of all tests: one server a file, and a look at it after each test."""

import os
from pathlib import Path

import pytest

from support.fake import fake_model
from support.openai_client import client_of
from support.paths import DEFAULT_MODEL
from support.server import Server

LANES = 8


@pytest.fixture(scope="session", autouse=True)
def state_folder(tmp_path_factory):
    """What a test's servers keep is not left in its user's home, nor taken from there."""
    folder = tmp_path_factory.mktemp("state")
    os.environ["XDG_STATE_HOME"] = str(folder)
    return folder


@pytest.fixture(scope="session")
def runtime() -> str:
    """SLUICE_TEST_RUNTIME=llamacpp runs the scripts with OpenAI's client against the default model."""
    return os.environ.get("SLUICE_TEST_RUNTIME", "fake")


@pytest.fixture(scope="session")
def model_file(runtime, tmp_path_factory) -> Path:
    return DEFAULT_MODEL if runtime == "llamacpp" else fake_model(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="session")
def model_id() -> str:
    return "served-model"


@pytest.fixture(scope="session")
def model_alias() -> str:
    return "gpt-alias"


@pytest.fixture(scope="module")
def server(runtime, model_file, model_id, model_alias):
    """Lives for one file of tests. Ends with exit code 0, or the file's last test fails."""
    options = ["--lanes", str(LANES), "--name", model_id, "--alias", model_alias]
    with Server.start(*options, model=model_file, runtime=runtime) as started:
        yield started


@pytest.fixture(scope="module")
def client(server):
    with client_of(server) as made:
        yield made


@pytest.fixture(autouse=True)
def nothing_is_left_running(request):
    """A test that used the file's server leaves it alive, and every lane free."""
    server = request.getfixturevalue("server") if "server" in request.fixturenames else None
    yield
    if server and server.is_alive():
        server.wait_until_idle()


def pytest_collection_modifyitems(items):
    """A test's layer is the folder it lies in."""
    for item in items:
        item.add_marker(item.path.parent.name)
