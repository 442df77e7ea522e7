"""The entries of a table's log: all that ever happens at a table.

The log is the truth: replayed, it gives the same table, and what a seat may know is drawn from it.
A play is a bare card number, because plays are by far the most of it and who played follows from the leader.
Everything else is one of the events below.
Each event tells all that its reader needs, so that any piece of a log can be understood by itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from referee.rules.cards import Card
from referee.rules.variant import MoonEffect, PassDirection, Termination

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealStarted:
    """The cards are dealt. Secret: `hands` and `kitty`, in the order dealt. `totals` are those before the deal."""

    number: int
    dealer: int
    direction: PassDirection
    hands: tuple[Cards, ...]
    kitty: Cards
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardsPassed:
    """A seat has chosen what it passes. Secret, and that it has chosen is secret too: the order tells who is slow."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class PassDone:
    """All seats have chosen, and the cards have changed hands or lie in the pool. Secret: `passes`, by giver."""

    direction: PassDirection
    passes: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class CardReturned:
    """A seat has chosen the card that it gives back. Secret, like `CardsPassed`."""

    seat: int
    card: Card


@dataclass(frozen=True, slots=True)
class ReturnsDone:
    """All seats have given a card back to the seat that had passed to them. Secret: `returns`, by giver."""

    direction: PassDirection
    returns: Cards


@dataclass(frozen=True, slots=True)
class PoolDealt:
    """The pool is dealt back. Secret: `passes`, by giver, and `dealt`, by taker."""

    passes: tuple[Cards, ...]
    dealt: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class PlayBegan:
    """The first trick may be led. `shown` is the card that the leader has shown to all, where the rules ask for it."""

    leader: int
    shown: Card | None


@dataclass(frozen=True, slots=True)
class KittyTaken:
    """The winner of a trick takes the kitty. Secret: `cards`, unless the rules show them to all."""

    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class MoonChosen:
    """The shooter has chosen what the moon does. It goes into `DealEnded`, which follows at once."""

    seat: int
    effect: MoonEffect


@dataclass(frozen=True, slots=True)
class DealEnded:
    """The deal is scored: its points, the totals after it, who shot the moon, and what the moon did."""

    points: tuple[int, ...]
    totals: tuple[int, ...]
    shooter: int | None
    moon: MoonEffect | None


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The game is over. A place is 1 for the lowest total; ties share the better place."""

    termination: Termination
    places: tuple[int, ...]
    totals: tuple[int, ...]


Event = (
    DealStarted
    | CardsPassed
    | PassDone
    | CardReturned
    | ReturnsDone
    | PoolDealt
    | PlayBegan
    | KittyTaken
    | MoonChosen
    | DealEnded
    | GameEnded
)
Entry = Card | Event
