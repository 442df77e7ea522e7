"""Who made each decision of the deal being played.

Nearly all are the bots' own, so only the others are noted while the deal is played; the words for all of them are
written out when it is over.
"""

from __future__ import annotations

from typing import Final

from referee.host.ports import Source
from referee.table.events import MoonChosen
from referee.table.machine import DecisionKind, Table

_BOT: Final = Source.BOT.value


class DealSources:
    """Notes of the decisions that were not a bot's own answer."""

    __slots__ = ("_moon", "_passes", "_plays", "_returns")

    def __init__(self) -> None:
        self._passes: dict[int, Source] = {}
        self._returns: dict[int, Source] = {}
        self._plays: dict[int, Source] = {}
        self._moon = Source.BOT

    def note(self, table: Table, position: int, source: Source) -> None:
        """Note who makes the decision that *table* waits for, at *position*, before it is made."""
        match table.kind:
            case DecisionKind.PLAY:
                self._plays[len(table.log)] = source
            case DecisionKind.PASS:
                self._passes[position] = source
            case DecisionKind.RETURN:
                self._returns[position] = source
            case _:
                self._moon = source

    def to_json(self, table: Table) -> dict[str, object]:
        """Return the `sources` of the record of the deal that is over at *table*."""
        log, seats = table.log, range(table.players)
        plays = [_BOT for entry in log[max(table.play_start, 0) :] if isinstance(entry, int)]
        if self._plays:
            indices = [index for index in range(max(table.play_start, 0), len(log)) if isinstance(log[index], int)]
            plays = [self._plays.get(index, Source.BOT).value for index in indices]
        passes, returns = self._passes, self._returns
        chose_moon = any(isinstance(entry, MoonChosen) for entry in log[-4:])
        return {
            "passes": [passes.get(seat, Source.BOT).value for seat in seats] if None not in table.passes else None,
            "returns": [returns.get(seat, Source.BOT).value for seat in seats] if None not in table.returns else None,
            "plays": plays,
            "moon": self._moon.value if chose_moon else None,
        }
