"""A table rebuilt from its log.

Only what was decided or supplied is fed in again; what followed from it has to follow again, entry by entry.
"""

from __future__ import annotations

from collections.abc import Sequence

from referee.rules.cards import hand_of
from referee.rules.dealing import Dealt
from referee.rules.play import Violation
from referee.rules.variant import Variant
from referee.table.events import CardReturned, CardsPassed, DealStarted, Entry, MoonChosen, PoolDealt
from referee.table.machine import Table, WrongCommand


class ReplayError(ValueError):
    """A log that no table can have written. `index` is that of the first entry that is wrong or missing."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(f"no table writes such a log: entry {index} {why}")
        self.index = index


def replay(variant: Variant, log: Sequence[Entry], *, deals_played: int = 0) -> Table:
    """Return the table that wrote *log*; raise `ReplayError` if none did.

    *deals_played* counts the deals of the game before the log begins.
    """
    started = log[0] if log else None
    if not isinstance(started, DealStarted):
        raise ReplayError(0, f"should be a DealStarted, not {started!r}")
    table = Table(
        variant,
        first_deal=started.number,
        first_dealer=started.dealer,
        totals=started.totals,
        deals_played=deals_played,
    )
    for index, entry in enumerate(log):
        if index == len(table.log):
            _feed(table, index, entry)
        if index >= len(table.log) or table.log[index] != entry:
            raise ReplayError(index, f"does not follow from those before: {entry!r}")
    if len(table.log) > len(log):
        raise ReplayError(len(log), f"is missing: {table.log[len(log)]!r}")
    return table


def _feed(table: Table, index: int, entry: Entry) -> None:
    """Give *table* the command that has written *entry*."""
    violation: Violation | None = None
    try:
        match entry:
            case int():
                violation = table.play(table.turn, entry)
            case CardsPassed(seat, cards):
                violation = table.pass_cards(seat, cards)
            case CardReturned(seat, card):
                violation = table.return_card(seat, card)
            case MoonChosen(seat, effect):
                violation = table.choose_moon(seat, effect)
            case PoolDealt(_, dealt):
                table.pool(dealt)
            case DealStarted(_, _, _, hands, kitty, _):
                table.deal(Dealt(tuple(hand_of(hand) for hand in hands), hands, kitty))
    except WrongCommand as error:
        raise ReplayError(index, f"is out of place: {entry!r}; {error}") from error
    if violation is not None:
        raise ReplayError(index, f"is not allowed: {entry!r}; {violation.value}")
