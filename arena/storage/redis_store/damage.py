"""Lists of which one row is damaged: the others are read, and the log says once what was left out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from arena.storage.ports import Damaged, reading

Read = TypeVar("Read")

logger = logging.getLogger(__name__)

REMEMBERED: Final = 1000


class Damage:
    """What was left out, as far as it is remembered, so that it is told once."""

    def __init__(self) -> None:
        self._told: set[str] = set()

    def readable(
        self, what: str, rows: Iterable[tuple[str, *tuple[object, ...]]], read: Callable[..., Read]
    ) -> list[Read]:
        """Return what *read* makes of those of *rows* that it can read, each a name for the log and what to read.

        *what* are they, in the log, which is told no more of them: they may hold a seed.
        """
        found: list[Read] = []
        for name, *row in rows:
            try:
                with reading(f"{what} {name!r}"):
                    found.append(read(*row))
            except Damaged as error:
                self.left_out(f"{what} {name!r}", str(error))
        return found

    def left_out(self, what: str, why: str) -> None:
        """Say once that something was left out because it cannot be read."""
        text = f"{what}: {why}"
        if text in self._told:
            return
        if len(self._told) >= REMEMBERED:
            self._told.clear()
        self._told.add(text)
        logger.warning("left out: %s", text)
