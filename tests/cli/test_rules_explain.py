"""`arena rules explain`: positions by options and out of records. Ids are those of the rule book."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from referee.table.adjudicate import Decision
from referee.table.check import check
from referee.table.machine import DecisionKind
from referee.table.record import JsonObject, encode, record_of_log
from tests.cli.calling import Caller, assert_golden
from tests.table.players import random_game, rules

if TYPE_CHECKING:
    from pathlib import Path

CASES = [
    pytest.param("--hand 'QS 5H 9D' --led C --trick 1 --card QS", "9D", 15, id="t27"),
    pytest.param("--hand '2H 3H 4H' --led C --card 3H", "2H 3H 4H", None, id="t28"),
    pytest.param("--hand '2H 3H QS' --led clubs --card QS", "QS 2H 3H", None, id="t29"),
    pytest.param("--rules hoemke-2233 --hand 'QS JD 4H 5H' --led C --card 4H", "JD", 15, id="t30"),
    pytest.param("--rules cancellation --hand 'QS 5H 9D' --led C --card QS", "9D QS 5H", None, id="t34"),
    pytest.param("--hand 'QS 5H 9D' --led C --trick 2 --card QS", "9D QS 5H", None, id="t35"),
    pytest.param("--rules hoemke-2211 --hand '5H 6D' --trick 2 --card 5H", "6D 5H", None, id="t36"),
    pytest.param("--hand '5H 6D' --trick 2 --card 5H", "6D", 16, id="t37"),
    pytest.param("--rules classic --hand '5H 6D' --trick 2 --hearts open --card 5H", "6D 5H", None, id="t37-open"),
    pytest.param("--hand '5H 6D' --trick 2 --hearts open --card 5H", "6D 5H", None, id="t38"),
    pytest.param("--rules hoemke-2231 --hand '5H 6D' --trick 3 --card 5H", "6D", 16, id="t39-closed"),
    pytest.param("--rules hoemke-2231 --hand '5H 6D' --trick 4 --card 5H", "6D 5H", None, id="t39-open"),
    pytest.param("--rules hoemke-2241 --hand '5H 6D' --trick 3 --card 5H", "6D", 16, id="t41"),
    pytest.param("--hand '5H 9H' --trick 5 --card 9H", "5H 9H", None, id="t42"),
    pytest.param("--hand 'QS 5H' --trick 5 --card 5H", "QS", 16, id="b10"),
    pytest.param(
        "--hand 'QS 5H' --trick 5 --card 5H --set lead_escape=only_hearts_or_qs", "QS 5H", None, id="b10-wide"
    ),
    pytest.param("--rules classic --hand 'QS 9H 4D' --trick 2 --card qs", "4D QS", None, id="t44"),
    pytest.param("--rules hoemke-2123 --hand '4C 9C 3D TS 2H' --card 4C", "3D", 11, id="t17"),
    pytest.param("--hand '2C,3C,AH' --card 3C", "2C", 11, id="t20"),
    pytest.param("--rules hoemke-2323 --hand '2D 2S 9C' --card 9C", "2D 2S", 11, id="t21"),
    pytest.param("--rules hoemke-2422 --hand '2C JD QS 5H 8S' --card JD", "2C JD 8S QS", None, id="t23-honours"),
    pytest.param("--rules hoemke-2433 --hand '2C JD QS 5H 8S' --card JD", "2C 8S", 11, id="t23"),
    pytest.param("--rules cancellation --hand 'QS QS 3H' --card QS", "QS 3H", None, id="t26"),
    pytest.param("--rules classic --players 5 --hand '3C 4C' --card 3C", "3C", None, id="t02"),
    pytest.param("--hand '3C AH' --led C --trick 3 --card AH", "3C", 14, id="following"),
    pytest.param("--hand '3C AH' --led H --trick 3 --card KH", "AH", 13, id="not-held"),
]


@pytest.mark.parametrize(("words", "legal", "rule"), CASES)
def test_positions_by_options(call: Caller, words: str, legal: str, rule: int | None) -> None:
    """The legal set, the verdict as exit code, and the rule that forbids the card."""
    called = call("rules", "explain", *shlex.split(words), "--json")
    verdict = json.loads(called.out)
    assert verdict["legal"] == legal.split()
    assert called.code == (0 if rule is None else 1)
    assert verdict["may_be_played"] == (rule is None)
    assert (verdict["violation"] or {}).get("rule") == rule
    text = call("rules", "explain", *shlex.split(words))
    assert text.code == called.code
    assert f"legal     {legal}\n" in text.out
    assert rule is None or f"\n  R{rule} " in text.out


@pytest.mark.parametrize(
    ("golden", "words"),
    [
        ("forbidden", "--hand 'QS 5H 9D' --led C --card QS"),
        ("forced", "--hand 'QS 5H' --led C --card QS"),
        ("lead", "--hand '5H 9H' --trick 3 --card 5H"),
        ("all", "--hand 'QS 5H 9D' --led C"),
        ("all-led", "--rules cancellation --hand 'QS QS JD 5H' --trick 2"),
    ],
)
def test_verdicts_in_words(call: Caller, golden: str, words: str) -> None:
    """Position, hand, legal cards, verdict, and the rules that say so."""
    assert_golden(f"rules-explain-{golden}.txt", call("rules", "explain", *shlex.split(words)).out)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "give --hand, or --record"),
        ("--card 2C", "give --hand, or --record"),
        ("--hand 2C --card XX", "'XX' is no card"),
        ("--hand '2C 1D' --card 2C", "'1D' is no card"),
        ("--hand '' --card 2C", "--hand has 0 cards"),
        ("--hand '2C 2C' --card 2C", "2C is named 2 times, but this is one pack"),
        ("--rules cancellation --hand '2C 2C 2C' --card 2C", "but this is two packs"),
        ("--rules classic --players 3 --hand '2D 3D' --led D --trick 2 --card 2D", "2D is stripped"),
        ("--hand '2C 3C' --led C --trick 13 --card 2C", "has 1 to 1 here"),
        ("--hand 2C --trick 14 --card 2C", "a deal has 13 tricks"),
        ("--hand 2C --trick 0 --card 2C", "--trick"),
        ("--hand 2C --led X --card 2C", "--led 'X' is no suit"),
        ("--hand 5H --hearts maybe --trick 2 --card 5H", "choose open or closed"),
        ("--rules hoemke-1413 --hand 5H --trick 2 --hearts closed --card 5H", "hearts are open in trick 2"),
        ("--rules hoemke-1441 --hand 5H --trick 3 --hearts open --card 5H", "hearts are closed in trick 3"),
        ("--hand 3C --card 3C", "led by who holds 2C"),
        ("--hand 3C --led D --card 3C", "led with 2C, so not with diamonds"),
        ("--rules hoemke-1311 --hand 3C --card 3C", "led by who holds 2C or 2D or 2S"),
        ("--rules hoemke-1411 --hand 3C --card 3C", "led by who holds 2C"),
        ("--rules hoemke-2523 --hand 2C --card 2C", "did you mean hoemke-2423?"),
        ("--rules classic --players 8 --hand 2C --card 2C", "3 to 7 with preset classic"),
        ("--set target=abc --hand 2C --card 2C", "'abc' is not allowed"),
        ("--hand 2C --card 2C --deal 1 --seat 0", "has no use for --deal, --seat"),
        ("--record x.json --hand 2C --deal 1 --trick 1 --seat 0", "--record has no use for --hand"),
        ("--record x.json --deal 1", "--record goes with --deal, --trick and --seat"),
        ("--record nowhere.json --deal 1 --trick 1 --seat 0", "cannot be read"),
    ],
)
def test_positions_that_cannot_be(call: Caller, words: str, told: str) -> None:
    """One line on stderr, exit code 2, nothing on stdout."""
    called = call("rules", "explain", *shlex.split(words))
    assert called.code == 2
    assert called.out == ""
    assert told in called.err
    assert len(called.err.splitlines()) == 1


def test_all_cards_of_a_hand(call: Caller) -> None:
    """Without a card in question every card of the hand is told, those refused with their rule; that is no failure."""
    called = call("rules", "explain", "--hand", "QS 5H 9D 3C", "--trick", "2", "--led", "C", "--json")
    verdict = json.loads(called.out)
    assert (called.code, verdict["card"], verdict["may_be_played"], verdict["violation"]) == (0, None, None, None)
    assert verdict["legal"] == ["3C"]
    must = {"reason": "MUST_FOLLOW_SUIT", "rule": 14}
    assert verdict["refused"] == [{"card": card} | must for card in ("9D", "QS", "5H")]


def record_of(preset: str, players: int, seed: int = 3) -> JsonObject:
    """Return the record of a game at random."""
    table = random_game(rules(preset, players, deals=2), seed)
    return record_of_log(table.variant, [f"s{seat}" for seat in range(players)], table.log)


def deals_of(record: JsonObject) -> list[dict[str, Any]]:
    """Return the deals of *record*, to be changed."""
    deals = record["deals"]
    assert isinstance(deals, list)
    return deals


@pytest.mark.parametrize(
    ("preset", "players"), [("standard", 4), ("hoemke-3444", 4), ("classic", 5), ("cancellation", 7)]
)
def test_every_play_of_a_record_is_explained(call: Caller, tmp_path: Path, preset: str, players: int) -> None:
    """The position found has the legal cards that the record's own check tells, and what was played may be played."""
    record = record_of(preset, players)
    file = tmp_path / "game.json"
    file.write_bytes(encode(record))
    decisions: list[Decision] = []
    assert check(record, decisions.append) == []
    plays = [each for each in decisions if each.kind is DecisionKind.PLAY]
    for index in range(0, len(plays), 11):
        each = plays[index]
        trick = sum(other.deal == each.deal for other in plays[:index]) // players + 1
        where = ("--deal", str(each.deal), "--trick", str(trick), "--seat", str(each.seat))
        called = call("rules", "explain", "--record", str(file), *where, "--json")
        verdict = json.loads(called.out)
        assert called.code == 0
        assert (verdict["card"], verdict["trick"]) == (each.chose, trick)
        assert tuple(verdict["legal"]) == each.legal
        assert verdict["rules"] == record["rules"]


def test_a_seat_by_its_name(call: Caller, tmp_path: Path) -> None:
    """A seat is found by its name as by its number; a name that several have is refused with their numbers."""
    record = record_of("standard", 4)
    file = tmp_path / "game.json"
    words = ("rules", "explain", "--record", str(file), "--deal", "1", "--trick", "2", "--seat")
    file.write_bytes(encode(record))
    assert call(*words, "s2") == call(*words, "2")
    file.write_bytes(encode(record | {"seats": ["ann", "bob", "ann", "dan"]}))
    assert call(*words, "bob").code == 0
    assert "seats 0, 2 are named so" in call(*words, "ann").err


def test_a_record_that_breaks_a_rule(call: Caller, tmp_path: Path) -> None:
    """The play that breaks it is explained; after it there are no positions."""
    record = record_of("standard", 4)
    deal = deals_of(record)[0]
    deal["plays"] = [*deal["plays"][:1], "QS", *deal["plays"][2:]]
    file = tmp_path / "game.jsonl"
    file.write_bytes(encode(record_of("standard", 4)) + b"\n" + encode(record) + b"\n")
    words = ("rules", "explain", "--record", str(file), "--game", "2", "--deal", "1")
    leader = next(
        seat
        for seat in range(4)
        if call(*words, "--trick", "1", "--seat", str(seat)).out.endswith("2C may be played\n")
    )
    called = call(*words, "--trick", "1", "--seat", str((leader + 1) % 4))
    assert called.code == 1
    assert "QS may not be played" in called.out
    called = call(*words, "--trick", "1", "--seat", str((leader + 2) % 4))
    assert called.code == 2
    assert "see 'arena record check" in called.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--deal 3 --trick 1 --seat 0", "has no deal 3; its deals are 1, 2"),
        ("--deal 1 --trick 14 --seat 0", "the tricks are 1 to 13"),
        ("--deal 1 --trick 1 --seat 4", "--seat '4': the seats are 0 's0', 1 's1', 2 's2', 3 's3'"),
        ("--deal 1 --trick 1 --seat -1", "the seats are 0 's0'"),
        ("--deal 1 --trick 1 --seat s4", "--seat 's4': the seats are 0 's0'"),
        ("--deal 1 --trick 1 --seat ''", "the seats are 0 's0'"),
        ("--deal 1 --trick 1 --seat 0 --game 2", "has no record 2"),
        ("--deal 1 --trick 1 --seat 0 --card 11", "'11' is no card"),
    ],
)
def test_places_that_a_record_does_not_have(call: Caller, tmp_path: Path, words: str, told: str) -> None:
    """They are named with what there is, exit code 2."""
    file = tmp_path / "game.json"
    file.write_bytes(encode(record_of("standard", 4)))
    called = call("rules", "explain", "--record", str(file), *shlex.split(words))
    assert called.code == 2
    assert called.out == ""
    assert told in called.err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"rules": 1}',
        '{"rules": {"preset": "whist"}, "deals": []}',
        '{"rules": {"preset": "standard"}, "deals": 1}',
        '{"rules": {"preset": "standard", "\\u001b]0;x\\u0007": 1}, "deals": []}',
        '{"rules": {"preset": "standard"}, "seats": [], "deals": [{"number": "\\u001b]0;x\\u0007\\n"}]}',
        '{"rules": {"preset": "standard"}, "deals": [{"number": 1, "dealer": 9}]}',
        '{"rules": {"preset": "standard"}, "deals": [{"number": 1, "dealer": 1, "hands": []}]}',
    ],
)
def test_files_that_hold_no_game(call: Caller, tmp_path: Path, text: str) -> None:
    """Whatever a file holds, the answer is one line and exit code 2."""
    file = tmp_path / "game.json"
    file.write_text(text)
    called = call("rules", "explain", "--record", str(file), "--deal", "1", "--trick", "1", "--seat", "0")
    assert called.code == 2
    assert called.out == ""
    assert called.err.startswith("arena: error: ")
    assert "internal" not in called.err
    assert len(called.err.splitlines()) == 1
    assert called.err[:-1].isprintable()


def test_a_deal_that_stops_before(call: Caller, tmp_path: Path) -> None:
    """A deal that is not played so far has no such position."""
    record = record_of("standard", 4)
    deal = deals_of(record)[1]
    deal |= {"plays": deal["plays"][:4], "points": None, "totals": None, "moon": None}
    file = tmp_path / "game.json"
    file.write_bytes(encode(record))
    called = call("rules", "explain", "--record", str(file), "--deal", "2", "--trick", "2", "--seat", "0")
    assert called.code == 2
    assert "deal 2 stops before seat 0 plays to trick 2" in called.err
    several = tmp_path / "games"
    several.mkdir()
    for name in ("a.json", "b.json"):
        (several / name).write_bytes(encode(record))
    called = call("rules", "explain", "--record", str(several), "--deal", "2", "--trick", "2", "--seat", "0")
    assert "2 files of records" in called.err
