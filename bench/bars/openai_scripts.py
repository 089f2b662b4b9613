"""OpenAI's own Python client gets what it expects: every script of tests/e2e that uses it, on the default model."""

import os
import re
import subprocess
import sys
from pathlib import Path

from bars.bar import Bar

TESTS = Path(__file__).resolve().parents[2] / "tests"


def run(server_bin: Path, model: Path) -> list[Bar]:
    scripts = sorted(str(path) for path in (TESTS / "e2e").glob("test_openai_*.py"))
    environment = {**os.environ, "SLUICE_BIN": str(server_bin), "SLUICE_TEST_RUNTIME": "llamacpp"}
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--rootdir", str(TESTS), *scripts],
        cwd=TESTS,
        env=environment,
        capture_output=True,
        text=True,
    )
    passed, total = counts_of(ended.stdout)
    holds = ended.returncode == 0 and passed == total > 0
    if not holds:
        print(ended.stdout[-8000:], ended.stderr[-2000:], file=sys.stderr)
    return [Bar("OpenAI client scripts", f"{passed}/{total} pass", "all", holds)]


def counts_of(report: str) -> tuple[int, int]:
    """Passed and all, of pytest's closing line. A skipped test has not passed."""
    closing = report.strip().rpartition("\n")[2]
    counts = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|errors?|skipped)", closing)}
    return counts.get("passed", 0), sum(counts.values())
