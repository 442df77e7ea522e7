"""What a seat is told: an update, as it waits to be sent.

An update is a plain tuple, because one is made for every decision:
the seat; the number of the open decision, 0 for none; its legal cards as a mask of faces; the cards played since the
last update; and the rarer things that were seen since then, whose kinds say where they belong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.host.seat import Seat
from referee.rules.cards import Card
from referee.rules.variant import Variant
from referee.table.events import Entry
from referee.table.observe import Seen, observe


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Stands before the first thing of an update that tells the whole deal again."""


SNAPSHOT: Final = Snapshot()

Update = tuple[Seat, int, int, Sequence[Entry], Sequence[Seen | Snapshot]]


def observed(entries: Sequence[Entry], seat: int, variant: Variant) -> tuple[list[Card], list[Seen | Snapshot]]:
    """Return the plays and the rarer things that *seat* sees of *entries*."""
    plays: list[Card] = []
    rarer: list[Seen | Snapshot] = []
    for seen in observe(entries, seat, variant):
        if isinstance(seen, int):
            plays.append(seen)
        else:
            rarer.append(seen)
    return plays, rarer
