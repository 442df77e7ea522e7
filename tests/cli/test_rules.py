"""`arena rules list` and `arena rules show`: presets and options, good ones and near misses."""

from __future__ import annotations

import json

import pytest

from arena.cli.rulebook.telling import sentences
from referee.rules.book import Rule
from referee.rules.presets import HOEMKE_NAMES, PRESET_NAMES, from_json, players_of, resolve, to_json
from tests.cli.calling import Caller, assert_golden

ODD = (
    *("pass_mode=cycle_give_back", "pass_count=5", "pass_cycle=across,hold", "opening_lead=eldest_lowest_per_suit"),
    *("first_trick_penalty=allowed", "hearts_lead=after_plain_suits_led", "lead_escape=only_hearts_or_qs"),
    *("scoring=two_free_double_jd", "moon_needs_jd=false", "moon_effect=self_minus", "moon_value=52", "target=50"),
    *("max_deals=30", "tie_for_lowest=play_on", "first_dealer=5", "kitty=first_trick_winner", "kitty_view=all"),
    *("players=6", "stripped=2D,3D"),
)


@pytest.mark.parametrize(
    ("golden", "words"),
    [
        ("standard", ["standard"]),
        ("classic-5", ["classic", "--players", "5"]),
        ("cancellation-9", ["cancellation", "--players", "9"]),
        ("hoemke-2431", ["hoemke-2431"]),
        ("hoemke-4114", ["hoemke-4114"]),
        ("odd", ["classic", *(word for text in ODD for word in ("--set", text))]),
    ],
)
def test_a_rule_set_in_plain_words(call: Caller, golden: str, words: list[str]) -> None:
    """Each kind of preset is told in a sentence for each rule that applies, and what is set otherwise is named."""
    called = call("rules", "show", *words)
    assert (called.code, called.err) == (0, "")
    assert_golden(f"rules-show-{golden}.txt", called.out)


def test_every_preset_is_told() -> None:
    """Each, for every number of players, is told in sentences in the order of the book."""
    for preset, players in ((name, players) for name in PRESET_NAMES for players in players_of(name)[0]):
        told = sentences(resolve(preset, players=players))
        assert [rule for rule, _ in told] == sorted(rule for rule, _ in told)
        assert all(not text[0].islower() and text[-1] == "." for _, text in told)


def test_variants_are_told_apart() -> None:
    """No two of the 256 variants are told in the same words."""
    assert len({str(sentences(resolve(name))) for name in HOEMKE_NAMES}) == 256


@pytest.mark.parametrize(
    ("setting", "rule"),
    [
        ({"pass_mode": "none"}, Rule.PASSING),
        ({"pass_cycle": ["hold"]}, Rule.PASSING),
        ({"pass_cycle": ["left"]}, Rule.PASSING),
        ({"pass_mode": "pool"}, Rule.POOL),
        ({"pass_mode": "cycle_give_back"}, Rule.GIVING_BACK),
        ({"opening_lead": "first_plain_two"}, Rule.OPENING_LEAD),
        ({"opening_lead": "eldest_any_nonpenalty", "scoring": "plain_hearts"}, Rule.OPENING_LEAD),
        ({"opening_lead": "show_2c_any_nonscoring", "scoring": "black_lady_jd"}, Rule.OPENING_LEAD),
        ({"stripped": ["2D"], "kitty": "first_trick_winner"}, Rule.KITTY),
        ({"stripped": ["3D", "4D", "5D"], "kitty": "first_trick_winner"}, Rule.KITTY),
        ({"stripped": ["3C", "2C", "4D", "5D"]}, Rule.OPENING_LEAD),
        ({"deals": 1}, Rule.END),
        ({"tie_for_lowest": "play_on"}, Rule.PLACES),
        ({"moon_effect": "self_minus"}, Rule.WHAT_A_MOON_DOES),
        ({"lead_escape": "only_hearts_or_qs"}, Rule.NOTHING_BUT_HEARTS),
        ({"first_dealer": 2}, Rule.DEALER),
    ],
)
def test_an_option_changes_what_its_rule_says(setting: dict[str, object], rule: Rule) -> None:
    """What is set otherwise than in the standard game is told by the rule that it belongs to."""
    standard, other = (dict(sentences(resolve("standard", overrides=each))) for each in ({}, setting))
    assert other.get(rule) != standard.get(rule)


def test_the_whole_rule_set_as_json(call: Caller) -> None:
    """It is what records carry: it can be read again."""
    called = call("rules", "show", "hoemke-2431", "--set", "target=50", "--json")
    rules = json.loads(called.out)
    assert rules == to_json(resolve("hoemke-2431", overrides={"target": 50}))
    assert to_json(from_json(rules)) == rules


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["hoemke-2523"], "did you mean hoemke-2423?"),
        (["hoemke-0009"], "did you mean hoemke-1114?"),
        (["hoemke-22"], "did you mean hoemke-"),
        (["standrd"], "did you mean standard?"),
        (["Classic"], "did you mean classic?"),
        (["bridge"], "standard, classic, cancellation, or hoemke- with four digits"),
        (["classic", "--players", "8"], "3 to 7 with preset classic, or preset cancellation (R2)"),
        (["standard", "--players", "5"], "4 with preset standard, or preset classic (R2)"),
        (["classic", "--players", "12"], "--players"),
        (["classic", "--players", "four"], "--players"),
        (["classic", "--players", "5", "--set", "players=6"], "say different things"),
        (["standard", "--set", "target=abc"], "option target: 'abc' is not allowed; allowed: a number"),
        (["standard", "--set", "target=0"], "at least 1 (R25)"),
        (["standard", "--set", "hart_lead=after_trick_1"], "did you mean hearts_lead?"),
        (["standard", "--set", "hearts_lead=after_trick_2"], "after_trick_1, broken_by_heart"),
        (["standard", "--set", "pass_cycle=left,up"], "left, right, across and hold (R7)"),
        (["classic", "--players", "5", "--set", "pass_cycle=across"], "left, right and hold with 5 players"),
        (["standard", "--set", "stripped=2X"], "a list of different cards"),
        (["standard", "--set", "stripped=QS"], "so not QS (R3)"),
        (["standard", "--set", "target"], "write NAME=VALUE"),
        (["standard", "--set", "target=50", "--set", "target=60"], "given twice"),
        ([], "NAME"),
    ],
)
def test_what_cannot_be_is_an_error_that_helps(call: Caller, words: list[str], told: str) -> None:
    """One line on stderr with the nearest name or with what is allowed, exit code 2, nothing on stdout."""
    called = call("rules", "show", *words)
    assert called.code == 2
    assert called.out == ""
    assert told in called.err
    assert len(called.err.splitlines()) == 1


def test_the_list(call: Caller) -> None:
    """The presets in a line each, and what the digits of the 256 mean."""
    called = call("rules", "list")
    assert called.code == 0
    assert_golden("rules-list.txt", called.out)


def test_the_whole_list(call: Caller) -> None:
    """With --all every variant has a line with what its digits choose."""
    lines = call("rules", "list", "--all").out.splitlines()
    assert [name for name in HOEMKE_NAMES if not any(line.startswith(f"{name} ") for line in lines)] == []
    (line,) = (line for line in lines if line.startswith("hoemke-2431"))
    assert line.split() == ["hoemke-2431", "cycle", "show_2c_any_nonscoring", "after_trick_3", "plain_hearts"]


def test_the_list_as_json(call: Caller) -> None:
    """The 256 are a pattern, or with --all presets like the others, each with its whole rules."""
    short, long = (json.loads(call("rules", "list", "--json", *more).out) for more in ([], ["--all"]))
    assert [preset["preset"] for preset in short["presets"]] == ["standard", "classic", "cancellation"]
    assert short["presets"][1]["players"] == [3, 4, 5, 6, 7]
    assert short["hoemke"]["digits"]["scoring"][3] == "two_free_double_jd"
    assert [preset["preset"] for preset in long["presets"]] == list(PRESET_NAMES)
    assert all(preset["rules"]["preset"] == preset["preset"] for preset in long["presets"])
