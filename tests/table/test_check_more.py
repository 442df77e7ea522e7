"""Adjudication of records: sources, keys that stand twice, and records with more problems than anybody reads."""

from __future__ import annotations

import pytest

from referee.table.check import check
from referee.table.record import NotARecord, decode
from tests.table.players import rules
from tests.table.test_check import record_of, where


@pytest.mark.parametrize(
    ("sources", "seat"),
    [
        ({"returns": ["bot"] * 4}, None),
        ({"passes": ["bot", "bot", "chance", "bot"]}, 2),
        ({"moon": "bot"}, None),
        ({"plays": ["bot"] * 51 + [7]}, None),
    ],
)
def test_sources_are_words_for_what_was_decided(sources: dict[str, object], seat: int | None) -> None:
    """A source of returns that were not made, an unknown word, the moon of a deal without one: each a problem."""
    record = record_of(rules(deals=1))
    record["deals"][0]["sources"] = sources
    assert where(check(record)) == [(1, None, seat, "SOURCES")]
    record["deals"][0]["sources"] = {"passes": ["bot", None, "timeout", "forced"], "plays": ["autopilot"] * 52}
    assert check(record) == []


def test_a_record_with_very_many_problems_is_not_read_to_its_end() -> None:
    """After a thousand the check stops and says so."""
    record = record_of(rules(deals=1))
    record["deals"] *= 2000
    problems = check(record)
    assert 1000 < len(problems) < 1010
    assert "was not looked at" in problems[-1].text


def test_a_key_that_stands_twice_is_no_json_of_ours() -> None:
    """Readers would differ on what it says, so the error names it."""
    with pytest.raises(NotARecord, match="'seats' stands twice"):
        decode('{"seats": [], "seats": []}')
