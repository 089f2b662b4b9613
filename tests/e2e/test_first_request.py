"""What a person sees who has just started the server: a line that can be pasted, and that works."""

import json
import subprocess

from support.fake import fake_model
from support.server import Server


def pasted(line: str, **environment: str) -> dict:
    ended = subprocess.run(line, shell=True, capture_output=True, text=True, timeout=60, env=environment)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def curl_line(server: Server) -> str:
    return server.stdout.wait_for(r"^curl .*")[0]


def test_the_printed_curl_line_gets_an_answer(tmp_path):
    with Server.start(model=fake_model(tmp_path), runtime="fake") as server:
        reply = pasted(curl_line(server), PATH="/usr/bin:/bin")
    assert reply["choices"][0]["message"]["role"] == "assistant"


def test_the_printed_curl_line_takes_a_key_from_the_environment(tmp_path):
    with Server.start("--api-key", "s3cret", model=fake_model(tmp_path), runtime="fake", key="s3cret") as server:
        line = curl_line(server)
        assert "s3cret" not in line
        assert "choices" in pasted(line, PATH="/usr/bin:/bin", SLUICE_KEY="s3cret")
        assert pasted(line, PATH="/usr/bin:/bin")["error"]["code"]
