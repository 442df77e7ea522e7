"""Lists of which one row is damaged: the others are read, and the log says once what was left out."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from arena.storage.ports import Damaged, reading

Read = TypeVar("Read")

logger = logging.getLogger(__name__)

REMEMBERED: Final = 1000
_told: set[str] = set()


def readable(what: str, rows: Iterable[tuple[str, *tuple[object, ...]]], read: Callable[..., Read]) -> list[Read]:
    """Return what *read* makes of those of *rows* that it can read, each a name for the log and what to read.

    *what* are they, in the log, which is told no more of them: they may hold a seed.
    """
    found: list[Read] = []
    for name, *row in rows:
        try:
            with reading(f"{what} {name!r}"):
                found.append(read(*row))
        except Damaged as error:
            left_out(str(error))
    return found


def left_out(text: str) -> None:
    """Say once that something was left out because it cannot be read."""
    if text in _told:
        return
    if len(_told) >= REMEMBERED:
        _told.clear()
    _told.add(text)
    logger.warning("left out: %s", text)
