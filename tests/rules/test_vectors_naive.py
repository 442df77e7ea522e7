"""The published vectors, held against the naive reading of the rule book, which shares no line with the referee."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.naive import options, play, scoring
from tests.naive.cards import faces, same
from tests.naive.record import adjudicate
from tests.rules.test_vectors import FOLDER, POSITIONS, RECORDS, SCORES

RULE_SETS: dict[str, dict[str, Any]] = POSITIONS["rule_sets"]


def may_play(case: dict[str, Any]) -> list[str]:
    """Return what the naive reading allows in a position."""
    rules, hand, trick = RULE_SETS[case["rules"]], case["hand"], case["trick"]
    if case["led"] is not None:
        return play.following(rules, hand, "2" + case["led"], trick)
    if trick == 1:
        return play.opening(rules, hand)
    # Whether hearts are open is given, so the rule that opens them is put aside.
    hearts_lead = "after_trick_1" if case["hearts_open"] else "broken_by_heart"
    return play.leading(rules | {"hearts_lead": hearts_lead}, hand, [["2C"]])


def test_positions() -> None:
    """The same cards may be played, from hands of two packs each face once."""
    for case in POSITIONS["positions"]:
        assert same(faces(may_play(case)), case["legal"]), case


def test_openers_tricks_and_hearts() -> None:
    """The same seat opens, the same card wins, hearts are open at the same time."""
    for case in POSITIONS["openers"]:
        assert play.opener(RULE_SETS[case["rules"]], case["dealer"], case["hands"]) == case["leader"], case
    for case in POSITIONS["tricks"]:
        assert play.winning_place({"cancellation": case["cancellation"]}, case["cards"]) == case["winner"], case
    for case in POSITIONS["hearts"]:
        assert play.hearts_open(RULE_SETS[case["rules"]], case["tricks"]) == case["open"], case


def test_scores_and_ends() -> None:
    """The same cards cost the same, the same seat shoots, and a game ends for the same reason."""
    for case in SCORES["scores"]:
        given = case["rules"]
        preset = options.preset("standard" if given["packs"] == 1 else "cancellation", given["players"])
        rules = preset | given
        assert scoring.shooter(rules, case["taken"]) == case["shooter"], case
        assert scoring.deal_points(rules, case["taken"], case["moon"]) == case["points"], case
    for case in SCORES["ends"]:
        end = scoring.ending(case["rules"], case["deals_played"], case["totals"])
        assert end == case["termination"], case
        assert case["places"] == (None if end is None else scoring.places(case["totals"])), case


@pytest.mark.parametrize("file", RECORDS, ids=[file.stem for file in RECORDS])
def test_records_and_their_decisions(file: Path) -> None:
    """The same records are sound, by the same decisions with the same choices."""
    verdict = adjudicate(json.loads(file.read_bytes()))
    assert verdict.problems == []
    lines = [json.loads(line) for line in (FOLDER / "decisions" / f"{file.stem}.jsonl").read_text().splitlines()]
    assert len(lines) == len(verdict.decisions)
    for line, naive in zip(lines, verdict.decisions, strict=True):
        assert line.keys() == naive.keys()
        assert sorted(line.pop("legal", [])) == sorted(naive.pop("legal", []))
        assert line == naive
