"""Records changed in any way: no change makes the check raise, and none that says something else goes unseen.

What may pass unseen is told with each property: it is another true record, or it says nothing about the game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import CARD_NAMES
from referee.table.adjudicate import Decision
from referee.table.check import check, check_bytes
from referee.table.record import NotARecord, decode, encode, record_of_log
from tests.table.players import ALL_KINDS, random_game, rules

Record = dict[str, Any]
Path = tuple[str | int, ...]

DIRECTIONS = ("left", "right", "across", "hold", "pool", "none")
CARD_KEYS = ("hands", "kitty", "passes", "returns", "pool_dealt", "plays")


@cache
def written(preset: str, players: int, seed: int) -> bytes:
    """Return the record of a random game of three deals, sources included, in bytes."""
    table = random_game(rules(preset, players, deals=3), seed)
    record: Record = json.loads(encode(record_of_log(table.variant, [f"bot {s}" for s in range(players)], table.log)))
    for deal in record["deals"]:
        counts = {key: deal[key] and len(deal[key]) for key in ("passes", "returns", "plays")}
        deal["sources"] = {key: count and ["bot"] * count for key, count in counts.items()} | {"moon": None}
    assert check(record) == []
    return encode(record)


records = st.builds(lambda kind, seed: written(*kind, seed), st.sampled_from(ALL_KINDS), st.integers(0, 9))


def leaves(value: object, path: Path = ()) -> Iterator[Path]:
    """Yield the path of every value in *value* that holds no others."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path


def at(record: Any, path: Path) -> Any:  # noqa: ANN401 - any JSON
    """Return what stands at *path*."""
    for key in path:
        record = record[key]
    return record


def put(record: Record, path: Path, value: object) -> None:
    """Write *value* at *path*."""
    at(record, path[:-1])[path[-1]] = value


def cards_in(record: Record, keys: tuple[str, ...] = CARD_KEYS) -> list[Path]:
    """Return where cards stand."""
    return [path for path in leaves(record) if len(path) > 2 and path[2] in keys and at(record, path) in CARD_NAMES]


@settings(deadline=None)
@given(records, st.data())
def test_another_card_anywhere_is_found(data: bytes, draw: st.DataObject) -> None:
    """In hands, kitty, passes, returns, pool and plays: no other card can stand where one stands."""
    record = json.loads(data)
    path = draw.draw(st.sampled_from(cards_in(record)))
    put(record, path, draw.draw(st.sampled_from(CARD_NAMES).filter(lambda name: name != at(record, path))))
    problems = check(record)
    assert problems
    assert problems[0].deal == record["deals"][path[1]]["number"]


@settings(deadline=None)
@given(records, st.data())
def test_two_cards_that_change_places_are_found(data: bytes, draw: st.DataObject) -> None:
    """Within a key of a deal or from one to another, unless nothing is said by it.

    Harmless are: another order in a hand, a gift or the share of a pool, and two plays of one seat that can stand in
    either order without a point changing its owner: that is another true record.
    """
    record = json.loads(data)
    decisions: list[Decision] = []
    check(record, decisions.append)
    places = cards_in(record)
    one, two = draw.draw(st.sampled_from(places)), draw.draw(st.sampled_from(places))
    if draw.draw(st.booleans()):  # near each other, where changes are subtle
        near = [path for path in places if path[:3] == one[:3]]
        two = near[min(len(near) - 1, near.index(one) + draw.draw(st.integers(1, 12)))]
    changed = deepcopy(record)
    put(changed, one, at(record, two))
    put(changed, two, at(record, one))
    if changed == record or check(changed):
        return
    assert one[:3] == two[:3]
    if one[2] == "plays":
        number = record["deals"][one[1]]["number"]
        plays = [decision for decision in decisions if decision.deal == number and decision.kind == "play"]
        assert plays[one[3]].seat == plays[two[3]].seat  # type: ignore[index]
    else:
        assert one[2] in ("hands", "kitty", "passes", "pool_dealt")
        assert one[:-1] == two[:-1]


@settings(deadline=None)
@given(records, st.data())
def test_another_number_anywhere_is_found(data: bytes, draw: st.DataObject) -> None:
    """Numbers of deals, dealers, points, totals, places, winners: each other value is a problem."""
    record = json.loads(data)
    numbers = [
        path
        for path in leaves(record)
        if path[0] in ("deals", "result") and isinstance(at(record, path), int) and "sources" not in path
    ]
    path = draw.draw(st.sampled_from(numbers))
    put(record, path, draw.draw(st.integers(-30, 150).filter(lambda value: value != at(record, path))))
    assert check(record)


@settings(deadline=None)
@given(records, st.data())
def test_another_word_is_found(data: bytes, draw: st.DataObject) -> None:
    """Direction, moon and termination have one right value; a source is a known word, and says nothing else."""
    record = json.loads(data)
    deal = draw.draw(st.sampled_from(record["deals"]))
    where, key, words = draw.draw(
        st.sampled_from(
            [
                (deal, "direction", DIRECTIONS),
                (deal, "moon", ("others_plus", "self_minus", None)),
                (record["result"], "termination", ("target", "deals", "max_deals", "cancelled")),
                (deal["sources"], "moon", ("bot", "luck") if deal["moon"] is None else ("luck",)),
            ]
        )
    )
    right = where[key]
    where[key] = draw.draw(st.sampled_from([word for word in words if word != right]))
    assert check(record)


@settings(deadline=None)
@given(records, st.data())
def test_lists_of_another_length_are_found(data: bytes, draw: st.DataObject) -> None:
    """An entry more, one less or a null, in any list of a deal, of the result or of the sources.

    A source may be null: that says that nobody tells.
    """
    record = json.loads(data)
    lists = {path[:-1] for path in leaves(record) if path[0] in ("deals", "result") and isinstance(path[-1], int)}
    path = draw.draw(st.sampled_from(sorted(lists, key=str)))
    items = at(record, path)
    index = draw.draw(st.integers(0, len(items) - 1))
    ways = ["drop", "double", *([] if "sources" in path else ["null"])]
    match draw.draw(st.sampled_from(ways)):
        case "drop":
            del items[index]
        case "double":
            items.insert(index, deepcopy(items[index]))
        case _:
            items[index] = None
    assert check(record)


@settings(deadline=None)
@given(records, st.data())
def test_deals_dropped_doubled_and_reordered_are_found(data: bytes, draw: st.DataObject) -> None:
    """The deals of a finished game are all there, once, in their order."""
    record = json.loads(data)
    order = draw.draw(st.lists(st.sampled_from([0, 1, 2]), max_size=4).filter(lambda order: order != [0, 1, 2]))
    record["deals"] = [deepcopy(record["deals"][index]) for index in order]
    assert check(record)


@settings(deadline=None)
@given(records, st.data())
def test_a_record_cut_off_anywhere_is_true_or_found(data: bytes, draw: st.DataObject) -> None:
    """Without result, and with the last deal cut off after any play, it is a running game; with a claim it is wrong."""
    record = json.loads(data)
    del record["result"]
    assert check(record) == []
    deal = record["deals"][-1]
    del deal["plays"][draw.draw(st.integers(0, len(deal["plays"]) - 1)) :]
    deal["sources"]["plays"] = ["bot"] * len(deal["plays"])
    assert {problem.rule for problem in check(record)} >= {"POINTS", "TOTALS"}
    deal |= {"points": None, "totals": None, "moon": None}
    assert check(record) == []
    deal["sources"]["plays"].append("bot")
    assert check(record)


JUNK: st.SearchStrategy[object] = st.sampled_from(
    [None, True, -1, 1.0, 1e308, 10**4000, "", "QS", "left", [], {}, [[]], "\ud800", {"a": None}]
)


@settings(deadline=None)
@given(records, st.lists(st.tuples(st.integers(0), JUNK), min_size=1, max_size=4))
def test_junk_at_any_place_never_makes_the_check_raise(data: bytes, changes: list[tuple[int, object]]) -> None:
    """Any value at any place, leaf or branch: problems that can be printed, with words that are known."""
    record = json.loads(data)
    for number, junk in changes:
        branches = list({path[:length] for path in leaves(record) for length in range(1, len(path) + 1)})
        if not branches:
            break
        put(record, sorted(branches, key=str)[number % len(branches)], deepcopy(junk))
    for problem in check(record):
        assert len(str(problem)) < 2000
        str(problem).encode()


@st.composite
def spoiled(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """Return a record, and its bytes with one to three stretches replaced, dropped, doubled or moved."""
    data = right = draw(records)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 12) | st.integers(0, 3000)))
        piece = data[start:end]
        new = draw(
            st.binary(max_size=4)
            | st.sampled_from(
                [b"", piece * 2, piece[::-1], b"NaN", b"1e999", b"null", b"\xef\xbb\xbf", b"\\ud800", b"0"]
            )
        )
        data = data[:start] + new + data[end:]
    return right, data


@settings(deadline=None)
@given(spoiled())
def test_spoiled_bytes_never_make_the_check_raise(pair: tuple[bytes, bytes]) -> None:
    """And where nothing is found, all that is told of the deals and of the result is what it was.

    Names, versions, keys that nobody knows, and options that had no effect in this game may be others.
    """
    right, data = pair
    problems = check_bytes(data)
    for problem in problems:
        str(problem).encode()
    if problems:
        return
    before, after = decode(right), decode(data)
    keys = ("number", "dealer", "direction", *CARD_KEYS, "moon", "points", "totals")

    def told(record: Record) -> list[dict[str, object]]:
        return [{key: deal[key] for key in keys} for deal in record["deals"]]

    if len(after["deals"]) == len(before["deals"]):  # type: ignore[arg-type]
        assert told(after) == told(before)
        assert after.get("result") in (before["result"], None)
    else:
        assert after.get("result") is None


def test_a_spoiled_record_is_no_record_or_has_problems() -> None:
    """Cut at every hundredth byte it is no JSON, and that is told."""
    data = written("standard", 4, 1)
    for end in range(0, len(data), 100):
        (problem,) = check_bytes(data[:end])
        assert problem.rule == "FORMAT"
    with pytest.raises(NotARecord, match="not JSON"):
        decode(data[:100])


@pytest.mark.parametrize(
    ("path", "value", "deal", "seat", "rule"),
    [
        (("version",), 1.0, None, None, "FORMAT"),
        (("version",), True, None, None, "FORMAT"),
        (("rules", "x" * 500), 1, None, None, "RULES"),
        (("rules", "\ud800\x1b"), 1, None, None, "RULES"),
        (("versions",), ["1", "2", None, 4], None, None, "SEATS"),
        (("versions",), "1234", None, None, "SEATS"),
        (("origin",), ["cup"], None, None, "FORMAT"),
        (("deals", 0), [], None, None, "FORMAT"),
        (("deals", 1), [], 2, None, "FORMAT"),
        (("deals", 1, "number"), 2.0, 2, None, "NUMBER"),
        (("deals", 1, "dealer"), "1", 2, None, "DEALER"),
        (("deals", 1, "sources", "returns"), ["bot"] * 4, 2, None, "SOURCES"),
        (("deals", 1, "sources", "passes", 2), "nobody", 2, 2, "SOURCES"),
        (("deals", 1, "sources", "passes"), ["bot"] * 3, 2, None, "FORMAT"),
        (("deals", 1, "sources", "plays", 51), ["bot"], 2, None, "SOURCES"),
        (("deals", 1, "sources", "moon"), "bot", 2, None, "SOURCES"),
        (("deals", 1, "sources"), "bot", 2, None, "FORMAT"),
    ],
)
def test_wrong_types_are_found_where_they_are(
    path: Path, value: object, deal: int | None, seat: int | None, rule: str
) -> None:
    """What is said beside the game has its shape too; a number is no text, no truth and no fraction."""
    record = json.loads(written("standard", 4, 1))
    put(record, path, value)
    problem = check(record)[0]
    assert (problem.deal, problem.seat, problem.rule) == (deal, seat, rule)
    assert len(str(problem).encode()) < 600


def test_a_source_of_a_decision_that_nobody_has_made() -> None:
    """A seat that has not passed yet has no source, and one that has may have one."""
    table = random_game(rules(deals=1), 1, decisions=2)
    record = json.loads(encode(record_of_log(table.variant, list("abcd"), table.log)))
    deal = record["deals"][0]
    passed = [None if cards is None else "bot" for cards in deal["passes"]]
    deal["sources"] = {"passes": passed, "plays": []}
    assert check(record) == []
    deal["sources"]["passes"] = ["bot"] * 4
    assert [problem.seat for problem in check(record)] == [seat for seat in range(4) if deal["passes"][seat] is None]
