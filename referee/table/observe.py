"""What one seat may know of what happens at a table.

An observation is built by naming what may be seen, never by taking away what may not: what the match below does not
name stays hidden, that a seat has chosen before all have (`CardsPassed`, `CardReturned`) and `MoonChosen` among it.
Worlds that differ only in cards hidden from a seat therefore give that seat equal observations; a test holds it.
Cards that come from others are told in ascending order, so the order in which they were named carries no message.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from referee.rules.cards import Card
from referee.rules.passing import pass_giver
from referee.rules.variant import KittyView, PassDirection, Variant
from referee.table.events import (
    Cards,
    DealEnded,
    DealStarted,
    Entry,
    GameEnded,
    KittyTaken,
    PassDone,
    PlayBegan,
    PoolDealt,
    ReturnsDone,
)


@dataclass(frozen=True, slots=True)
class SeatDealStarted:
    """A deal began; `hand` is the seat's own as dealt, ascending."""

    number: int
    dealer: int
    direction: PassDirection
    hand: Cards
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PassReceived:
    """All have passed: what the seat gave, and what it was given."""

    sent: Cards
    received: Cards


@dataclass(frozen=True, slots=True)
class ReturnReceived:
    """All have given a card back: the one the seat gave, and the one it was given."""

    sent: Card
    received: Card


@dataclass(frozen=True, slots=True)
class PoolReceived:
    """The pool is dealt back: what the seat had put in, and what it was dealt."""

    sent: Cards
    received: Cards


Seen = (
    Card
    | SeatDealStarted
    | PassReceived
    | ReturnReceived
    | PoolReceived
    | PlayBegan
    | KittyTaken
    | DealEnded
    | GameEnded
)
"""What an observation is made of. A play is a bare card; a `KittyTaken` without cards hides them."""


def observe(entries: Iterable[Entry], seat: int, variant: Variant) -> list[Seen]:
    """Return what *seat* sees of *entries*, any piece of a log, in their order."""
    seen: list[Seen] = []
    for entry in entries:
        match entry:
            case int():
                seen.append(entry)
            case DealStarted(number, dealer, direction, hands, _, totals):
                seen.append(SeatDealStarted(number, dealer, direction, _ascending(hands[seat]), totals))
            case PassDone(direction, passes):
                if direction is not PassDirection.POOL:
                    giver = pass_giver(variant.players, direction, seat)
                    seen.append(PassReceived(passes[seat], _ascending(passes[giver])))
            case ReturnsDone(direction, returns):
                # A card comes back from the seat that one has passed to: the giver of the opposite direction.
                offset = variant.pass_offset(direction)
                seen.append(ReturnReceived(returns[seat], returns[(seat + offset) % variant.players]))
            case PoolDealt(passes, dealt):
                seen.append(PoolReceived(passes[seat], _ascending(dealt[seat])))
            case KittyTaken(taker, cards):
                open_to_seat = seat == taker or variant.kitty_view is KittyView.ALL
                seen.append(KittyTaken(taker, _ascending(cards) if open_to_seat else ()))
            case PlayBegan() | DealEnded() | GameEnded():
                seen.append(entry)
    return seen


def _ascending(cards: Cards) -> Cards:
    return tuple(sorted(cards))
