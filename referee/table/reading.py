"""Reading the JSON values of a record: what has the wrong shape becomes a problem, never a traceback."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.rules.book import Rule
from referee.rules.cards import Card, UnknownCard, parse_card
from referee.rules.play import Violation

_SHOWN: Final = 60
_HUGE: Final = 10**18

RULES_BY_WORD: Final[Mapping[str, Rule | None]] = MappingProxyType(
    {violation.name: violation.rule for violation in Violation}
    | {
        "DEALER": Rule.DEALER,
        "DIRECTION": Rule.PASSING,
        "FORMAT": None,
        "GAME_OVER": Rule.END,
        "MOON": Rule.WHAT_A_MOON_DOES,
        "NUMBER": None,
        "PACK": Rule.DEAL,
        "PASSES": Rule.PASSING,
        "PLAYS": Rule.TURNS,
        "POINTS": Rule.POINTS,
        "POOL": Rule.POOL,
        "POOL_DEALT": Rule.POOL,
        "RESULT": Rule.PLACES,
        "RETURNS": Rule.GIVING_BACK,
        "RULES": Rule.RULE_SETS,
        "SEATS": Rule.PLAYERS,
        "SOURCES": None,
        "TOTALS": Rule.END,
        "UNFINISHED": Rule.TURNS,
    }
)
"""The words that a problem may have as its rule, with the rule of the book; None where only the format is wrong."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a record: where, which rule, and a sentence. Deals and tricks from 1, seats from 0.

    `rule` is a word of `RULES_BY_WORD`.
    """

    deal: int | None
    trick: int | None
    seat: int | None
    rule: str
    text: str

    @property
    def rule_number(self) -> int | None:
        """Return the number of the rule in the book; None where only the record's format is wrong."""
        rule = RULES_BY_WORD[self.rule]
        return None if rule is None else rule.value

    def __str__(self) -> str:
        places = (("deal", self.deal), ("trick", self.trick), ("seat", self.seat))
        where = ", ".join(f"{name} {number}" for name, number in places if number is not None)
        cited = "" if self.rule_number is None else f" (R{self.rule_number})"
        return f"{where or 'game'}: {self.rule}{cited}: {self.text}"


class Flaw(Exception):
    """A problem found deep in a deal, on its way up to where the deal is known. It stops what it is found in."""

    def __init__(self, rule: str, text: str, *, seat: int | None = None, trick: int | None = None) -> None:
        super().__init__(text)
        self.rule = rule
        self.seat = seat
        self.trick = trick

    def in_deal(self, deal: int | None) -> Problem:
        """Return the problem that this is in *deal*."""
        return Problem(deal, self.trick, self.seat, self.rule, str(self))


def shown(value: object) -> str:
    """Return *value* for a sentence: short, whatever it is."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and not -_HUGE < value < _HUGE:
        return "a huge number"
    text = repr(value[:_SHOWN] if isinstance(value, str) else value)
    return f"{text}..." if isinstance(value, str) and len(value) > _SHOWN else text


def value_at(mapping: Mapping[str, object], key: str) -> object:
    """Return the value of *key*, which must be there."""
    if key not in mapping:
        raise Flaw("FORMAT", f"the key {key} is missing; write null where there is nothing to say")
    return mapping[key]


def mapping_of(value: object, what: str) -> dict[str, object]:
    """Return *value*, which must be an object."""
    if not isinstance(value, dict):
        raise Flaw("FORMAT", f"{what} must be an object, not {shown(value)}")
    return value


def list_of(value: object, what: str, length: int | None = None, seat: int | None = None) -> list[object]:
    """Return *value*, which must be a list, of *length* if one is given."""
    if not isinstance(value, list):
        raise Flaw("FORMAT", f"{what} must be a list, not {shown(value)}", seat=seat)
    if length is not None and len(value) != length:
        raise Flaw("FORMAT", f"{what} must have {length} entries, not {len(value)}", seat=seat)
    return value


def integer_of(value: object, what: str, seat: int | None = None) -> int:
    """Return *value*, which must be a whole number of reasonable size; true and false are none."""
    if not isinstance(value, int) or isinstance(value, bool) or not -_HUGE < value < _HUGE:
        raise Flaw("FORMAT", f"{what} must be a whole number, not {shown(value)}", seat=seat)
    return value


def card_of(value: object, what: str, seat: int | None = None, trick: int | None = None) -> Card:
    """Return the card that *value* names."""
    try:
        return parse_card(value)
    except UnknownCard as error:
        raise Flaw("FORMAT", f"{what}: {shown(error.text)} is not a card", seat=seat, trick=trick) from None


def cards_of_list(value: object, what: str, seat: int | None = None) -> tuple[Card, ...]:
    """Return the cards that the list *value* names."""
    return tuple(card_of(item, what, seat) for item in list_of(value, what, seat=seat))
