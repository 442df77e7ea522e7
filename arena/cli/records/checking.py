"""Checks the records of files, one after the other, and says what is wrong where."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from arena.cli.output import counted
from arena.cli.records.files import RecordText, Unreadable, read_records
from arena.cli.streams import harmless
from referee.table.check import check, legal_line
from referee.table.reading import Problem
from referee.table.record import NotARecord, decode

if TYPE_CHECKING:
    from referee.table.adjudicate import Decision, Witness

_MOST: Final = 10_000
"""The most problems told of one file, so that a large file of nonsense needs no more memory than a record."""


class _Unread(Problem):
    """That a file gave no record. There is no game then, and no rule, to be named."""

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class Report:
    """What was found in one file. Each problem stands beside the number of its record."""

    file: str
    records: int = 0
    deals: int = 0
    alone: bool = True
    problems: list[tuple[int, Problem]] = field(default_factory=list)
    untold: int = 0
    """How many problems more there are."""

    def add(self, number: int, problem: Problem) -> None:
        """Note a *problem* in record *number*."""
        if len(self.problems) < _MOST:
            self.problems.append((number, problem))
        else:
            self.untold += 1

    def lines(self) -> list[str]:
        """Return the report for people: a line a problem, or one that says that all is right."""
        file = harmless(_printable(self.file))
        if not self.problems:
            return [f"{file}: {counted(self.records, 'record')}, {counted(self.deals, 'deal')}, all right"]
        where = [f"{file}: " + ("" if self.alone else f"record {number}: ") for number, _ in self.problems]
        told = [place + str(problem) for place, (_, problem) in zip(where, self.problems, strict=True)]
        return told + ([f"{file}: {counted(self.untold, 'problem')} more"] if self.untold else [])

    def as_json(self) -> dict[str, object]:
        """Return the report for scripts."""
        problems = [
            {"record": number} | asdict(problem) | {"rule_number": problem.rule_number}
            for number, problem in self.problems
        ]
        counts = {"records": self.records, "deals": self.deals, "untold": self.untold}
        return {"file": _printable(self.file)} | counts | {"problems": problems}


class Checker:
    """Checks files; with *legal*, prints what was legal at every decision, with the file where there are *several*."""

    def __init__(self, *, legal: bool, several: bool) -> None:
        self._legal: Final = legal
        self._several: Final = several

    def check(self, file: str) -> Report:
        """Check all records of *file*."""
        report = Report(file)
        for item in read_records(file):
            self._check_item(item, report)
        return report

    def _check_item(self, item: RecordText | Unreadable, report: Report) -> None:
        if isinstance(item, Unreadable):
            report.add(item.number, _Unread(None, None, None, "FORMAT", item.reason))
            return
        report.records += 1
        report.alone = item.alone
        try:
            record = decode(item.data)
        except NotARecord as error:
            report.add(item.number, Problem(None, None, None, "FORMAT", str(error)))
            return
        deals = record.get("deals")
        report.deals += len(deals) if isinstance(deals, list) else 0
        witness = self._witness(report.file, item) if self._legal else None
        for problem in check(record, witness):
            report.add(item.number, problem)

    def _witness(self, file: str, item: RecordText) -> Witness:
        named = _printable(file) if self._several else None

        def tell(decision: Decision) -> None:
            line = legal_line(decision, named)
            if not item.alone:  # several records in a file would be told apart by nothing else
                line = json.dumps({"record": item.number} | json.loads(line))
            sys.stdout.write(line + "\n")

        return tell


def _printable(file: str) -> str:
    """Return the name of *file* as text, also where its bytes are none."""
    return os.fsencode(file).decode(errors="replace")
