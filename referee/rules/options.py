"""The options of a rule set by name: how each is read, and what is allowed.

Two forms come in: JSON values, as in records and overrides, and texts from a command line. `parse` takes the first
and refuses anything of another type; `parse_text` turns the second into the first.
Whether options fit together is not asked here but in `validate`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from referee.rules.cards import Card, UnknownCard, card_name, parse_card
from referee.rules.variant import (
    FirstTrickPenalty,
    HeartsLead,
    KittyUse,
    KittyView,
    LeadEscape,
    MoonEffect,
    OpeningLead,
    PassDirection,
    PassMode,
    Scoring,
    TieForLowest,
    VariantError,
)

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]


MOST: Final = 1_000_000_000
"""The largest number that an option may be: it fits into 32 bits, and whatever is added up of it into 64."""
_DIGITS: Final = re.compile(r"-?[0-9]{1,10}")


class _Refused(ValueError):
    """A value of the wrong type or spelling; the option's own text says what is allowed."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option: how a JSON value becomes a field of the variant and back, and how a text becomes a JSON value."""

    name: str
    allowed: str
    read: Callable[[object], object]
    from_text: Callable[[str], object] = str

    def parse(self, value: object) -> object:
        """Return the field that *value* stands for; raise `VariantError` if it stands for none."""
        try:
            return self.read(value)
        except _Refused:
            raise VariantError(self.name, value, self.allowed) from None

    def parse_text(self, text: str) -> object:
        """Return the field that *text*, as typed on a command line, stands for; raise `VariantError` likewise."""
        try:
            return self.read(self.from_text(text))
        except ValueError:
            raise VariantError(self.name, text, self.allowed) from None


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not -MOST <= value <= MOST:
        raise _Refused
    return value


def _integer_text(text: str) -> int:
    if _DIGITS.fullmatch(text) is None:  # `int` would take digits of every script, blanks and underscores
        raise _Refused
    return int(text)


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Refused
    return value


def _flag_text(text: str) -> bool:
    if text not in ("true", "false"):
        raise _Refused
    return text == "true"


def _integer_or_null(value: object) -> int | None:
    return None if value is None else _integer(value)


def _integer_or_null_text(text: str) -> int | None:
    return None if text == "null" else _integer_text(text)


def _dealer(value: object) -> int | None:
    return None if value == "seed" else _integer(value)


def _dealer_text(text: str) -> object:
    return text if text == "seed" else _integer_text(text)


def _items(value: object) -> list[object]:
    if not isinstance(value, list | tuple):
        raise _Refused
    return list(value)


def _list_text(text: str) -> list[str]:
    return [] if text in ("", "none") else text.replace(",", " ").split()


def _card(value: object) -> Card:
    try:
        return parse_card(value)
    except UnknownCard:
        raise _Refused from None


def _cards(value: object) -> tuple[Card, ...]:
    cards = [_card(item) for item in _items(value)]
    if len(set(cards)) < len(cards):
        raise _Refused
    return tuple(sorted(cards))


_CYCLE: Final = (PassDirection.LEFT, PassDirection.RIGHT, PassDirection.ACROSS, PassDirection.HOLD)


def _cycle(value: object) -> tuple[PassDirection, ...]:
    directions = tuple(direction for item in _items(value) for direction in _CYCLE if direction == item)
    if not directions or len(directions) < len(_items(value)):
        raise _Refused
    return directions


def _choice(name: str, values: type[StrEnum]) -> Option:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in set(values):
            raise _Refused
        return values(value)

    return Option(name, ", ".join(values), read)


_OPTIONS: Final = (
    Option("players", "3 to 7 with one pack, 6 to 11 with two", _integer, _integer_text),
    Option("packs", "1, 2", _integer, _integer_text),
    Option("stripped", "a list of different cards, such as [2D, 2C]", _cards, _list_text),
    _choice("kitty", KittyUse),
    _choice("kitty_view", KittyView),
    _choice("pass_mode", PassMode),
    Option("pass_count", "a number from 1 to the hand size", _integer, _integer_text),
    Option("give_back", "1 with pass_mode cycle_give_back, else 0", _integer, _integer_text),
    Option("pass_cycle", "a list, not empty, of left, right, across and hold", _cycle, _list_text),
    _choice("opening_lead", OpeningLead),
    _choice("first_trick_penalty", FirstTrickPenalty),
    _choice("hearts_lead", HeartsLead),
    _choice("lead_escape", LeadEscape),
    _choice("scoring", Scoring),
    Option("moon_needs_jd", "true, false", _flag, _flag_text),
    _choice("moon_effect", MoonEffect),
    Option("moon_value", f"a number from 0 to {MOST}", _integer, _integer_text),
    Option("target", f"a number from 1 to {MOST}, or null where deals is set", _integer_or_null, _integer_or_null_text),
    Option("deals", f"a number from 1 to {MOST}, or null where target is set", _integer_or_null, _integer_or_null_text),
    Option("max_deals", f"a number from 1 to {MOST}", _integer, _integer_text),
    _choice("tie_for_lowest", TieForLowest),
    Option("first_dealer", 'a seat, or "seed"', _dealer, _dealer_text),
    Option("cancellation", "true, false", _flag, _flag_text),
)

OPTIONS: Final[Mapping[str, Option]] = MappingProxyType({option.name: option for option in _OPTIONS})
"""All options, in the order of the rule book."""


def option_named(name: str, value: object = None) -> Option:
    """Return the option called *name*; raise `VariantError`, with the nearest name that exists, if there is none."""
    option = OPTIONS.get(name)
    if option is None:
        near = get_close_matches(name, OPTIONS, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise VariantError(name, value, f"an option that exists; {hint}the options are {', '.join(OPTIONS)}")
    return option


def parse_override(text: str) -> tuple[str, JSON]:
    """Return name and JSON value of an override typed as `name=value`, lists with commas; raise `VariantError`."""
    name, equals, value = text.partition("=")
    if not equals:
        raise VariantError(name, None, "an override is written name=value, for example target=50")
    option = option_named(name, value)
    return name, to_json_value(name, option.parse_text(value))


def to_json_value(name: str, field: object) -> JSON:
    """Return the JSON value of the option *name* whose field in the variant is *field*."""
    if name == "first_dealer" and field is None:
        return "seed"
    if isinstance(field, tuple):
        return [card_name(item) if name == "stripped" else str(item) for item in field]
    if isinstance(field, StrEnum):
        return field.value
    assert field is None or isinstance(field, int)  # noqa: S101 - every other field is a number, a flag or null
    return field
