"""Judges the records of a tournament: by the checker of `arena record check`, and for being what was asked for."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.cli.records.checking import Checker
from referee.rules.presets import from_json
from tests.e2e.variants.catalogue import LEAST_DEALS, Entry


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
        verdict.problems += [f"{file}: record {number}: {text}" for text in _oddities(record, entry)]
    if verdict.deals < LEAST_DEALS and not entry.to_target:
        verdict.problems.append(f"{file}: {verdict.deals} deals are fewer than {LEAST_DEALS}")
    return verdict


def _decisions(deal: Mapping[str, Any]) -> Counter[str]:
    """Return how many decisions of each kind the bots made in *deal*, and what its shooter chose."""
    counts = Counter({kind: len(deal[kind] or ()) for kind in ("passes", "returns", "plays")})
    if deal["sources"]["moon"]:
        counts[f"moons of {deal['moon']}"] += 1
    return +counts


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
