"""Checks the records of files, one after the other, and says what is wrong where."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from arena.cli.output import counted
from arena.cli.records.files import RecordText, read_records
from referee.table.check import check, legal_line
from referee.table.reading import Problem
from referee.table.record import NotARecord, decode

if TYPE_CHECKING:
    from referee.table.adjudicate import Decision, Witness


@dataclass(slots=True)
class Report:
    """What was found in one file. Each problem stands beside the number of its record."""

    file: str
    records: int = 0
    deals: int = 0
    alone: bool = True
    problems: list[tuple[int, Problem]] = field(default_factory=list)

    def lines(self) -> list[str]:
        """Return the report for people: a line a problem, or one that says that all is right."""
        if not self.problems:
            return [f"{self.file}: {counted(self.records, 'record')}, {counted(self.deals, 'deal')}, all right"]
        where = [f"{self.file}: " + ("" if self.alone else f"record {number}: ") for number, _ in self.problems]
        return [place + str(problem) for place, (_, problem) in zip(where, self.problems, strict=True)]

    def as_json(self) -> dict[str, object]:
        """Return the report for scripts."""
        problems = [
            {"record": number} | asdict(problem) | {"rule_number": problem.rule_number}
            for number, problem in self.problems
        ]
        return {"file": self.file, "records": self.records, "deals": self.deals, "problems": problems}


class Checker:
    """Checks files; with *legal*, prints what was legal at every decision, with the file where there are *several*."""

    def __init__(self, *, legal: bool, several: bool) -> None:
        self._legal: Final = legal
        self._several: Final = several

    def check(self, file: str) -> Report:
        """Check all records of *file*."""
        report = Report(file)
        try:
            for item in read_records(file):
                self._check_item(item, report)
        except OSError as error:  # a file that stops being readable half way
            _add(report, report.records + 1, f"cannot be read: {error.strerror}")
        return report

    def _check_item(self, item: object, report: Report) -> None:
        if not isinstance(item, RecordText):
            _add(report, 1, getattr(item, "reason", "cannot be read"))
            return
        report.records += 1
        report.alone = item.alone
        try:
            record = decode(item.data)
        except NotARecord as error:
            _add(report, item.number, str(error))
            return
        deals = record.get("deals")
        report.deals += len(deals) if isinstance(deals, list) else 0
        witness = self._witness(report.file, item) if self._legal else None
        report.problems += [(item.number, problem) for problem in check(record, witness)]

    def _witness(self, file: str, item: RecordText) -> Witness:
        named = file if self._several else None

        def tell(decision: Decision) -> None:
            line = legal_line(decision, named)
            if not item.alone:  # several records in a file would be told apart by nothing else
                line = json.dumps({"record": item.number} | json.loads(line))
            sys.stdout.write(line + "\n")

        return tell


def _add(report: Report, number: int, text: str) -> None:
    report.problems.append((number, Problem(None, None, None, "FORMAT", text)))
