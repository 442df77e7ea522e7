"""The variants through the real service: a small share of what `python -m tests.e2e.variants` plays in full."""

from __future__ import annotations

import json
import shlex
import sys
from enum import Enum
from pathlib import Path

import pytest

from referee.rules.options import OPTIONS
from referee.rules.presets import resolve
from tests.e2e.variants.catalogue import EVERYTHING, LEAST_DEALS, SHARE, Entry
from tests.e2e.variants.judging import Verdict, judge
from tests.e2e.variants.playing import play, records_file

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")

NODE = Path(__file__).parents[2] / "sample_bots" / "node"
MIXED = (Entry("hoemke-3144", 4), Entry("hoemke-4333", 4), Entry("classic", 7), Entry("cancellation", 11))
ONE = (Entry("cancellation", 6, ("target=1",)),)


def test_the_catalogue_is_whole() -> None:
    """It has all presets at all their table sizes under names of their own, and the share has every alternative."""
    assert len({entry.name for entry in EVERYTHING}) == len(EVERYTHING)
    plain = {(entry.preset, entry.players) for entry in EVERYTHING if not entry.options}
    assert len([preset for preset, _ in plain if preset.startswith("hoemke")]) == 256
    assert {players for preset, players in plain if preset == "classic"} == set(range(3, 8))
    assert {players for preset, players in plain if preset == "cancellation"} == set(range(6, 12))
    assert set(SHARE) <= set(EVERYTHING)
    values: dict[str, set[object]] = {}
    for entry in SHARE:
        variant = entry.variant()
        for name in OPTIONS:
            values.setdefault(name, set()).add(getattr(variant, name))
    for name, option in OPTIONS.items():
        usual: object = getattr(resolve("standard"), name)
        alternatives = set(type(usual)) if isinstance(usual, Enum) else {True, False} if isinstance(usual, bool) else ()
        assert values[name].issuperset(alternatives), option


def test_a_tournament_is_played_judged_and_not_played_again(tmp_path: Path) -> None:
    """Real bots play under two packs; the records are right; what is there already is not played once more."""
    assert list(play(tmp_path, ONE)) == list(ONE)
    verdict = judge(records_file(tmp_path, ONE[0]), ONE[0])
    assert verdict.problems == []
    assert verdict.records == 4
    assert list(play(tmp_path, ONE)) == []
    file = records_file(tmp_path, ONE[0])
    lines = file.read_bytes().splitlines()
    record = json.loads(lines[0])
    record["deals"][0]["points"][0] += 1
    record["deals"][0]["sources"]["plays"][3] = "timeout"
    file.write_bytes(json.dumps(record).encode() + b"\n")
    problems = " ".join(judge(file, Entry("cancellation", 6)).problems)
    for words in (
        "points",
        "naive reading: deal 1: points",
        "plays by timeout",
        "not those of the tournament",
        f"are fewer than {LEAST_DEALS}",
    ):
        assert words in problems


@pytest.mark.full
@pytest.mark.skipif(not (NODE / "node_modules").exists(), reason="needs Node, and npm ci in sample_bots/node")
def test_all_sample_bots_at_one_table(tmp_path: Path) -> None:
    """Bots that think and one in JavaScript make every kind of decision, with one pack and two, and make no fault."""
    python = [f"python -m hearts_bot.bots.{name}" for name in ("counter", "cautious", "random")]
    for entry in play(tmp_path, MIXED, commands=[f"node {shlex.quote(str(NODE / 'random.js'))}", *python]):
        verdict = judge(records_file(tmp_path, entry), entry)
        assert verdict.problems == []
        assert verdict.records >= entry.players


SPOILER = """
from hearts_bot import run
from hearts_bot.bots.random import RandomBot

class Spoiler(RandomBot):
    def play(self, view):
        return view.random.choice(view.hand if view.random.random() < 0.03 else view.legal)

    def pass_cards(self, view):
        number = view.random.choice([view.rules.pass_count] * 8 + [1, 12])
        return [view.hand[0]] * number if number == 12 else view.random.sample(view.hand, number)

    def give_back(self, view):
        return view.random.choice(view.hand)

run(Spoiler)
"""


@pytest.mark.full
def test_spoilers_leave_right_records(tmp_path: Path) -> None:
    """Bots that answer wrongly wherever they can: substitutes and autopilots keep to the rules of every variant."""
    program = tmp_path / "spoiler.py"
    program.write_text(SPOILER)
    faulty = set()
    for entry in play(tmp_path / "run", MIXED, commands=[shlex.join([sys.executable, str(program)])]):
        problems = judge(records_file(tmp_path / "run", entry), entry).problems
        assert [problem for problem in problems if "not by the bots" not in problem] == []
        faulty |= {problem.rpartition(": ")[2] for problem in problems}
    for words in ("passes by", "returns by", "plays by autopilot"):
        assert any(words in problem for problem in faulty), faulty


@pytest.mark.full
def test_every_alternative_through_the_real_service(tmp_path: Path) -> None:
    """One server, the same eleven bot processes: every alternative, option and kind of pack, all records right."""
    total = Verdict()
    for entry in play(tmp_path, SHARE):
        total.add(judge(records_file(tmp_path, entry), entry))
    assert total.problems == []
    assert total.deals >= LEAST_DEALS * (len(SHARE) - 2)
    assert {"passes", "returns", "plays"} <= set(total.decisions)
