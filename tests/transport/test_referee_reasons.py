"""docs/protocol.md lists every reason that the code of both edges gives, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.transport.server import CALLS
from referee.host.discipline import AUTOPILOT
from referee.host.faults import Fault
from referee.host.hall import NO_SEAT, HallConfig
from referee.host.match import WRONG_FORM
from referee.rules.book import Rule
from referee.rules.play import Violation
from referee.transport.doors import StreamLimits
from referee.transport.gate import NO_TOKEN, REQUEST_SECONDS
from referee.transport.reasons import CODES, RETRY_SECONDS, code_of
from referee.transport.servicer import HELLO_SECONDS

ROOT = Path(__file__).parents[2]
DOC = (ROOT / "docs" / "protocol.md").read_text()
REFUSING = {"NotAdmitted": 0, "SessionRefused": 0, "MalformedFrame": 0, "End": 0, "NotAuthenticated": 0}
REFUSING |= {"status_with": 1, "_abort": 1, "_refuse": 2}
AT_THE_GATE = {"TOO_MANY_STREAMS", "REQUEST_EXPECTED"}
UPPER_SNAKE = re.compile(r"[A-Z][A-Z0-9_]+")


def reasons_in(package: str) -> set[str]:
    """Return the reasons that stand as literals in the code of *package*."""
    return {
        reason for path in sorted((ROOT / package).rglob("*.py")) for reason in _literals(ast.parse(path.read_text()))
    }


def _literals(tree: ast.AST) -> Iterator[str]:
    """Yield the literals that are given as the reason of a refusal, or are the `reason` of a class."""
    for node in ast.walk(tree):
        value: ast.expr | None = None
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            place = REFUSING.get(name)
            if place is not None and len(node.args) > place:
                value = node.args[place]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            value = node.value if getattr(target, "id", "") == "reason" else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str) and UPPER_SNAKE.fullmatch(value.value):
            yield value.value


def section(title: str) -> list[list[str]]:
    """Return the rows of the table below the heading that begins with *title*, cell by cell."""
    text = DOC.split(f"\n### {title}", 1)[1].split("\n#", 1)[0]
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def names(cell: str) -> list[str]:
    """Return the names set as code in a cell."""
    return re.findall(r"`([A-Z0-9_]+)`", cell)


def told(title: str) -> dict[str, str]:
    """Return what a table says of each name: the second cell."""
    return {name: row[1].strip("`") for row in section(title) for name in names(row[0])}


def test_the_reasons_of_a_stream() -> None:
    """The table of the stream is the table of the code, with the same statuses."""
    assert told("Of a stream") == {reason: code.name for reason, code in CODES.items()}
    assert reasons_in("referee") <= set(CODES)
    assert set(RETRY_SECONDS) <= set(CODES)


def test_the_reasons_of_a_call() -> None:
    """Every reason that the arena gives is told for one of the edges, and none besides."""
    of_calls = told("Of a call")
    given = reasons_in("arena")
    assert given <= set(of_calls) | set(CODES)
    assert set(of_calls) <= given | {"INVALID_FIELD"} | AT_THE_GATE


def test_the_reasons_of_rejections_and_the_codes_of_notices() -> None:
    """The tables of rejections and notices are those of the code."""
    rules = {WRONG_FORM: Rule.ANSWERS} | {violation.name: violation.rule for violation in Violation}
    cited = {name: f"[{rule.label}](rules.md#r{rule:d})" for name, rule in rules.items()}
    assert {name: row[2] for row in section("Of an answer") for name in names(row[0])} == cited
    assert set(told("Of a notice")) == {AUTOPILOT, NO_SEAT, *(fault.name for fault in Fault)}


def test_the_limits() -> None:
    """The numbers in the document are those of the configuration."""
    config, streams = HallConfig(), StreamLimits()
    for text in (
        f"{CALLS.streams}; {CALLS.per_address} of one address, {CALLS.waiting} of them without their message",
        f"{NO_TOKEN.streams}; {NO_TOKEN.per_address} of one address",
        f"has to come within {REQUEST_SECONDS:.0f} s",
        f"{config.default_tables} if the bot does not say, at most {config.max_tables}",
        f"{config.default_open} if the bot does not say, at most {config.max_open}",
        f"at most {config.sessions_per_bot} sessions",
        f"within {HELLO_SECONDS:.0f} seconds",
        f"`heartbeat_millis` ({config.heartbeat:.0f} s)",
        f"| a frame that the bot does not read | {config.stall:.0f} s |",
        f"nothing | {config.unread_bytes >> 20} MiB, and {config.stall:.0f} s |",
        f"| {config.arrival_rate} times a second, {config.arrival_burst} at once |",
        f"| {config.waste_rate} a second, {config.waste_burst} at once |",
        f"| {streams.streams}; {streams.per_address} of one address, {streams.waiting} of them not yet let in |",
        f"| {streams.message_bytes >> 20} MiB (`Welcome.max_message_bytes`) |",
    ):
        assert text in DOC


@pytest.mark.parametrize("reason", ["SOMETHING_NEW", ""])
def test_a_reason_of_an_admission_of_its_own(reason: str) -> None:
    """A reason that is not in the table is one of `Admission`, which lets nobody in."""
    assert code_of(reason).name == "UNAUTHENTICATED"
