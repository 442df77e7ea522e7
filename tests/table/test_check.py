"""Adjudication of records: nothing wrong in true ones, everything wrong found where it is, and never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from referee.rules.variant import Variant
from referee.table.adjudicate import Decision
from referee.table.check import check, check_bytes, legal_line, log_of
from referee.table.reading import Problem
from referee.table.record import NotARecord, encode, record_of_log
from tests.table.players import ALL_KINDS, decide, random_game, rules, source_of, supply, table_with

Record = dict[str, Any]


def record_of(variant: Variant, seed: int = 1, *, decisions: int | None = None, cancelled: bool = False) -> Record:
    """Return the record of a random game, as JSON values."""
    table = random_game(variant, seed, decisions=decisions)
    names = [f"bot {seat}" for seat in range(table.players)]
    record: Record = json.loads(encode(record_of_log(variant, names, table.log, cancelled=cancelled)))
    return record


def where(problems: list[Problem]) -> list[tuple[int | None, int | None, int | None, str]]:
    """Return place and rule of each problem."""
    return [(problem.deal, problem.trick, problem.seat, problem.rule) for problem in problems]


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_true_records_have_no_problem(preset: str, players: int) -> None:
    """Finished, running and cancelled games pass, wherever they stop."""
    variant = rules(preset, players, deals=3)
    for seed in range(3):
        assert check(record_of(variant, seed)) == []
    for decisions in (1, players, players + 1, 2 * players + 1, 100):
        assert check(record_of(variant, decisions=decisions)) == []
        assert check(record_of(variant, decisions=decisions, cancelled=True)) == []


def test_games_to_a_target_and_later_first_deals_pass() -> None:
    """A game to 100 passes; so does a record that begins with deal 3."""
    assert check(record_of(rules())) == []
    table = table_with(rules(deals=2), {}, number=3, dealer=2)
    while not table.over:
        if not supply(table, source_of(table.variant, 1)):
            decide(table)
    assert check(record_of_log(table.variant, list("abcd"), table.log)) == []


def test_a_record_without_a_deal_passes() -> None:
    """A game that was cancelled before its first deal, or has not begun."""
    record = record_of(rules(deals=1))
    record["deals"] = []
    record["result"] = {"places": None, "winners": None, "termination": "cancelled"}
    assert check(record) == []
    del record["result"]
    assert check(record) == []


def swap_plays(record: Record) -> None:
    """Let the leader of trick five of deal 2 play what follows."""
    plays = record["deals"][1]["plays"]
    plays[16], plays[17] = plays[17], plays[16]


def set_at(*path: str | int, to: object) -> Callable[[Record], None]:
    """Return a change that writes *to* at *path*."""

    def change(record: Record) -> None:
        value: Any = record
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] = to

    return change


def bump(*path: str | int) -> Callable[[Record], None]:
    """Return a change that adds one at *path*."""

    def change(record: Record) -> None:
        value: Any = record
        for key in path[:-1]:
            value = value[key]
        value[path[-1]] += 1

    return change


TAMPERED: list[tuple[Callable[[Record], None], list[tuple[int | None, int | None, int | None, str]]]] = [
    (bump("deals", 1, "points", 2), [(2, None, 2, "POINTS")]),
    (bump("deals", 0, "totals", 3), [(1, None, 3, "TOTALS")]),
    (set_at("deals", 0, "points", to=None), [(1, None, None, "POINTS")]),
    (set_at("deals", 0, "points", 1, to=1.5), [(1, None, 1, "FORMAT")]),
    (set_at("deals", 2, "moon", to="others_plus"), [(3, None, None, "MOON")]),
    (set_at("deals", 1, "direction", to="left"), [(2, None, None, "DIRECTION")]),
    (bump("deals", 1, "number"), [(2, None, None, "NUMBER")]),
    (set_at("deals", 1, "dealer", to=9), [(2, None, None, "DEALER")]),
    (set_at("deals", 1, "dealer", to=True), [(2, None, None, "DEALER")]),
    (set_at("deals", 0, "dealer", to=4), [(None, None, None, "DEALER")]),
    (set_at("deals", 0, "hands", 2, 0, to="XX"), [(1, None, 2, "FORMAT")]),
    (set_at("deals", 0, "kitty", to=["2C"]), [(1, None, None, "PACK")]),
    (set_at("deals", 1, "passes", 3, to=["2C"]), [(2, None, 3, "WRONG_NUMBER_OF_CARDS")]),
    (set_at("deals", 1, "returns", to=["2C"] * 4), [(2, None, None, "RETURNS")]),
    (set_at("deals", 1, "pool_dealt", to=[]), [(2, None, None, "POOL_DEALT")]),
    (set_at("deals", 0, "plays", 9, to="ZZ"), [(1, 3, -1, "FORMAT")]),
    (set_at("deals", 1, "plays", to=[]), [(2, None, None, "POINTS")]),
    (set_at("result", "places", to=[1, 1, 1, 1]), [(None, None, None, "RESULT")]),
    (set_at("result", "winners", to=[]), [(None, None, None, "RESULT")]),
    (set_at("result", "termination", to="target"), [(None, None, None, "RESULT")]),
    (set_at("format", to="chess"), [(None, None, None, "FORMAT")]),
    (set_at("version", to=2), [(None, None, None, "FORMAT")]),
    (set_at("rules", "players", to=9), [(None, None, None, "RULES")]),
    (set_at("rules", "colour", to="red"), [(None, None, None, "RULES")]),
    (set_at("rules", to=[]), [(None, None, None, "FORMAT")]),
    (set_at("seats", to=["a", "b"]), [(None, None, None, "SEATS")]),
    (set_at("seats", to=["a", "b", "c", 4]), [(None, None, None, "SEATS")]),
    (set_at("versions", to=["1"]), [(None, None, None, "SEATS")]),
    (set_at("deals", 0, "sources", to={"plays": ["bot"]}), [(1, None, None, "FORMAT")]),
    (set_at("deals", 0, "sources", to={"moon": "luck"}), [(1, None, None, "SOURCES")]),
    (set_at("deals", 0, to=7), [(None, None, None, "FORMAT")]),
]


@pytest.mark.parametrize(("change", "found"), TAMPERED, ids=range(len(TAMPERED)))
def test_what_is_tampered_with_is_found_where_it_is(
    change: Callable[[Record], None], found: list[tuple[int | None, int | None, int | None, str]]
) -> None:
    """One change, one problem (or the first of several), with deal, trick and seat."""
    record = record_of(rules(deals=3))
    assert all(deal["moon"] is None for deal in record["deals"])
    change(record)
    problems = where(check(record))
    assert problems
    (deal, trick, seat, rule), want = problems[0], found[0]
    assert (deal, trick, rule) == (want[0], want[1], want[3])
    assert seat == want[2] or want[2] == -1


def test_a_change_in_one_place_gives_one_problem() -> None:
    """Changed points, totals, directions, numbers and places do not drag others along."""
    for change, found in TAMPERED:
        if found[0][3] in ("TOTALS", "DIRECTION", "NUMBER", "DEALER", "RESULT", "MOON") and found[0][2] != -1:
            record = record_of(rules(deals=3))
            change(record)
            assert where(check(record)) == found


def test_a_card_held_twice_is_found_at_its_second_holder() -> None:
    """A hand that copies a card of another is short of the pack."""
    record = record_of(rules(deals=1))
    hands = record["deals"][0]["hands"]
    hands[2][0] = hands[1][5]
    assert where(check(record)) == [(1, None, 2, "PACK")]


def test_every_play_that_breaks_a_rule_is_found_at_its_trick_and_seat() -> None:
    """Each play of a deal replaced by a card that the seat may not play: found at that trick and seat, by its rule."""
    variant = rules(deals=1)
    record = record_of(variant)
    plays = record["deals"][0]["plays"]
    decisions: list[Decision] = []
    assert check(record, decisions.append) == []
    turns = [decision for decision in decisions if decision.kind == "play"]
    pack = sorted(plays)
    for index, turn in enumerate(turns):
        assert turn.legal is not None
        wrong = deepcopy(record)
        wrong["deals"][0]["plays"][index] = next(name for name in pack if name not in turn.legal)
        problem = check(wrong)[0]
        assert (problem.deal, problem.trick, problem.seat) == (1, index // 4 + 1, turn.seat)
        assert problem.rule in (
            "OPENING_LEAD",
            "NOT_IN_HAND",
            "MUST_FOLLOW_SUIT",
            "NO_PENALTY_ON_FIRST_TRICK",
            "HEARTS_CLOSED",
        )


def test_plays_that_break_off_make_a_deal_that_is_not_over() -> None:
    """A deal cut in mid-play that claims points, or is followed by another, is wrong."""
    record = record_of(rules(deals=3))
    del record["deals"][1]["plays"][30:]
    assert [rule for _, _, _, rule in where(check(record))][:3] == ["POINTS", "TOTALS", "UNFINISHED"]


def test_plays_after_the_last_trick_are_wrong() -> None:
    """The fifty-third card is no play."""
    record = record_of(rules(deals=1))
    record["deals"][0]["plays"].append("2C")
    assert where(check(record)) == [(1, None, None, "PLAYS")]


def test_a_broken_deal_does_not_hide_the_next() -> None:
    """An illegal play in deal 1 and wrong points in deal 3 are both found; the result is not judged on sand."""
    record = record_of(rules(deals=3))
    record["deals"][0]["plays"][20] = record["deals"][0]["plays"][0]
    record["deals"][2]["points"][0] += 1
    assert where(check(record)) == [(1, 6, check(record)[0].seat, "NOT_IN_HAND"), (3, None, 0, "POINTS")]
    record["deals"][0]["totals"] = None
    assert len(check(record)) == 1


def test_deals_after_the_end_and_results_before_it_are_wrong() -> None:
    """A game that is over has no more deals; one that is not over has no places."""
    record = record_of(rules(deals=3))
    record["rules"]["deals"] = 2
    problems = where(check(record))
    assert (3, None, None, "GAME_OVER") in problems
    record["rules"]["deals"] = 4
    assert where(check(record)) == [(None, None, None, "RESULT")]
    record["rules"]["deals"] = 3
    record["result"] = {"places": None, "winners": None, "termination": "cancelled"}
    assert {rule for _, _, _, rule in where(check(record))} == {"RESULT"}


def test_the_first_dealer_is_checked_where_the_first_deal_is_number_one() -> None:
    """A named first dealer binds deal 1, and says nothing of a record that begins later."""
    record = record_of(rules(deals=1, opening_lead="low_club"))
    record["rules"]["first_dealer"] = (record["deals"][0]["dealer"] + 1) % 4
    assert where(check(record)) == [(1, None, None, "DEALER")]
    record["deals"][0]["number"] = 5
    assert check(record) == []


def test_rules_not_written_are_the_presets() -> None:
    """A reader fills in what `rules` leaves out."""
    record = record_of(rules(deals=1))
    record["rules"] = {"preset": "standard", "deals": 1}
    assert check(record) == []


def test_give_back_and_pool_are_checked() -> None:
    """A card returned that was not received, and a pool of other cards, are found at their seats."""
    record = record_of(rules("hoemke-3233", deals=1))
    back = record["deals"][0]
    assert back["direction"] == "left"
    back["returns"][2] = next(name for name in back["hands"][2] if name not in back["passes"][1])
    assert where(check(record)) == [(1, None, 2, "NOT_RECEIVED")]
    back["returns"] = back["plays"] = None
    assert check(record)[0].rule == "FORMAT"
    record = record_of(rules("hoemke-4233", deals=1))
    pool = record["deals"][0]["pool_dealt"]
    pool[1][0] = pool[2][0]
    assert where(check(record)) == [(1, None, 2, "POOL")]
    pool[1] = pool[1][:2]
    assert where(check(record)) == [(1, None, 1, "POOL")]
    record["deals"][0]["pool_dealt"] = None
    assert check(record)[0].rule == "PLAYS"


def moon_record() -> Record:
    """Return a record in which seat 1 shoots the moon and has the choice."""
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    table = table_with(rules("classic", 4, deals=1), {1: clubs}, number=4)
    while not table.over:
        decide(table)
    record: Record = json.loads(encode(record_of_log(table.variant, list("abcd"), table.log)))
    return record


def test_a_moon_is_checked_and_told() -> None:
    """Another effect than the points tell, no effect, and a nonsense word are found; the choice is told."""
    record = moon_record()
    decisions: list[Decision] = []
    assert check(record, decisions.append) == []
    line = '{"deal": 4, "seat": 1, "kind": "moon", "legal": ["others_plus", "self_minus"], "chose": "others_plus"}'
    assert legal_line(decisions[-1]) == line
    record["deals"][0]["moon"] = "self_minus"
    assert {rule for _, _, _, rule in where(check(record))} == {"POINTS", "TOTALS"}
    record["deals"][0]["moon"] = "to_the_moon"
    assert where(check(record)) == [(4, None, 1, "MOON")]
    record["deals"][0] |= {"moon": None, "points": None, "totals": None}
    assert where(check(record)) == [(None, None, None, "RESULT")]
    del record["result"]
    assert check(record) == []


def test_legal_lines_tell_every_decision_in_order() -> None:
    """Passes by seat, returns by seat, plays; no legal cards with a pass; the file only where it is named."""
    decisions: list[Decision] = []
    check(record_of(rules("hoemke-3233", deals=1)), decisions.append)
    kinds = [(decision.kind.value, decision.seat) for decision in decisions[:8]]
    assert kinds == [("pass", 0), ("pass", 1), ("pass", 2), ("pass", 3)] + [("return", seat) for seat in range(4)]
    assert len(decisions) == 4 + 4 + 52
    first = json.loads(legal_line(decisions[0], "a.json"))
    assert set(first) == {"file", "deal", "seat", "kind", "chose"}
    assert isinstance(first["chose"], list)
    for decision in decisions[4:]:
        line = json.loads(legal_line(decision))
        assert line["chose"] in line["legal"]
        assert "file" not in line


def test_two_packs_list_each_face_once() -> None:
    """A seat that holds both copies of a card is told of it once."""
    decisions: list[Decision] = []
    check(record_of(rules("cancellation", 6, deals=2)), decisions.append)
    for decision in decisions:
        if decision.legal is not None:
            assert len(set(decision.legal)) == len(decision.legal)


def test_what_is_no_record_is_a_problem() -> None:
    """Bytes that are not JSON, other JSON, an empty object: one problem each."""
    for data in (b"", b"[]", b"{}", b"\xff", b"[" * 5000, b'{"format":' + b"[" * 980 + b"]" * 980 + b"}"):
        assert [problem.rule for problem in check_bytes(data)] == ["FORMAT"]
    assert "not JSON" in str(check_bytes(b"{")[0])
    with pytest.raises(NotARecord, match="RESULT"):
        log_of(record_of(rules(deals=1)) | {"result": {}})


def nested(depth: int) -> object:
    """Return lists in lists, *depth* of them."""
    value: object = []
    for _ in range(depth):
        value = [value]
    return value


JUNK: list[object] = [
    None,
    True,
    -1,
    0,
    1.0,
    10**4000,
    "",
    "QS",
    "left",
    [],
    [None],
    {},
    {"a": 1},
    nested(900),
    "x" * 10_000,
]


def mangle(value: Any, rng: Random, *, chance: float) -> Any:  # noqa: ANN401 - any JSON
    """Return *value* with pieces of it replaced, dropped or doubled at random."""
    if rng.random() < chance:
        return rng.choice(JUNK)
    if isinstance(value, dict):
        return {key: mangle(item, rng, chance=chance) for key, item in value.items() if rng.random() > chance / 2}
    if isinstance(value, list):
        items = [mangle(item, rng, chance=chance) for item in value if rng.random() > chance / 2]
        return items + items[:1] if rng.random() < chance else items
    return value


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_no_record_makes_the_check_raise(preset: str, players: int) -> None:
    """Records mangled at random give problems, never an exception."""
    rng = Random(17)
    record = record_of(rules(preset, players, deals=2))
    for round_ in range(150):
        problems = check(mangle(record, rng, chance=(0.0005, 0.003, 0.02)[round_ % 3]))
        assert all(str(problem) and len(str(problem)) < 2000 for problem in problems)


def test_json_that_is_nested_too_deeply_is_a_problem() -> None:
    """Even where only naming a value would run out of stack."""
    record = record_of(rules(deals=1))
    record["rules"]["stripped"] = [nested(100_000)]
    assert where(check(record)) == [(None, None, None, "FORMAT")]


def test_a_deal_that_nobody_has_passed_in_is_true_and_ends_there() -> None:
    """Before the first pass nothing else can have happened, and a pass that is missing stops the deal."""
    table = table_with(rules(deals=1), {})
    record: Record = json.loads(encode(record_of_log(table.variant, list("abcd"), table.log)))
    assert check(record) == []
    record = record_of(rules(deals=1))
    record["deals"][0]["passes"][2] = None
    assert where(check(record)) == [(1, None, None, "PLAYS")]


def test_a_long_record_is_checked_quickly_enough() -> None:
    """Two hundred deals are a matter of a second, not of minutes."""
    record = record_of(rules(target=100_000, max_deals=200))
    assert len(record["deals"]) == 200
    assert check_bytes(encode(record)) == []
