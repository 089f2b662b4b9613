"""Tests with a real model: the default one, loaded by the real runtime."""

import pytest

from support.openai_client import client_of
from support.paths import DEFAULT_MODEL
from support.server import Server


@pytest.fixture(scope="session")
def runtime() -> str:
    return "llamacpp"


@pytest.fixture(scope="session")
def model_file():
    return DEFAULT_MODEL


@pytest.fixture
def fresh_server(model_file, runtime):
    """One that has computed nothing yet."""
    with Server.start("--lanes", "2", "--context", "2048", model=model_file, runtime=runtime) as started:
        with client_of(started) as client:
            yield client
