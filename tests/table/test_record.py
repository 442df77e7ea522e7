"""The game record as written and read."""

from __future__ import annotations

import json

import pytest

from referee.rules.variant import Termination
from referee.table.check import check, log_of
from referee.table.machine import Table
from referee.table.record import (
    JsonObject,
    NotARecord,
    deal_json,
    deals_of,
    decode,
    encode,
    record_json,
    record_of_log,
    result_json,
)
from tests.table.players import ALL_KINDS, decide, random_game, rules, table_with


def seats(table: Table) -> list[str]:
    """Return a name for each seat of *table*."""
    return [f"bot {seat}" for seat in range(table.players)]


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_a_record_tells_the_whole_log(preset: str, players: int) -> None:
    """Written, read and adjudicated, a game's log comes back entry for entry, whatever stage it is in."""
    variant = rules(preset, players, deals=3)
    for decisions in (None, 1, players, 2 * players, 2 * players + 5, 150):
        table = random_game(variant, 4, decisions=decisions)
        record = decode(encode(record_of_log(variant, seats(table), table.log)))
        again, log = log_of(record)
        assert again == variant
        assert encode(record_of_log(variant, seats(table), log)) == encode(record)
        events = [entry for entry in table.log if not hasattr(entry, "seat")]
        assert [entry for entry in log if not hasattr(entry, "seat")] == events


def test_the_canonical_form() -> None:
    """Keys sorted, no white space outside strings, ASCII, hands in the order dealt; equal games, equal bytes."""
    table = random_game(rules(deals=2), 1)
    record = record_of_log(table.variant, ["bob", "bob", "zoë", "a b"], table.log)
    data = encode(record)
    assert data == encode(record_of_log(table.variant, ["bob", "bob", "zoë", "a b"], random_game(table.variant, 1).log))
    assert data.isascii()
    assert data == json.dumps(json.loads(data), sort_keys=True, separators=(",", ":")).encode()
    text = json.dumps(json.loads(data), indent=2)
    assert encode(decode(text)) == data
    first = next(deals_of(table.log))
    assert json.loads(data)["deals"][0] == deal_json(first)


def test_the_keys_of_a_deal() -> None:
    """A deal in its pass phase has every key; what is not known yet is null."""
    table = table_with(rules(deals=1), {0: "AS KS QS"}, dealer=3)
    deal = deal_json(table.log)
    assert deal["passes"] is None
    decide(table)
    deal = deal_json(table.log)
    assert deal["passes"] == [["AS", "AH", "KS"], None, None, None] or isinstance(deal["passes"], list)
    unknown = {key: deal[key] for key in ("returns", "pool_dealt", "moon", "points", "totals")}
    assert unknown == dict.fromkeys(unknown)
    assert (deal["number"], deal["dealer"], deal["direction"], deal["kitty"], deal["plays"]) == (1, 3, "left", [], [])
    assert set(deal) == {"number", "dealer", "hands", "kitty", "direction", "passes", "plays", *unknown}


def test_sources_versions_and_origin_are_written_where_given() -> None:
    """What is optional is absent unless it is given."""
    table = random_game(rules(deals=1), 1)
    sources: JsonObject = {"passes": ["bot"] * 4, "returns": None, "plays": ["bot"] * 52, "moon": None}
    deal = deal_json(table.log, sources)
    assert deal["sources"] == sources
    record = record_json(table.variant, seats(table), [deal], versions=["1"] * 4, origin={"tournament": "t"})
    assert set(record) == {"format", "version", "rules", "seats", "deals", "versions", "origin"}
    assert check(record) == []


def test_results() -> None:
    """Winners are the seats in the first place; a cancelled game has none."""
    assert result_json(Termination.TARGET, (2, 1, 1, 4)) == {
        "places": [2, 1, 1, 4],
        "winners": [1, 2],
        "termination": "target",
    }
    cancelled = {"places": None, "winners": None, "termination": "cancelled"}
    assert result_json(Termination.CANCELLED, None) == cancelled
    table = random_game(rules(), 1, decisions=30)
    assert record_of_log(table.variant, seats(table), table.log, cancelled=True)["result"] == cancelled
    assert "result" not in record_of_log(table.variant, seats(table), table.log)


def test_a_deal_begins_with_its_start() -> None:
    """Entries from the middle of a deal are no deal."""
    table = random_game(rules(deals=1), 1)
    with pytest.raises(TypeError, match="DealStarted"):
        deal_json(table.log[1:])
    assert list(deals_of([])) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[1]",
        b"null",
        b"\xff\xfe\x00",
        b'{"a": NaN}',
        b'{"a": 1' + b"0" * 5000 + b"}",
        b'{"a": -1' + b"0" * 1000 + b"}",
        b"[" * 100_000,
        b'{"a": "\xed\xa0\x80"}',
        b"\x1f\x8b\x08",
    ],
    ids=["empty", "cut", "list", "null", "bytes", "nan", "huge", "below", "deep", "surrogate", "gzip"],
)
def test_what_is_no_json_object_is_refused(data: bytes) -> None:
    """Bytes that hold no JSON object are no record."""
    with pytest.raises(NotARecord):
        decode(data)


def test_a_reader_takes_any_order_and_keeps_unknown_keys() -> None:
    """Keys that nobody knows survive reading and writing, at the top and in a deal."""
    table = random_game(rules(deals=1), 1)
    record = record_of_log(table.variant, seats(table), table.log)
    deal = deal_json(table.log) | {"weather": {"rain": True}}
    record = dict(reversed((record | {"zebra": [1, 2], "deals": [deal]}).items()))
    again = decode(json.dumps(record, indent=1))
    assert again == record
    assert check(again) == []
