"""A bot's output on disk, capped: its beginning and its end, and how much was left out between them.

A bot plays many matches at once in one process, so its output cannot be told apart by match; one log a bot is what is
true. Who wants the output of one match plays with `--concurrency 1`, where matches follow one another.
"""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

HALF: Final = 512 * 1024
_LAST: Final = 8 * 1024


class CappedLog:
    """The first and the last *half* bytes of what is written, in a file. Any thread may write."""

    def __init__(self, path: Path, *, half: int = HALF) -> None:
        self.path: Final = path
        self._half: Final = half
        self._file = path.open("ab")
        self._lock = threading.Lock()
        self._room = half
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._dropped = 0
        self._last = b""

    def write(self, data: bytes) -> None:
        """Add output."""
        with self._lock:
            self._last = (self._last + data)[-_LAST:]
            if self._file.closed:
                return
            head, rest = data[: self._room], data[self._room :]
            if head:
                self._file.write(head)
                self._file.flush()
                self._room -= len(head)
            if rest:
                self._keep(rest)

    def line(self, text: str) -> None:
        """Add a line of ours."""
        with self._lock:
            fresh = not self._last or self._last.endswith(b"\n")
        self.write(("" if fresh else "\n").encode() + f"--- arena: {text}\n".encode())

    def last_lines(self, count: int = 12) -> list[str]:
        """Return the last lines that are not ours, without what a terminal would take for commands."""
        with self._lock:
            lines = self._last.decode(errors="replace").splitlines()
        found = [line for line in lines if line.strip() and not line.startswith("--- arena:")][-count:]
        return ["".join(letter if letter.isprintable() else " " for letter in line) for line in found]

    def close(self) -> None:
        """Write the end of the output, with a note of what was left out before it."""
        with self._lock:
            if self._file.closed:
                return
            if self._dropped:
                self._file.write(f"\n--- arena: {self._dropped} bytes left out ---\n".encode())
            self._file.writelines(self._tail)
            self._file.close()

    def _keep(self, data: bytes) -> None:
        self._tail.append(data)
        self._tail_size += len(data)
        while self._tail_size > self._half:
            over = self._tail_size - self._half
            first = self._tail.popleft()
            kept = first[over:]
            if kept:
                self._tail.appendleft(kept)
            self._dropped += len(first) - len(kept)
            self._tail_size -= len(first) - len(kept)
