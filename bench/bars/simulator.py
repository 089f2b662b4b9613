"""The engine in simulated worlds: ten thousand seeds without a failed check, and the time of a plan."""

import re
import subprocess
from pathlib import Path

from bars.bar import Bar

SEEDS = 10_000
PLAN_US = 200


def run(server_bin: Path, model: Path) -> list[Bar]:
    return [seeds(server_bin), plan_time(server_bin)]


def seeds(server_bin: Path) -> Bar:
    ran = subprocess.run([server_bin / "sluice-sim", "--seeds", f"1-{SEEDS}"], capture_output=True, text=True, timeout=1800)
    figure = "clean" if ran.returncode == 0 else (ran.stdout or ran.stderr or "it died").splitlines()[0]
    return Bar(f"{SEEDS} seeds of the simulator", figure[:60], "clean", ran.returncode == 0)


def plan_time(server_bin: Path) -> Bar:
    said = subprocess.run([server_bin / "sluice-sim", "--plan-time"], capture_output=True, text=True, check=True).stdout
    median = int(re.search(r"plan, .* median (\d+) us", said)[1])
    return Bar("a plan, 64 lanes and 1,000 waiting", f"{median} us, median", f"<= {PLAN_US} us", median <= PLAN_US, False)
