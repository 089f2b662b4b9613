"""What a process writes to one pipe, line by line, kept as it comes. A reader thread owns the pipe until it ends."""

import re
import threading
from typing import IO

from support.waiting import DEADLINE_SECONDS


class Lines:
    def __init__(self, pipe: IO[str]):
        self._pipe = pipe
        self._lines: list[str] = []
        self._ended = False
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self._pipe:
            with self._changed:
                self._lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def text(self) -> str:
        with self._changed:
            return "\n".join(self._lines)

    def count(self) -> int:
        with self._changed:
            return len(self._lines)

    def matching(self, pattern: str) -> list[str]:
        with self._changed:
            return [line for line in self._lines if re.search(pattern, line)]

    def wait_for(self, pattern: str, since: int = 0, within: float = DEADLINE_SECONDS) -> re.Match[str]:
        """The first match in a line from number `since` on; AssertionError with all lines where none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._find(pattern, since), timeout=within)
            found = self._find(pattern, since)
        if found is None:
            raise AssertionError(f"no line matches {pattern!r} within {within:g} s; the process wrote:\n{self.text()}")
        return found

    def _find(self, pattern: str, since: int) -> re.Match[str] | None:
        return next((match for line in self._lines[since:] if (match := re.search(pattern, line))), None)

    def wait_for_end(self, within: float = DEADLINE_SECONDS) -> str:
        """All that was written, once the writer has closed the pipe."""
        self._reader.join(within)
        assert not self._reader.is_alive(), f"the pipe is still open after {within:g} s:\n{self.text()}"
        return self.text()
