"""The one place that waits for what another process does. A condition and a deadline; never a pause for luck."""

import threading
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")
PAUSE_SECONDS = 0.01
DEADLINE_SECONDS = 60.0  # generous: sanitizer builds on a busy machine


def eventually(condition: Callable[[], T], what: str, within: float = DEADLINE_SECONDS) -> T:
    """Asks `condition` until its answer is true, and returns that answer; AssertionError after `within` seconds."""
    deadline = time.monotonic() + within
    pause = threading.Event()
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"after {within:g} s still not: {what}")
        pause.wait(PAUSE_SECONDS)
