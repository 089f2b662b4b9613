"""The real processes may die like the fake ones."""

import os
import signal

from support.openai_client import chat, question
from support.processes import wait_until_dead
from support.streams import OpenStream


def test_a_killed_worker_is_replaced_and_says_the_same(server, client, model_id):
    asked = {"messages": question("Name three rivers."), "max_tokens": 24}
    before = chat(client, model_id, **asked).choices[0].message.content
    with OpenStream(server) as stream:
        pid = server.worker()
        os.kill(pid, signal.SIGKILL)
        assert stream.error()["code"] == "worker_lost"
    wait_until_dead(pid)
    assert chat(client, model_id, **asked).choices[0].message.content == before


def test_a_killed_codec_is_replaced(server, client, model_id):
    pid = server.codec()
    os.kill(pid, signal.SIGKILL)
    wait_until_dead(pid)
    assert chat(client, model_id, max_tokens=4).choices[0].message.content
