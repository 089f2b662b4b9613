"""A `sluice serve` of a test's own: started, asked, watched and ended by its process id. It listens on a port that the
system chooses, and nothing of it outlives the test."""

import re
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Self

from support import http, metrics, processes
from support.lines import Lines
from support.paths import program
from support.waiting import eventually

URL = r"http://(?P<host>\[[0-9a-f:]+\]|[0-9.]+):(?P<port>\d+)"
LISTENING = rf"^listening on {URL}"  # on stdout, once the model is loaded
OPEN = rf"{URL} is open"  # on stderr, before
SANITIZER_REPORT = r"(ERROR: \w+Sanitizer|WARNING: ThreadSanitizer|runtime error: )"
STOP_SECONDS = 60.0
READY_SECONDS = 240.0


class Server:
    """Made by start(); ended by stop() or kill(). As a context manager it is stopped, and its exit code checked."""

    def __init__(self, arguments: list[str], key: str | None = None):
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.stdout = Lines(self.process.stdout)
        self.stderr = Lines(self.process.stderr)
        self.host = ""
        self.port = 0
        self.key = key

    @classmethod
    def start(cls, *options: str, model: Path, runtime: str, key: str | None = None, drain: int = 0) -> "Server":
        """Started and ready: its model is loaded. Without a `drain` time it ends at once when it is told to."""
        command = serve_command("--drain-seconds", str(drain), *options, model=model, runtime=runtime)
        return cls(command, key)._once(lambda server: server.stdout.wait_for(LISTENING, within=READY_SECONDS))

    @classmethod
    def start_loading(cls, *options: str, model: Path, runtime: str) -> "Server":
        """Started and open for requests; its model may still be loading."""
        command = serve_command("--drain-seconds", "0", *options, model=model, runtime=runtime)
        return cls(command)._once(lambda server: server.stderr.wait_for(OPEN))

    def _once(self, told: Callable[["Server"], re.Match[str]]) -> "Server":
        """Itself, when it has told its address; killed where it does not."""
        try:
            found = told(self)
        except AssertionError:
            self.kill()
            raise AssertionError(f"sluice serve did not start; stderr:\n{self.stderr.text()}") from None
        self.host, self.port = found["host"].strip("[]"), int(found["port"])
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failure: object, *_: object) -> None:
        if failure is not None:
            return self.kill()
        code = self.stop()
        assert code == 0, f"exit code {code} after SIGTERM; stderr:\n{self.stderr.text()}"

    # ---- ending ------------------------------------------------------------------------------------------------------

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait(self, within: float = STOP_SECONDS) -> int:
        """The exit code. A daemon that does not end in time is killed, and that is an error."""
        try:
            code = self.process.wait(within)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f"sluice serve runs on after {within:g} s; stderr:\n{self.stderr.text()}")
        report = self.stderr.wait_for_end()
        assert not re.search(SANITIZER_REPORT, report), f"a sanitizer reports:\n{report}"
        return code

    def stop(self) -> int:
        if self.process.poll() is None:
            self.terminate()
        return self.wait()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    # ---- its processes -----------------------------------------------------------------------------------------------

    @property
    def pid(self) -> int:
        return self.process.pid

    def worker(self) -> int:
        return processes.child_with_role(self.pid, "worker")

    def codec(self) -> int:
        return processes.child_with_role(self.pid, "codec")

    # ---- talking to it -----------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    def connect(self, timeout: float = http.TIMEOUT_SECONDS) -> http.Connection:
        return http.Connection(self.port, self.host, timeout)

    def request(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}) -> http.Reply:
        """One request on a connection of its own, with the server's key where it has one."""
        key = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        with self.connect() as connection:
            return connection.request(method, path, body, {"Connection": "close", **key, **headers})

    def get(self, path: str, headers: Mapping[str, str] = {}) -> http.Reply:
        return self.request("GET", path, None, headers)

    def post(self, path: str, body: Any, headers: Mapping[str, str] = {}) -> http.Reply:
        return self.request("POST", path, body, headers)

    def health(self) -> dict[str, Any]:
        return self.get("/health").json

    def metrics(self) -> metrics.Metrics:
        return metrics.parse(self.get("/metrics").body.decode())

    def is_ready(self) -> bool:
        if not self.is_alive():
            raise AssertionError(f"sluice serve ended with {self.process.poll()}; stderr:\n{self.stderr.text()}")
        return self.get("/health").status == 200

    def lanes_busy(self) -> int:
        return self.health()["lanes_busy"]

    def is_idle(self) -> bool:
        health = self.health()
        return health["lanes_busy"] == 0 and health["waiting"] == 0

    def wait_until_idle(self) -> None:
        eventually(self.is_idle, "no lane is busy and nobody waits")


def serve_command(*options: str, model: Path, runtime: str) -> list[str]:
    """Untuned unless the options say otherwise: what is measured takes seconds, and is no test's to depend on."""
    tune = () if "--tune" in options or "--state-dir" in options else ("--tune", "off")
    return [str(program("sluice")), "serve", str(model), "--port", "0", "--runtime", runtime, *tune, *options]
