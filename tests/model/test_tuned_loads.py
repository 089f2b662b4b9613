"""A first load of the real model measures; later starts serve with what was chosen. Which choice it is, is the machine's."""

import re
import subprocess

from support.paths import program
from support.server import Server

SMALL = ("--lanes", "2", "--context", "1024")
CHOICE = r"flash attention (on|off), (\d+) threads? \((measured|stored)"
REQUEST = {"prompt": "The capital of France is", "max_tokens": 24, "temperature": 0}


def start(state, model, runtime, *options):
    return Server.start(*SMALL, "--state-dir", str(state), *options, model=model, runtime=runtime)


def test_what_was_measured_is_served_with_by_every_later_start(tmp_path, model_file, runtime):
    answers, choices = [], []
    for source in ("measured", "stored"):
        with start(tmp_path, model_file, runtime) as server:
            told = server.stderr.wait_for(CHOICE)
            assert told[3] == source
            server.stderr.wait_for(rf"threads {told[2]} \| flash attention {told[1]}")
            choices.append(told.group(1, 2))
            answers.append(server.post("/v1/completions", REQUEST).json["choices"])
    assert choices[0] == choices[1]
    assert answers[0] == answers[1]


def test_a_quantized_v_cache_has_flash_attention_on_whatever_is_measured(tmp_path, model_file, runtime):
    with start(tmp_path, model_file, runtime, "--cache-type-v", "q8_0") as server:
        assert server.stderr.wait_for(CHOICE)[1] == "on"
    command = [program("sluice"), "tune", model_file, "--state-dir", tmp_path, "--cache-type-v", "q8_0"]
    shown = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    assert len(re.findall(r"^  on +\d", shown, re.MULTILINE)) >= 1
    assert not re.search(r"^  off +\d", shown, re.MULTILINE)
