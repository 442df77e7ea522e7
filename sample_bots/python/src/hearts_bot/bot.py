"""The class that a bot author writes: one method for each kind of decision."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hearts_bot.cards import Card
from hearts_bot.view import View

MoonEffect = Literal["others_plus", "self_minus"]


@dataclass(frozen=True, slots=True)
class DealResult:
    """How a deal ended: points and new totals by position, and who shot the moon, if anybody did."""

    points: tuple[int, ...]
    totals: tuple[int, ...]
    shooter: int | None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended: `reason` is finished, cancelled or voided; without a result the tuples are empty."""

    reason: str
    totals: tuple[int, ...]
    places: tuple[int, ...]
    faults: int


class Bot(ABC):
    """One player at one table: the kit makes a new one, without arguments, for each match.

    A bot that plays at several tables does so in one thread, a decision at a time. What all its tables share belongs
    into the class or the module. A match may begin with a later deal than the first, after a crash of somebody else's.
    """

    max_tables = 0
    """How many tables to play at once; 0 leaves it to the referee."""
    max_open_decisions = 0
    """How many decisions to have open at once; 0 leaves it to the referee. A slow thinker may set 1."""
    version = ""
    """Shown in records; at most 64 characters."""
    max_packs = 2
    min_players = 3
    max_players = 11

    @abstractmethod
    def play(self, view: View) -> Card:
        """Return the card to play, one of `view.legal`."""

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return the `view.rules.pass_count` cards of `view.hand` to pass: the highest, unless overridden."""
        return sorted(view.hand, key=lambda card: (card.rank, card))[-view.rules.pass_count :]

    def give_back(self, view: View) -> Card:
        """Return the card to give back, one of `view.legal`: the first, unless overridden."""
        return view.legal[0]

    def moon(self, view: View) -> MoonEffect:
        """Return what the moon that this bot has just shot shall do: the others get the points, unless overridden."""
        return "others_plus"

    def match_started(self, view: View) -> None:  # noqa: B027 - may be left out, like those below
        """Get ready. The referee waits for the return, but not for ever."""

    def deal_over(self, view: View, result: DealResult) -> None:  # noqa: B027
        """Take note of the end of a deal; `view` still shows it."""

    def match_over(self, view: View, result: MatchResult) -> None:  # noqa: B027
        """Take note of the end of the match."""
