"""The published vectors: what this code makes, what a reader of the files finds, and every option in them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee.rules.cards import SUITS, cards_of, hand_of, parse_card
from referee.rules.play import Violation, law_of
from referee.rules.presets import from_json, resolve
from referee.rules.scoring import deal_points, game_over, places, shooter
from referee.rules.tricks import winner
from referee.rules.variant import (
    FirstTrickPenalty,
    HeartsLead,
    LeadEscape,
    MoonEffect,
    OpeningLead,
    PassMode,
    Scoring,
    Termination,
)
from referee.table.check import check, legal_line
from tests.rules import regenerate

FOLDER = regenerate.FOLDER
POSITIONS: dict[str, Any] = json.loads((FOLDER / "positions.json").read_text(encoding="ascii"))
SCORES: dict[str, Any] = json.loads((FOLDER / "scores.json").read_text(encoding="ascii"))
RECORDS = sorted(FOLDER.glob("records/*.json"))

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def test_the_files_are_what_this_code_makes() -> None:
    """Byte for byte, and there are no others."""
    made = regenerate.build()
    files = {file.relative_to(FOLDER).as_posix() for file in FOLDER.rglob("*.json*")}
    assert files == set(made)
    different = [name for name, text in made.items() if (FOLDER / name).read_text(encoding="ascii") != text]
    assert different == [], "see 'make golden'"


def test_what_nothing_makes_any_more_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folders of many files hold nothing else after they are made again."""
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "old.json").write_text("{}")
    monkeypatch.setattr(regenerate, "FOLDER", tmp_path)
    regenerate.main()
    assert sorted(file.name for file in tmp_path.glob("records/*")) == [file.name for file in RECORDS]


def test_positions() -> None:
    """The law, asked through the file alone, gives the legal cards, and for each other one the reason and its rule."""
    for case in POSITIONS["positions"]:
        law = law_of(from_json(POSITIONS["rule_sets"][case["rules"]]))
        hand = hand_of(map(parse_card, case["hand"]))
        at = (-1 if case["led"] is None else SUITS.index(case["led"]), case["trick"], case["hearts_open"])
        legal = [parse_card(name) for name in case["legal"]]
        assert legal, case
        assert hand_of(legal) == law.legal(hand, *at), case
        refused = {parse_card(one["card"]): (one["reason"], one["rule"]) for one in case["refused"]}
        assert set(legal) | set(refused) == set(cards_of(hand)), case
        for card, (reason, rule) in refused.items():
            why = law.violation(hand, *at, card)
            assert why is not None, case
            assert (why.name, why.rule.value) == (reason, rule), case


def test_openers_tricks_and_hearts() -> None:
    """Who opens, who wins and when hearts are open."""
    for case in POSITIONS["openers"]:
        law = law_of(from_json(POSITIONS["rule_sets"][case["rules"]]))
        hands = [hand_of(map(parse_card, names)) for names in case["hands"]]
        assert law.opener(hands, case["dealer"]) == case["leader"]
        assert law.shows_two_of_clubs == (case["shows"] == "2C")
    for case in POSITIONS["tricks"]:
        place = winner([parse_card(name) for name in case["cards"]], case["cancellation"])
        assert place == (-1 if case["winner"] is None else case["winner"])
    for case in POSITIONS["hearts"]:
        law = law_of(from_json(POSITIONS["rule_sets"][case["rules"]]))
        tricks = [[parse_card(name) for name in trick] for trick in case["tricks"]]
        leads = [sum(trick[0] // 13 == suit for trick in tricks) for suit in range(4)]
        seen = hand_of({card for trick in tricks for card in trick})
        assert law.hearts_open(len(tricks) + 1, seen, leads) == case["open"]


def test_scores_and_ends() -> None:
    """What the cards cost, moons included, and when a game is over."""
    for case in SCORES["scores"]:
        rules = case["rules"]
        preset = "standard" if rules["packs"] == 1 else "cancellation"
        variant = resolve(preset, overrides=rules)
        taken = [[parse_card(name) for name in pile] for pile in case["taken"]]
        assert shooter(variant, taken) == case["shooter"]
        moon = None if case["moon"] is None else MoonEffect(case["moon"])
        assert list(deal_points(variant, taken, moon)) == case["points"]
    for case in SCORES["ends"]:
        variant = resolve("standard", overrides=case["rules"])
        end = game_over(variant, case["deals_played"], case["totals"])
        assert end == (None if case["termination"] is None else Termination(case["termination"]))
        assert case["places"] == (None if end is None else list(places(case["totals"])))


@pytest.mark.parametrize("file", RECORDS, ids=[file.stem for file in RECORDS])
def test_records_and_their_decisions(file: Path) -> None:
    """Each record is sound, and its decisions are those beside it, line by line."""
    lines: list[str] = []
    assert check(json.loads(file.read_bytes()), lambda decision: lines.append(legal_line(decision))) == []
    assert (FOLDER / "decisions" / f"{file.stem}.jsonl").read_text() == "".join(f"{line}\n" for line in lines)


def test_everything_occurs() -> None:
    """Every option that has a say, every reason why a card is refused, each end, preset and number of players."""
    variants = {name: from_json(rules) for name, rules in POSITIONS["rule_sets"].items()}
    used = [variants[case["rules"]] for case in POSITIONS["positions"]]
    assert {variant.opening_lead for variant in used} == set(OpeningLead)
    assert {variant.first_trick_penalty for variant in used} == set(FirstTrickPenalty)
    assert {variant.lead_escape for variant in used} == set(LeadEscape)
    assert {variant.scoring for variant in used} == set(Scoring)
    assert {case["rules"] for case in POSITIONS["hearts"]} == {rule.value for rule in HeartsLead}
    assert {case["open"] for case in POSITIONS["hearts"]} == {True, False}
    binding = Counter(one["reason"] for case in POSITIONS["positions"] for one in case["refused"])
    waived = Counter(reason for case in POSITIONS["positions"] for reason in case["waived"])
    of_play = {
        Violation.OPENING_LEAD.name,
        Violation.MUST_FOLLOW_SUIT.name,
        Violation.NO_PENALTY_ON_FIRST_TRICK.name,
        Violation.HEARTS_CLOSED.name,
    }
    assert set(binding) == of_play
    assert set(waived) == of_play
    assert {case["rules"]["scoring"] for case in SCORES["scores"] if case["shooter"] is not None} == set(Scoring)
    assert {case["termination"] for case in SCORES["ends"]} == {None, "target", "deals", "max_deals"}
    records = [json.loads(file.read_bytes()) for file in RECORDS]
    rules = [from_json(record["rules"]) for record in records]
    kinds = {(variant.preset.split("-")[0], variant.players) for variant in rules}
    assert kinds >= {("classic", n) for n in range(3, 8)} | {("cancellation", n) for n in range(6, 12)}
    assert {variant.pass_mode for variant in rules} == set(PassMode)
    ends = {record["result"]["termination"] if "result" in record else None for record in records}
    assert ends == {None, "deals", "target", "cancelled"}


def run_node(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the check of the deals in JavaScript."""
    return subprocess.run(
        ["node", str(FOLDER / "check_deals.mjs"), *words], capture_output=True, text=True, check=False, timeout=60
    )


@needs_node
def test_deals_in_javascript() -> None:
    """A program that shares no line with ours deals the same cards."""
    done = run_node()
    assert done.stdout.endswith("comparisons, 0 wrong\n"), done.stdout + done.stderr
    assert done.returncode == 0


@needs_node
def test_the_check_in_javascript_finds_what_is_wrong(tmp_path: Path) -> None:
    """Two cards that changed places, a seed, a draw and a commitment that are others: five things are told."""
    document = json.loads((FOLDER / "deals.json").read_text())
    hands = document["vectors"][3]["hands"]
    hands[0][0], hands[1][0] = hands[1][0], hands[0][0]
    document["vectors"][5]["bot_seed"]["seed"] ^= 1
    document["vectors"][3]["pool"]["dealt"][0].reverse()
    document["draws"][0]["number"] += 1
    document["chain"]["commitment"] = "00" * 32
    file = tmp_path / "deals.json"
    file.write_text(json.dumps(document))
    done = run_node(str(file))
    assert done.returncode == 1
    assert done.stdout.endswith("comparisons, 5 wrong\n")
