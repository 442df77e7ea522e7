"""What ends a command early, each with its exit code.

0 is done, 1 means that what was asked for failed, 2 that it was asked for wrongly, 130 and 143 that somebody stopped
it. A failure is told in one line that says what was wrong and what to do; a traceback is never an answer.
"""

from __future__ import annotations

from typing import Final

FAILED: Final = 1
MISUSED: Final = 2
INTERRUPTED: Final = 130
TERMINATED: Final = 143


class Failure(Exception):
    """What was asked for failed; the text says why and what to do."""

    code = FAILED


class Misuse(Failure):
    """It was asked for wrongly: an option, a name or a file that cannot be."""

    code = MISUSED


class Stopped(Failure):
    """Somebody stopped it; `code` tells Ctrl-C from SIGTERM. The text may hold several lines: it is advice."""

    def __init__(self, text: str = "", code: int = INTERRUPTED) -> None:
        super().__init__(text)
        self.code = code
