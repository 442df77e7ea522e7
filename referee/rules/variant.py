"""A rule set as data: every option of the game, and what follows from them.

A `Variant` is one complete, resolved rule set: nothing in the referee asks which preset it came from.
It is made by `presets.resolve` or `presets.from_json`, which refuse what cannot be played; a `Variant` in hand is
therefore always playable.
Enum values are the option values as people write them, on the command line, in records and on the wire.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from reprlib import Repr
from typing import Final

from referee.rules.book import Rule, rule_of_option
from referee.rules.cards import Card

_SHORT: Final = Repr()
"""For values in messages: whoever wrote them, they are short, and hold nothing that a terminal would obey."""
_SHORT.maxlist = _SHORT.maxtuple = 13
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 80


class KittyUse(StrEnum):
    """Who gets the cards that the deal leaves over."""

    NONE = "none"
    FIRST_TRICK_WINNER = "first_trick_winner"


class KittyView(StrEnum):
    """Who sees the kitty when it is taken."""

    TAKER = "taker"
    ALL = "all"


class PassMode(StrEnum):
    """How cards change hands before play."""

    NONE = "none"
    CYCLE = "cycle"
    CYCLE_GIVE_BACK = "cycle_give_back"
    POOL = "pool"


class PassDirection(StrEnum):
    """Where the cards of one deal are passed; `POOL` and `NONE` follow from the pass mode, never from the cycle."""

    LEFT = "left"
    RIGHT = "right"
    ACROSS = "across"
    HOLD = "hold"
    POOL = "pool"
    NONE = "none"

    def offset(self, players: int) -> int:
        """Return how many seats clockwise cards travel; 0 when no seat passes to another."""
        if self is PassDirection.LEFT:
            return 1
        if self is PassDirection.RIGHT:
            return players - 1
        return players // 2 if self is PassDirection.ACROSS else 0


class OpeningLead(StrEnum):
    """Who leads the first trick, and with what."""

    ELDEST_LOWEST_PLAIN = "eldest_lowest_plain"
    ELDEST_LOWEST_PER_SUIT = "eldest_lowest_per_suit"
    LOW_CLUB = "low_club"
    FIRST_PLAIN_TWO = "first_plain_two"
    SHOW_2C_ANY_NONSCORING = "show_2c_any_nonscoring"
    ELDEST_ANY_NONPENALTY = "eldest_any_nonpenalty"


class FirstTrickPenalty(StrEnum):
    """Whether harmful cards may be thrown on the first trick."""

    BARRED_UNLESS_FORCED = "barred_unless_forced"
    ALLOWED = "allowed"


class HeartsLead(StrEnum):
    """From when on hearts may be led."""

    AFTER_TRICK_1 = "after_trick_1"
    BROKEN_BY_HEART = "broken_by_heart"
    AFTER_TRICK_3 = "after_trick_3"
    AFTER_PLAIN_SUITS_LED = "after_plain_suits_led"
    BROKEN_BY_HEART_OR_QS = "broken_by_heart_or_qs"


class LeadEscape(StrEnum):
    """Which hands may lead a heart although hearts are closed."""

    ONLY_HEARTS = "only_hearts"
    ONLY_HEARTS_OR_QS = "only_hearts_or_qs"


class Scoring(StrEnum):
    """What the cards count."""

    BLACK_LADY = "black_lady"
    PLAIN_HEARTS = "plain_hearts"
    HONOURS_5 = "honours_5"
    BLACK_LADY_JD = "black_lady_jd"
    TWO_FREE_DOUBLE_JD = "two_free_double_jd"


class MoonEffect(StrEnum):
    """What shooting the moon does; `SHOOTER_CHOICE` is a rule, the other two are also what was applied."""

    OTHERS_PLUS = "others_plus"
    SELF_MINUS = "self_minus"
    SHOOTER_CHOICE = "shooter_choice"


class TieForLowest(StrEnum):
    """What happens when several seats share the lowest total at the end."""

    SHARED_WIN = "shared_win"
    PLAY_ON = "play_on"


class Termination(StrEnum):
    """Why a game ended. `CANCELLED` is never the rules' doing."""

    TARGET = "target"
    DEALS = "deals"
    MAX_DEALS = "max_deals"
    CANCELLED = "cancelled"


class VariantError(ValueError):
    """An option that does not exist, or whose value is not allowed (here, with these other options).

    `rule` is the rule that says what the option means.
    """

    def __init__(self, option: str, value: object, allowed: str) -> None:
        self.option = option
        self.value = value
        self.allowed = allowed
        self.rule: Rule = rule_of_option(option)
        name = option if len(option) < _SHORT.maxstring and option.isidentifier() else _SHORT.repr(option)
        super().__init__(f"option {name}: {_SHORT.repr(value)} is not allowed; allowed: {allowed} ({self.rule.label})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One whole rule set. Field names are the option names; `None` is their `null`."""

    preset: str
    players: int
    packs: int
    stripped: tuple[Card, ...]
    """Cards left out of every pack, ascending."""
    kitty: KittyUse
    kitty_view: KittyView
    pass_mode: PassMode
    pass_count: int
    give_back: int
    pass_cycle: tuple[PassDirection, ...]
    opening_lead: OpeningLead
    first_trick_penalty: FirstTrickPenalty
    hearts_lead: HeartsLead
    lead_escape: LeadEscape
    scoring: Scoring
    moon_needs_jd: bool
    moon_effect: MoonEffect
    moon_value: int
    target: int | None
    deals: int | None
    max_deals: int
    """Caps a game with a target; without meaning where `deals` is set."""
    tie_for_lowest: TieForLowest
    first_dealer: int | None
    """A seat, or None for "seed": drawn by the deal procedure."""
    cancellation: bool

    @property
    def pack_size(self) -> int:
        """Return the number of cards dealt from, all packs together."""
        return self.packs * (52 - len(self.stripped))

    @property
    def hand_size(self) -> int:
        """Return the number of cards each seat is dealt, which is the number of tricks."""
        return self.pack_size // self.players

    @property
    def kitty_size(self) -> int:
        """Return the number of cards that the deal leaves over."""
        return self.pack_size % self.players

    def direction(self, number: int) -> PassDirection:
        """Return where cards go in deal *number*, counted from 1."""
        if self.pass_mode is PassMode.NONE:
            return PassDirection.NONE
        if self.pass_mode is PassMode.POOL:
            return PassDirection.POOL
        return self.pass_cycle[(number - 1) % len(self.pass_cycle)]

    def pass_offset(self, direction: PassDirection) -> int:
        """Return how many seats clockwise cards travel in *direction*; 0 when no seat passes to another."""
        return direction.offset(self.players)
