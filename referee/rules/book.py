"""The rules by number, as docs/rules.md tells them to players and bot authors.

The document owns the words; here are the numbers that code, errors, rejections and reports cite, and which rule an
option belongs to. A number is never given to another rule: a new one takes the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final


class Rule(IntEnum):
    """One rule of the book; its title there is its name in words."""

    RULE_SETS = 1
    PLAYERS = 2
    PACK = 3
    DEALER = 4
    DEAL = 5
    KITTY = 6
    PASSING = 7
    CARDS_PASSED = 8
    GIVING_BACK = 9
    POOL = 10
    OPENING_LEAD = 11
    TURNS = 12
    OWN_CARDS = 13
    FOLLOWING_SUIT = 14
    FIRST_TRICK = 15
    LEADING_HEARTS = 16
    NOTHING_BUT_HEARTS = 17
    ALWAYS_A_CARD = 18
    WINNING = 19
    EQUAL_CARDS = 20
    TRICKS_NOBODY_WINS = 21
    POINTS = 22
    MOON = 23
    WHAT_A_MOON_DOES = 24
    END = 25
    PLACES = 26
    ANSWERS = 27

    @property
    def label(self) -> str:
        """Return the number as it is cited, e.g. `R14`."""
        return f"R{self.value}"

    @property
    def title(self) -> str:
        """Return the rule's title, e.g. `Following suit`."""
        return self.name.replace("_", " ").capitalize()

    @property
    def link(self) -> str:
        """Return where the rule is told, from the root of the project."""
        return f"docs/rules.md#r{self.value}"


RULE_OF_OPTION: Final[Mapping[str, Rule]] = MappingProxyType(
    {
        "preset": Rule.RULE_SETS,
        "players": Rule.PLAYERS,
        "packs": Rule.PLAYERS,
        "stripped": Rule.PACK,
        "kitty": Rule.KITTY,
        "kitty_view": Rule.KITTY,
        "pass_mode": Rule.PASSING,
        "pass_count": Rule.CARDS_PASSED,
        "give_back": Rule.GIVING_BACK,
        "pass_cycle": Rule.PASSING,
        "opening_lead": Rule.OPENING_LEAD,
        "first_trick_penalty": Rule.FIRST_TRICK,
        "hearts_lead": Rule.LEADING_HEARTS,
        "lead_escape": Rule.NOTHING_BUT_HEARTS,
        "scoring": Rule.POINTS,
        "moon_needs_jd": Rule.MOON,
        "moon_effect": Rule.WHAT_A_MOON_DOES,
        "moon_value": Rule.WHAT_A_MOON_DOES,
        "target": Rule.END,
        "deals": Rule.END,
        "max_deals": Rule.END,
        "tie_for_lowest": Rule.PLACES,
        "first_dealer": Rule.DEALER,
        "cancellation": Rule.EQUAL_CARDS,
    }
)
"""The rule that says what an option means, and what it may be."""


def rule_of_option(name: str) -> Rule:
    """Return the rule that option *name* belongs to; for an option that does not exist, that of rule sets."""
    return RULE_OF_OPTION.get(name, Rule.RULE_SETS)
