"""Processes as /proc tells them: the children of one process, their roles, memory and end."""

import os
from pathlib import Path

from support.waiting import DEADLINE_SECONDS, eventually


def children_of(pid: int) -> list[int]:
    found = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:  # the thread ended meanwhile
            continue
    return found


def command_of(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").split("\0")
    except OSError:
        return []


def children_with_role(pid: int, role: str) -> list[int]:
    return [child for child in children_of(pid) if role in command_of(child)]


def child_with_role(pid: int, role: str) -> int:
    """The one child whose command line has the word `role`, which may be about to start."""
    return eventually(lambda: children_with_role(pid, role), f"process {pid} has a {role}")[0]


def is_alive(pid: int) -> bool:
    """False for a zombie too: what it held is gone."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def wait_until_dead(pid: int, within: float = DEADLINE_SECONDS) -> None:
    eventually(lambda: not is_alive(pid), f"process {pid} ended", within)


def resident_bytes(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError(f"process {pid} tells no VmRSS")


def open_descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads_of(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))
