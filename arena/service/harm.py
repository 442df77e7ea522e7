"""Tournaments in which something goes wrong that concerns no other: damaged data, or a fault of ours.

Such a tournament is left out, and the others go on. The log says once what it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import structlog

from arena.storage.ports import Damaged, NotFound, StaleState, StorageUnavailable, TournamentId, TournamentRow


class Harm:
    """What went wrong since `begin`, by tournament. *where* names the log."""

    def __init__(self, where: str) -> None:
        self._now: dict[TournamentId, str] = {}
        self._told: dict[TournamentId, str] = {}
        self._log = structlog.get_logger(where)

    def begin(self) -> None:
        """Look anew. What goes wrong again is not told again; what did not is forgotten."""
        self._told = self._now
        self._now = {}

    @property
    def texts(self) -> Mapping[TournamentId, str]:
        """Return in words what went wrong."""
        return self._now

    @contextmanager
    def of(self, row: TournamentRow) -> Iterator[None]:
        """Note what goes wrong in the block, which concerns *row* alone. That storage is away concerns all."""
        try:
            yield
        except (StorageUnavailable, NotFound, StaleState):
            raise
        except Exception as error:
            damaged = isinstance(error, Damaged)
            text = str(error) if damaged else f"a fault of the arena's, {type(error).__name__}, which its log tells"
            if text not in (self._told.get(row.id), self._now.get(row.id)):
                trace = None if damaged else error
                self._log.error("tournament_left_out", tournament=row.name, error=str(error), exc_info=trace)
            self._now.setdefault(row.id, text)
