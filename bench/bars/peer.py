"""The peer that sluice is held against: llama-server with its defaults, as `with` value its port."""

import subprocess
from pathlib import Path

from support.lines import Lines

NAME = "llama-server"
LISTENING = r"listening on http://127\.0\.0\.1:(\d+)"
READY_SECONDS, STOP_SECONDS = 240.0, 60.0


class LlamaServer:
    """`window`: tokens of one lane."""

    def __init__(self, server_bin: Path, model: Path, lanes: int, window: int):
        words = ["-m", model, "--host", "127.0.0.1", "--port", "0", "-np", str(lanes), "-c", str(lanes * window)]
        self.process = subprocess.Popen(
            [server_bin / NAME, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.stderr = Lines(self.process.stderr)

    def __enter__(self) -> int:
        try:
            return int(self.stderr.wait_for(LISTENING, within=READY_SECONDS)[1])
        except AssertionError:
            self._kill()
            raise

    def __exit__(self, *_: object) -> None:
        """Where requests are still open it may not end by itself."""
        self.process.terminate()
        try:
            self.process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._kill()

    def _kill(self) -> None:
        self.process.kill()
        self.process.wait()
