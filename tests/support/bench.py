"""`sluice bench` as a test runs it, and its result."""

import json
import subprocess
from pathlib import Path
from typing import Any

from support.paths import program

TIMEOUT_SECONDS = 300


def bench(*words: str, out: Path, code: int | None = 0) -> dict[str, Any]:
    """The result of a run; its exit code is `code` (None: any)."""
    ended = call("bench", *words, "--out", str(out))
    assert code is None or ended.returncode == code, ended
    return json.loads(out.read_text())


def call(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([program("sluice"), *words], capture_output=True, text=True, timeout=TIMEOUT_SECONDS)


def samples(result: dict[str, Any], row: int = 0, cell: int = 0) -> list[dict[str, Any]]:
    """Of one row, without warm-ups."""
    return [s for s in result["cells"][cell]["samples"] if s["row"] == row and s["state"] != "warm-up"]
