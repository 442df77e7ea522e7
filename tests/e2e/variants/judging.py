"""Judges the records of a tournament: whether they are right, and what was asked for.

The readings of `arena record check` and of `tests.naive`, which share no code, are held against each other decision by
decision: who decided, what was legal, what was chosen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.cli.records.checking import Checker
from referee.rules.presets import from_json
from referee.table.check import check, legal_line
from tests.e2e.variants.catalogue import LEAST_DEALS, Entry
from tests.naive.record import adjudicate


@dataclass(slots=True)
class Verdict:
    """What the records of one tournament, or of several, add up to."""

    records: int = 0
    deals: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, other: Verdict) -> None:
        """Add what another one found."""
        self.records += other.records
        self.deals += other.deals
        self.decisions += other.decisions
        self.problems += other.problems


def judge(file: Path, entry: Entry) -> Verdict:
    """Return what is to be said of the records in *file*, which *entry* has left."""
    report = Checker(legal=False, several=False).check(str(file))
    verdict = Verdict(report.records, report.deals, problems=report.lines() if report.problems else [])
    for number, line in enumerate(file.read_bytes().splitlines(), start=1):
        record = json.loads(line)
        for deal in record["deals"]:
            verdict.decisions += _decisions(deal)
        found = [*_disagreements(record), *_oddities(record, entry)]
        verdict.problems += [f"{file}: record {number}: {text}" for text in found]
    if verdict.deals < LEAST_DEALS and not entry.to_target:
        verdict.problems.append(f"{file}: {verdict.deals} deals are fewer than {LEAST_DEALS}")
    return verdict


def _decisions(deal: Mapping[str, Any]) -> Counter[str]:
    """Return how many decisions of each kind the bots made in *deal*, and what its shooter chose."""
    counts = Counter({kind: len(deal[kind] or ()) for kind in ("passes", "returns", "plays")})
    if deal["sources"]["moon"]:
        counts[f"moons of {deal['moon']}"] += 1
    return +counts


def _disagreements(record: dict[str, Any]) -> list[str]:
    """Return what the naive reading finds wrong, and where it differs from the referee's reading."""
    theirs = adjudicate(record)
    lines: list[str] = []
    check(record, lambda decision: lines.append(legal_line(decision)))
    ours = [_sorted(json.loads(line)) for line in lines]
    naive = [_sorted(decision) for decision in theirs.decisions]
    found = [f"naive reading: {problem}" for problem in theirs.problems]
    if ours != naive:
        at = next((i for i, pair in enumerate(zip(ours, naive, strict=False)) if pair[0] != pair[1]), None)
        pair = (len(ours), len(naive)) if at is None else (ours[at], naive[at])
        found.append(f"the referee and the naive reading differ: {pair[0]} and {pair[1]}")
    return found


def _sorted(decision: dict[str, Any]) -> dict[str, Any]:
    """Return *decision* with its legal cards in one order."""
    return decision | {"legal": sorted(decision["legal"])} if "legal" in decision else decision


def _oddities(record: Mapping[str, Any], entry: Entry) -> list[str]:
    """Return what is legal and still not what was asked for: other rules, a fault, an end before the end."""
    found = []
    if from_json(record["rules"]) != entry.variant():
        found.append("the rules are not those of the tournament")
    if record["result"]["termination"] not in ("deals", "target", "max_deals"):
        found.append(f"it was {record['result']['termination']}")
    for deal in record["deals"]:
        for kind, words in deal["sources"].items():
            others = {word for word in ([words] if isinstance(words, str) else words or []) if word != "bot"}
            if others:
                found.append(f"deal {deal['number']}: {kind} by {', '.join(sorted(others))}, not by the bots")
    return found
