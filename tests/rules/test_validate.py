"""Rule sets that cannot be played are refused by option, value and what would do instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from hypothesis import given, settings

from referee.rules.options import MOST, OPTIONS, parse_override
from referee.rules.presets import resolve
from referee.rules.validate import complaints
from referee.rules.variant import Variant, VariantError
from tests.rules.strategies import variants

TWO_PACKS: Mapping[str, object] = {"packs": 2, "kitty": "first_trick_winner", "cancellation": True, "stripped": []}


@pytest.mark.parametrize(
    ("preset", "players", "overrides", "option"),
    [
        pytest.param("classic", 8, {}, "players", id="t06-one-pack-for-eight"),
        pytest.param("cancellation", 5, {}, "players", id="t06-two-packs-for-five"),
        pytest.param("cancellation", 12, {}, "players", id="t06-two-packs-for-twelve"),
        pytest.param("classic", 5, {"pass_cycle": ["left", "across"]}, "pass_cycle", id="t06-across-with-five"),
        pytest.param("hoemke-2223", 5, {}, "players", id="t06-hoemke-for-five"),
        pytest.param("classic", 4, {"cancellation": True}, "cancellation", id="t06-cancellation-with-one-pack"),
        pytest.param("cancellation", 6, {"cancellation": False}, "cancellation", id="two-packs-without-cancellation"),
        pytest.param("standard", 4, {"packs": 3}, "packs", id="three-packs"),
        pytest.param("standard", 4, {"packs": 2}, "players", id="two-packs-for-four"),
        pytest.param("standard", 4, {"players": 5}, "players", id="players-twice"),
        pytest.param("classic", 5, {"stripped": []}, "kitty", id="a-pack-that-does-not-divide"),
        pytest.param("cancellation", 6, {"kitty": "none"}, "kitty", id="two-packs-that-do-not-divide"),
        pytest.param("standard", 4, {"stripped": ["QS", "2C", "2D", "3C"]}, "stripped", id="queen-stripped"),
        pytest.param("classic", 3, {"stripped": ["2H"]}, "stripped", id="heart-stripped"),
        pytest.param(
            "standard",
            4,
            {"scoring": "black_lady_jd", "stripped": ["JD", "2C", "2D", "3C"]},
            "stripped",
            id="jack-stripped-where-it-counts",
        ),
        pytest.param("standard", 4, {"pass_count": 0}, "pass_count", id="no-card-passed"),
        pytest.param("standard", 4, {"pass_count": 14}, "pass_count", id="more-than-a-hand-passed"),
        pytest.param("standard", 4, {"give_back": 1}, "give_back", id="give-back-without-the-mode"),
        pytest.param("hoemke-3223", 4, {"give_back": 0}, "give_back", id="the-mode-without-give-back"),
        pytest.param("hoemke-3223", 4, {"give_back": 2}, "give_back", id="two-given-back"),
        pytest.param("classic", 6, {**TWO_PACKS}, "opening_lead", id="low-club-with-two-packs"),
        pytest.param("cancellation", 6, {"opening_lead": "first_plain_two"}, "opening_lead", id="two-with-two-packs"),
        pytest.param(
            "cancellation", 6, {"opening_lead": "show_2c_any_nonscoring"}, "opening_lead", id="show-with-two-packs"
        ),
        pytest.param("classic", 5, {"opening_lead": "show_2c_any_nonscoring"}, "opening_lead", id="shown-card-gone"),
        pytest.param("classic", 3, {"opening_lead": "first_plain_two"}, "opening_lead", id="a-plain-two-gone"),
        pytest.param(
            "classic",
            3,
            {"stripped": [rank + "C" for rank in "23456789TJQKA"]},
            "opening_lead",
            id="no-club-to-open-with",
        ),
        pytest.param(
            "classic",
            5,
            {"stripped": [], "kitty": "first_trick_winner", "opening_lead": "show_2c_any_nonscoring"},
            "opening_lead",
            id="shown-card-may-lie-in-the-kitty",
        ),
        pytest.param(
            "classic",
            3,
            {"stripped": [], "kitty": "first_trick_winner", "opening_lead": "show_2c_any_nonscoring"},
            "opening_lead",
            id="shown-card-may-be-the-whole-kitty",
        ),
        pytest.param(
            "classic",
            7,
            {"stripped": [], "kitty": "first_trick_winner", "opening_lead": "first_plain_two"},
            "opening_lead",
            id="all-plain-twos-may-lie-in-the-kitty",
        ),
        pytest.param("standard", 4, {"target": 0}, "target", id="target-nought"),
        pytest.param("standard", 4, {"deals": 0}, "deals", id="no-deals"),
        pytest.param("standard", 4, {"max_deals": 0}, "max_deals", id="no-deals-at-most"),
        pytest.param("standard", 4, {"target": None}, "target", id="neither-target-nor-deals"),
        pytest.param("standard", 4, {"target": 5, "deals": 5}, "target", id="both-target-and-deals"),
        pytest.param("standard", 4, {"moon_value": -1}, "moon_value", id="moon-below-nought"),
        pytest.param("standard", 4, {"first_dealer": 4}, "first_dealer", id="dealer-who-has-no-seat"),
        pytest.param("standard", 4, {"first_dealer": -1}, "first_dealer", id="dealer-below-nought"),
        pytest.param("standard", 4, {"scoring": "pink_lady"}, "scoring", id="unknown-value"),
        pytest.param("standard", 4, {"scoring": None}, "scoring", id="null-where-there-is-none"),
        pytest.param("standard", 4, {"target": "100"}, "target", id="text-for-a-number"),
        pytest.param("standard", 4, {"pass_count": True}, "pass_count", id="flag-for-a-number"),
        pytest.param("standard", 4, {"moon_needs_jd": 1}, "moon_needs_jd", id="number-for-a-flag"),
        pytest.param("standard", 4, {"pass_cycle": []}, "pass_cycle", id="empty-cycle"),
        pytest.param("standard", 4, {"pass_cycle": ["left", "pool"]}, "pass_cycle", id="pool-in-a-cycle"),
        pytest.param("standard", 4, {"pass_cycle": "left"}, "pass_cycle", id="text-for-a-list"),
        pytest.param("standard", 4, {"stripped": ["2C", "2C"]}, "stripped", id="stripped-twice"),
        pytest.param("standard", 4, {"stripped": ["1C"]}, "stripped", id="stripped-no-card"),
        pytest.param("standard", 4, {"hearts": True}, "hearts", id="unknown-option"),
        pytest.param("standard", 4, {"moon_value": MOST + 1}, "moon_value", id="huge-moon"),
        pytest.param("standard", 4, {"target": 10**30}, "target", id="huge-target"),
        pytest.param("standard", 4, {"deals": MOST + 1}, "deals", id="huge-deals"),
        pytest.param("standard", 4, {"max_deals": -(10**30)}, "max_deals", id="hugely-below-nought"),
        pytest.param("standard", 4, {"first_dealer": 10**30}, "first_dealer", id="huge-dealer"),
    ],
)
def test_refused(preset: str, players: int, overrides: Mapping[str, object], option: str) -> None:
    """The error names the option and what is allowed, in words."""
    with pytest.raises(VariantError) as caught:
        resolve(preset, players=players, overrides=overrides)
    assert caught.value.option == option
    assert str(caught.value).startswith(f"option {option}: ")
    assert " is not allowed; allowed: " in str(caught.value)
    assert caught.value.allowed


def test_allowed_where_it_looks_odd() -> None:
    """What does not count may be stripped, a kitty may be empty, and house rules may be combined."""
    resolve("standard", overrides={"scoring": "plain_hearts", "stripped": ["QS", "2C", "2D", "3C"]})
    resolve("standard", overrides={"kitty": "first_trick_winner"})
    resolve("classic", players=5, overrides={"stripped": [], "kitty": "first_trick_winner"})
    twos = {"stripped": [], "kitty": "first_trick_winner", "opening_lead": "first_plain_two"}
    resolve("classic", players=5, overrides=twos)
    resolve("classic", players=6, overrides={**TWO_PACKS, "opening_lead": "eldest_lowest_plain"})


@settings(deadline=None)
@given(variants())
def test_a_resolved_variant_has_nothing_to_complain_about(variant: Variant) -> None:
    """Whatever is resolved is playable."""
    assert list(complaints(variant)) == []


def test_all_that_is_wrong_can_be_had_at_once() -> None:
    """Every complaint is told, the most basic first, and none hides those after it."""
    wrong = replace(resolve("standard"), packs=3, pass_count=0, moon_value=-1, max_deals=0, first_dealer=4)
    options = [complaint.option for complaint in complaints(wrong)]
    assert options == ["packs", "pass_count", "moon_value", "max_deals", "first_dealer"]


CLUBS_BUT_ACE = [rank + "C" for rank in "23456789TJQK"]


def test_limits_are_exact_and_told_exactly() -> None:
    """Players for one pack and for two, and clubs enough that one is dealt for sure."""
    for players, overrides, allowed in (
        (5, TWO_PACKS, "6 to 11 with two packs"),
        (3, TWO_PACKS, "6 to 11 with two packs"),
        (8, {"packs": 1, "cancellation": False}, "3 to 7 with one pack"),
    ):
        with pytest.raises(VariantError) as refusal:
            resolve("classic" if players < 6 else "cancellation", players=players, overrides=overrides)
        assert (refusal.value.option, refusal.value.allowed) == ("players", allowed)
    ace = resolve("standard", overrides={"stripped": CLUBS_BUT_ACE})
    assert (ace.hand_size, ace.kitty_size) == (10, 0)
    two_clubs = {"stripped": CLUBS_BUT_ACE[:-1], "kitty": "first_trick_winner"}
    assert resolve("standard", overrides=two_clubs).kitty_size == 1
    with pytest.raises(VariantError, match="opening_lead"):
        resolve("standard", overrides={"stripped": [*CLUBS_BUT_ACE, "2D"], "kitty": "first_trick_winner"})


EXACTLY: list[tuple[Mapping[str, object], str]] = [
    ({"packs": 3}, "option packs: 3 is not allowed; allowed: 1, 2"),
    ({"cancellation": True}, "option cancellation: True is not allowed; allowed: true with two packs, false with one"),
    ({"stripped": ["QS", "2C", "2H"]}, "no scoring card of black_lady, so not QS, 2H"),
    ({"stripped": ["2D"]}, "first_trick_winner, or a pack that divides: 51 cards among 4 players leave 3 over"),
    ({"pass_count": 14}, "allowed: 1 to 13, the hand size"),
    ({"give_back": 1}, "allowed: 0 with pass_mode cycle"),
    (
        {"opening_lead": "first_plain_two", "stripped": ["2C", "3C", "2D", "3D"]},
        "lead without 2C, 2D, which is stripped",
    ),
    (
        {"opening_lead": "first_plain_two", "stripped": ["3C"], "kitty": "first_trick_winner"},
        "lead without 2C, which the",
    ),
    (
        {"opening_lead": "show_2c_any_nonscoring", "stripped": ["3C", "4C", "5C"], "kitty": "first_trick_winner"},
        "kitty may",
    ),
    ({"moon_value": -1}, "option moon_value: -1 is not allowed; allowed: at least 0"),
    ({"max_deals": 0}, "option max_deals: 0 is not allowed; allowed: at least 1"),
    ({"first_dealer": 4}, 'option first_dealer: 4 is not allowed; allowed: a seat from 0 to 3, or "seed"'),
]


@pytest.mark.parametrize(("overrides", "text"), EXACTLY)
def test_a_refusal_says_exactly_what_is_allowed(overrides: Mapping[str, object], text: str) -> None:
    """Numbers and cards in the sentence are those of this rule set."""
    with pytest.raises(VariantError) as refusal:
        resolve("standard", overrides=overrides)
    assert text in str(refusal.value)


def test_the_least_that_is_allowed() -> None:
    """A moon worth nothing, a target and a number of deals of one, the last seat as dealer, a whole hand passed."""
    least = {"moon_value": 0, "target": 1, "max_deals": 1, "first_dealer": 3, "pass_count": 13}
    variant = resolve("standard", overrides=least)
    assert (variant.moon_value, variant.target, variant.first_dealer) == (0, 1, 3)
    assert resolve("standard", overrides={"deals": 1, "first_dealer": 0, "pass_count": 1}).deals == 1


@pytest.mark.parametrize("name", ["players", "packs", "pass_count", "give_back", "moon_value", "target", "max_deals"])
@pytest.mark.parametrize(
    "text", ["", " 4", "4 ", "+4", "4_0", "4.0", "4e0", "0x4", "\u0664", "\uff14", "\u00b2", "--4", "4\n"]
)
def test_numbers_are_written_in_plain_digits(name: str, text: str) -> None:
    """What only Python takes for a number is none: another reader of the same text would differ."""
    for option in (name, "first_dealer", "deals"):
        with pytest.raises(VariantError):
            parse_override(f"{option}={text}")
    assert parse_override(f"{name}=4") == (name, 4)


@pytest.mark.parametrize(
    "value", ["x" * 10**6, ["lift"] * 10**6, [[[[[[[["left"]]]]]]]], {"a": ["b"] * 10**6}, 10**3000, "\x1b]0;x\x07\n"]
)
def test_a_refusal_is_short_and_printable(value: object) -> None:
    """Whatever the value or the name of an option: it may come from a file, and goes to a terminal."""
    for overrides in ({"pass_cycle": value}, {str(value)[: 10**6]: 1}):
        with pytest.raises(VariantError) as refusal:
            resolve("standard", overrides=overrides)
        assert len(str(refusal.value)) < 1000
        assert str(refusal.value).isprintable()


def test_a_refusal_shows_as_much_as_it_says() -> None:
    """Of a list so many cards as a suit has, of a text or a name 80 letters."""
    for value, shown in (
        (["lift"] * 13, str(["lift"] * 13)),
        (["lift"] * 14, str(["lift"] * 13)[:-1] + ", ...]"),
        ("x" * 78, repr("x" * 78)),
        ("x" * 79, f"'{'x' * 37}...{'x' * 38}'"),
    ):
        with pytest.raises(VariantError, match=f"^option pass_cycle: {re.escape(shown)} is not allowed"):
            resolve("standard", overrides={"pass_cycle": value})
    for name, shown in (("x" * 79, "x" * 79), ("x" * 80, f"'{'x' * 37}...{'x' * 38}'")):
        with pytest.raises(VariantError, match=f"^option {re.escape(shown)}: "):
            resolve("standard", overrides={name: 1})


@pytest.mark.parametrize("name", ["players", "moon_value", "target", "deals", "max_deals"])
def test_numbers_end_at_a_thousand_million(name: str) -> None:
    """So that they fit into 32 bits, with either sign, and their sums into 64."""
    for most in (1_000_000_000, -1_000_000_000):
        assert OPTIONS[name].parse(most) == most
        with pytest.raises(VariantError):
            OPTIONS[name].parse(most + (1 if most > 0 else -1))
