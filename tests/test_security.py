"""SECURITY.md and the tests that hold its promises are in step."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
TEXT: Final = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
CITED: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
PROMISES: Final = [
    (cells[0].strip(), CITED.findall(cells[1]))
    for line in TEXT.splitlines()
    if line.startswith("| ") and (cells := line.strip().strip("|").split(" | ")) and "held by" not in cells[1]
]


def _tests_in(path: Path) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    return {node.name: node for node in functions if node.name.startswith("test_")}


@pytest.mark.parametrize(("promise", "cited"), PROMISES, ids=[promise[:40] for promise, _ in PROMISES])
def test_a_promise_is_held(promise: str, cited: list[tuple[str, str]]) -> None:
    """Every promise cites a test, and each test that is cited is there and never skipped."""
    assert cited, f"nothing holds: {promise}"
    for file, name in cited:
        assert (ROOT / file).exists(), file
        tests = _tests_in(ROOT / file)
        assert name in tests, f"{file} has no {name}"
        marks = [ast.unparse(mark) for mark in tests[name].decorator_list]
        assert not any("skip" in mark or "xfail" in mark for mark in marks)


def test_every_kind_of_stranger_is_spoken_of() -> None:
    """Bots, owners, watchers, the network, readers of logs and captured roles each have promises of their own."""
    sections = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
    with_promises = {section.partition("\n")[0] for section in sections if "| held by |" in section}
    assert {"A bot", "An owner", "A watcher", "A network", "A role that was taken over"} <= with_promises
    assert any(title.startswith("Who gets hold of logs") for title in with_promises)
    assert all(text in TEXT for text in ("## What is trusted", "Child bots of `arena run`", "## Reporting"))


def test_all_promises_are_read() -> None:
    """What looks like a citation is read as one, so that a slip of the pen hides none."""
    assert len(PROMISES) > 30
    assert sum(len(cited) for _, cited in PROMISES) == TEXT.count("::test_")
