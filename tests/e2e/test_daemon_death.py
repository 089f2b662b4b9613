"""Nothing of a daemon outlives it, however it ends."""

import os
import signal

import pytest

from support.fake import fake_model
from support.processes import wait_until_dead
from support.server import Server
from support.streams import OpenStream


@pytest.fixture
def server(tmp_path):
    started = Server.start("--lanes", "2", model=fake_model(tmp_path, call_us=3000), runtime="fake")
    yield started
    started.kill()


def test_a_killed_daemon_takes_its_processes_along(server):
    worker, codec = server.worker(), server.codec()
    server.kill()
    wait_until_dead(worker)
    wait_until_dead(codec)


def test_even_in_the_middle_of_an_answer(server):
    worker, codec = server.worker(), server.codec()
    with OpenStream(server):
        server.kill()
        wait_until_dead(worker)
        wait_until_dead(codec)


def test_even_where_a_process_hangs(server):
    worker, codec = server.worker(), server.codec()
    os.kill(worker, signal.SIGSTOP)
    os.kill(codec, signal.SIGSTOP)
    server.kill()
    wait_until_dead(worker)
    wait_until_dead(codec)


def test_ctrl_c_ends_it_like_sigterm(server):
    worker, codec = server.worker(), server.codec()
    server.process.send_signal(signal.SIGINT)
    assert server.wait() == 0
    wait_until_dead(worker)
    wait_until_dead(codec)
