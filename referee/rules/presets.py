"""Named rule sets, and rule sets as text.

A preset gives every option a value, given the number of players; overrides replace some of them by name; the result
is checked and complete. What is written out always holds every option, so that no reader needs this table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from hashlib import sha256
from itertools import product
from types import MappingProxyType
from typing import Any, Final

from referee.rules.options import JSON, OPTIONS, option_named, to_json_value
from referee.rules.validate import validate
from referee.rules.variant import PassMode, Variant, VariantError

Options = dict[str, JSON]

_STANDARD: Final[Mapping[str, JSON]] = MappingProxyType(
    {
        "packs": 1,
        "stripped": [],
        "kitty": "none",
        "kitty_view": "taker",
        "pass_mode": "cycle",
        "pass_cycle": ["left", "right", "across", "hold"],
        "opening_lead": "low_club",
        "first_trick_penalty": "barred_unless_forced",
        "hearts_lead": "broken_by_heart",
        "lead_escape": "only_hearts",
        "scoring": "black_lady",
        "moon_needs_jd": True,
        "moon_effect": "others_plus",
        "moon_value": 26,
        "target": 100,
        "deals": None,
        "max_deals": 200,
        "tie_for_lowest": "shared_win",
        "first_dealer": "seed",
        "cancellation": False,
    }
)

_STRIPPED: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {3: ("2D",), 5: ("2D", "2C"), 6: ("2D", "3D", "3C", "4C"), 7: ("2D", "3D", "3C")}
)

_HOEMKE: Final = re.compile(r"hoemke-([1-4])([1-4])([1-4])([1-4])")
HOEMKE_CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "pass_mode": ("none", "cycle", "cycle_give_back", "pool"),
        "opening_lead": ("eldest_lowest_plain", "low_club", "first_plain_two", "show_2c_any_nonscoring"),
        "hearts_lead": ("after_trick_1", "broken_by_heart", "after_trick_3", "after_plain_suits_led"),
        "scoring": ("plain_hearts", "honours_5", "black_lady_jd", "two_free_double_jd"),
    }
)
"""The options that the four digits of `hoemke-PLHS` choose, in order, each with its values for 1 to 4."""

HOEMKE_NAMES: Final = tuple("hoemke-" + "".join(digits) for digits in product("1234", repeat=4))
PRESET_NAMES: Final = ("standard", "classic", "cancellation", *HOEMKE_NAMES)


def _standard(players: int) -> Options:
    return {**_STANDARD, "players": players}


def _classic(players: int) -> Options:
    cycle: list[JSON] = ["left", "right", "across", "hold"] if players == 4 else ["left", "right"]
    return {
        **_standard(players),
        "stripped": list(_STRIPPED.get(players, ())),
        "pass_cycle": cycle,
        "hearts_lead": "broken_by_heart_or_qs",
        "moon_effect": "shooter_choice",
    }


def _cancellation(players: int) -> Options:
    return {
        **_standard(players),
        "packs": 2,
        "kitty": "first_trick_winner",
        "pass_cycle": ["left", "right"],
        "opening_lead": "eldest_any_nonpenalty",
        "first_trick_penalty": "allowed",
        "hearts_lead": "broken_by_heart_or_qs",
        "moon_effect": "shooter_choice",
        "target": 150,
        "cancellation": True,
    }


def _hoemke(digits: tuple[str, ...]) -> Callable[[int], Options]:
    chosen = zip(HOEMKE_CHOICES.items(), digits, strict=True)
    options = {name: values[int(digit) - 1] for (name, values), digit in chosen}
    return lambda players: {**_standard(players), **options}


def _preset(name: str) -> tuple[range, int, Callable[[int], Options]]:
    """Return the numbers of players that preset *name* takes, the usual one, and its options by number of players."""
    match name:
        case "standard":
            return range(4, 5), 4, _standard
        case "classic":
            return range(3, 8), 4, _classic
        case "cancellation":
            return range(6, 12), 8, _cancellation
    digits = _HOEMKE.fullmatch(name)
    if digits is not None:
        return range(4, 5), 4, _hoemke(digits.groups())
    near = _nearest(name)
    hint = f"did you mean {near}? " if near else ""
    allowed = "standard, classic, cancellation, or hoemke- with four digits 1 to 4, as in hoemke-2223"
    raise VariantError("preset", name, hint + allowed)


def _nearest(name: str) -> str | None:
    """Return the preset that *name* was probably meant to be: of four digits, each that does not exist put right."""
    digits = re.fullmatch(r"hoemke-([0-9]{4})", name)
    if digits is not None:
        return "hoemke-" + "".join(min(max(digit, "1"), "4") for digit in digits[1])
    near = get_close_matches(name, PRESET_NAMES, n=1, cutoff=0.4)
    return near[0] if near else None


def players_of(preset: str) -> tuple[range, int]:
    """Return the numbers of players that *preset* takes, and the usual one; raise `VariantError` if there is none."""
    seats, usual, _ = _preset(preset)
    return seats, usual


def resolve(
    preset: str, *, players: int | None = None, overrides: Mapping[str, object] = MappingProxyType({})
) -> Variant:
    """Return the rule set of *preset* for *players*, with *overrides* by option name, JSON values.

    Without a number of players the preset's usual one is taken: 4, or 8 for `cancellation`. `pass_count` and
    `give_back` not given follow `pass_mode`; setting one of `target` and `deals` sets the other to null unless it is
    given too. Raises `VariantError` for an unknown name or value, and for what cannot be played.
    """
    given = {name: option_named(name, value).parse(value) for name, value in overrides.items()}
    seats, usual, options_for = _preset(preset)
    if players is not None and given.setdefault("players", players) != players:
        raise VariantError("players", overrides["players"], f"{players}, which was given beside it")
    number = given.get("players", usual)
    if not isinstance(number, int) or number not in seats:
        allowed = str(seats.start) if len(seats) == 1 else f"{seats.start} to {seats.stop - 1}"
        others = [name for name in ("standard", "classic", "cancellation") if number in players_of(name)[0]]
        hint = f", or preset {' or '.join(others)}" if others else ""
        raise VariantError("players", number, f"{allowed} with preset {preset}{hint}")
    fields: dict[str, Any] = {name: OPTIONS[name].parse(value) for name, value in options_for(number).items()}
    for one, other in (("target", "deals"), ("deals", "target")):
        if given.get(one) is not None and other not in given:
            fields[other] = None
    fields |= given
    gives_back = fields["pass_mode"] is PassMode.CYCLE_GIVE_BACK
    fields = {"pass_count": 4 if gives_back else 3, "give_back": int(gives_back)} | fields
    variant = Variant(preset=preset, **fields)
    validate(variant)
    return variant


def to_json(variant: Variant) -> dict[str, JSON]:
    """Return the whole rule set: `preset` and every option by name."""
    return {"preset": variant.preset} | {name: to_json_value(name, getattr(variant, name)) for name in OPTIONS}


def from_json(rules: Mapping[str, object]) -> Variant:
    """Return the rule set that *rules* describes; options it leaves out are the preset's. Raises `VariantError`."""
    preset = rules.get("preset")
    if not isinstance(preset, str):
        raise VariantError("preset", preset, "the name of a preset, which every rule set must give")
    return resolve(preset, overrides={name: value for name, value in rules.items() if name != "preset"})


def canonical_rules(variant: Variant) -> bytes:
    """Return the one text of a rule set: JSON in ASCII, keys sorted, no white space."""
    return json.dumps(to_json(variant), sort_keys=True, separators=(",", ":")).encode("ascii")


def rules_digest(variant: Variant) -> str:
    """Return the SHA-256 of the canonical text, in hexadecimal: the rule set's name in the deal procedure."""
    return sha256(canonical_rules(variant)).hexdigest()
