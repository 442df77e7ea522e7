"""Ctrl-C and SIGTERM as a question that the run asks itself, so that it always ends by the same path."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Final, Self

from arena.cli.errors import INTERRUPTED, TERMINATED, Stopped

if TYPE_CHECKING:
    from types import FrameType, TracebackType

_CAUGHT: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While entered, signals are remembered: the first is told by `look`, the second by `hurried`.

    What hangs and does not look is interrupted by the second, until somebody says that we are `ending`.
    """

    def __init__(self) -> None:
        self.caught: int | None = None
        self.hurried = False
        self.ending = False
        self._before: dict[int, object] = {}

    def __enter__(self) -> Self:
        """Take the signals over."""
        self._before = {signum: signal.signal(signum, self._catch) for signum in _CAUGHT}
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give them back."""
        for signum, handler in self._before.items():
            signal.signal(signum, handler)  # type: ignore[arg-type]

    def look(self) -> None:
        """Raise `Stopped` if somebody wants an end."""
        if self.caught is not None:
            raise Stopped(code=INTERRUPTED if self.caught == signal.SIGINT else TERMINATED)

    def _catch(self, signum: int, frame: FrameType | None) -> None:
        if self.caught is None:
            self.caught = signum
            return
        self.hurried = True
        if not self.ending:
            raise KeyboardInterrupt
