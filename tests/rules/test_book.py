"""The rules by number: docs/rules.md tells what the code has, and the code cites what the document tells."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from referee.rules.book import RULE_OF_OPTION, Rule, rule_of_option
from referee.rules.options import OPTIONS
from referee.rules.play import RESTRICTIONS, Violation
from referee.rules.presets import resolve, to_json
from referee.rules.variant import VariantError
from referee.table.reading import RULES_BY_WORD, Problem

ROOT: Final = Path(__file__).resolve().parents[2]
DOC: Final = (ROOT / "docs" / "rules.md").read_text()
BOOK: Final = ROOT / "referee" / "rules" / "book.py"
CITED: Final = re.compile(r"\bR([1-9][0-9]?)\b")


def sections() -> dict[int, str]:
    """Return the text of each rule in the document, by number, up to the next heading."""
    parts = re.split(r"^### R(\d+)\n", DOC, flags=re.MULTILINE)[1:]
    return {int(number): text.split("\n#", 1)[0] for number, text in zip(parts[::2], parts[1::2], strict=True)}


def sources(*packages: str) -> Iterator[Path]:
    """Yield the modules of *packages* that cite rules, the book itself left out."""
    for package in packages:
        yield from (path for path in sorted((ROOT / package).rglob("*.py")) if path != BOOK)


def test_the_document_tells_every_rule_once_in_order_by_its_title() -> None:
    """Numbers and titles of the document are those of the code."""
    assert re.findall(r"^### R(\d+)$", DOC, re.MULTILINE) == [str(rule.value) for rule in Rule]
    titles = {number: re.match(r"\n\*\*(.+)\.\*\* ", text) for number, text in sections().items()}
    assert {number: title and title[1] for number, title in titles.items()} == {rule: rule.title for rule in Rule}


def test_every_option_has_a_rule_that_names_it() -> None:
    """Each option belongs to a rule, whose text has it among its options; and no other names are there."""
    assert set(RULE_OF_OPTION) == {"preset", *OPTIONS}
    lines = {number: text.partition("\nOptions: ")[2] for number, text in sections().items()}
    told = {number: re.findall(r"`([a-z_0-9]+)`", line) for number, line in lines.items()}
    assert [name for name in OPTIONS if name not in told[rule_of_option(name)]] == []
    others = {name for names in told.values() for name in names} - set(OPTIONS)
    assert others == {"cycle_give_back"}  # the value that two defaults depend on
    assert rule_of_option("colour") is Rule.RULE_SETS


def test_the_table_of_options() -> None:
    """It has every option in order, all values of a choice, the presets' own values, and the rule."""
    table = DOC.split("\n## Options", 1)[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:3] == "| `"]
    assert [row[0].strip("`") for row in rows] == list(OPTIONS)
    presets = [to_json(resolve(name)) for name in ("standard", "classic", "cancellation")]
    for cell, values, *by_preset, rule in rows:
        name = cell.strip("`")
        assert rule == f"[{rule_of_option(name).label}](#r{rule_of_option(name):d})"
        if re.fullmatch(r"[a-z0-9_]+(, [a-z0-9_]+)+", OPTIONS[name].allowed):
            assert set(re.findall(r"`?([a-z0-9_]+)`?", values)) == set(OPTIONS[name].allowed.split(", "))
        for preset, told in zip(presets, by_preset, strict=True):
            value = preset[name]
            if told in ("by players", "3 to 7", "6 to 11", "the same with 4 players, else left, right"):
                continue
            text = ", ".join(map(str, value)) if isinstance(value, list) else json.dumps(value).strip('"')
            assert told == (text or "none"), (name, preset["preset"])


def test_the_code_cites_rules_that_exist_and_all_of_them() -> None:
    """Every number in the code is one of the book; each rule is cited where it is coded, by number or by name."""
    cited: set[int] = set()
    for path in sources("referee", "arena"):
        text = path.read_text()
        numbers = {int(number) for number in CITED.findall(text)}
        assert numbers <= {rule.value for rule in Rule}, path
        if "referee" in path.parts[len(ROOT.parts) :]:
            cited |= numbers | {Rule[name].value for name in re.findall(r"\bRule\.([A-Z_]+)", text)}
    assert cited == {rule.value for rule in Rule}


@pytest.mark.parametrize("name", ["docs", "proto", "sample_bots", "README.md", "CONTRIBUTING.md"])
def test_documents_cite_rules_that_exist(name: str) -> None:
    """A number with an anchor in a document is one of the book."""
    place = ROOT / name
    paths = [place] if place.is_file() else [path for path in place.rglob("*.md") if "node_modules" not in path.parts]
    for path in paths:
        for label, anchor in re.findall(r"\[R(\d+)\]\([a-z./]*#r(\d+)\)", path.read_text()):
            assert label == anchor
            assert int(label) in set(Rule)


def test_every_violation_carries_its_rule() -> None:
    """The reason in words is the value, and the rule stands beside it; restrictions have rules of their own."""
    assert {violation.rule for violation in Violation} <= set(Rule)
    assert Violation.MUST_FOLLOW_SUIT.value == "the suit led must be followed"
    assert [why.rule.label for why, _ in RESTRICTIONS] == ["R11", "R14", "R15", "R16"]


def test_errors_of_rule_sets_cite_the_rule_of_the_option() -> None:
    """The error has the rule, and its sentence the number."""
    error = VariantError("hearts_lead", "never", "something else")
    assert error.rule is Rule.LEADING_HEARTS
    assert str(error).endswith("(R16)")
    assert VariantError("colour", "red", "an option that exists").rule is Rule.RULE_SETS


def test_every_word_of_a_problem_has_its_rule() -> None:
    """What the record checker may report is known, and told with its number."""
    words = {word for path in sources("referee/table") for word in _words(ast.parse(path.read_text()))}
    computed = {"NUMBER", "DEALER", "POINTS", "TOTALS", "PASSES", "RETURNS", "POOL_DEALT"}  # made of a key's name
    assert words | computed | {violation.name for violation in Violation} == set(RULES_BY_WORD)
    assert str(Problem(2, None, 1, "POINTS", "wrong")) == "deal 2, seat 1: POINTS (R22): wrong"
    assert str(Problem(None, None, None, "FORMAT", "wrong")) == "game: FORMAT: wrong"
    assert Rule.POINTS.link == "docs/rules.md#r22"


def _words(tree: ast.AST) -> Iterator[str]:
    """Yield the rule of every flaw and problem that is made with a literal one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            place = {"Flaw": 0, "Problem": 3}.get(getattr(node.func, "id", ""))
            if place is not None and len(node.args) > place:
                word = node.args[place]
                if isinstance(word, ast.Constant):
                    yield str(word.value)
