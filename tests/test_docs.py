"""The documents are in step with what they speak of: links, verbs of make, commands and options of the command line."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from arena.cli.main import COMMANDS, load

ROOT: Final = Path(__file__).resolve().parent.parent
LINK: Final = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")
FENCE: Final = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
OPTION: Final = re.compile(r"--[a-z][a-z-]*")


def _documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    names = listed.stdout.split() if listed.returncode == 0 else [str(path) for path in ROOT.glob("[!.]*/**/*.md")]
    return sorted(ROOT / name for name in names if (ROOT / name).exists())


DOCUMENTS: Final = _documents()


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _anchors(path: Path) -> frozenset[str]:
    """Return the anchors of the headings of *path*, made as code hosts make them."""
    anchors: set[str] = set()
    for line in FENCE.sub("", path.read_text()).splitlines():
        if line.startswith("#"):
            title = re.sub(r"[^\w\- ]", "", line.lstrip("#").strip().lower()).replace(" ", "-")
            same = (f"{title}-{number}" for number in range(1, 100))
            anchors.add(title if title not in anchors else next(name for name in same if name not in anchors))
    return frozenset(anchors)


def _broken(document: Path) -> Iterator[str]:
    for target in LINK.findall(FENCE.sub("", document.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        path = (document.parent / place).resolve() if place else document
        if not path.exists():
            yield f"{target}: no such file"
        elif not path.is_relative_to(ROOT):
            yield f"{target}: outside of the repository"
        elif anchor and anchor not in _anchors(path):
            yield f"{target}: no such heading"


@pytest.mark.parametrize("document", DOCUMENTS, ids=_name)
def test_links_lead_somewhere(document: Path) -> None:
    """Every link within the repository leads to a file, and its anchor to a heading."""
    assert list(_broken(document)) == []


def test_the_index_lists_every_document() -> None:
    """Each document of docs is linked from its index."""
    for folder in (ROOT / "docs", ROOT / "docs" / "decisions"):
        index = (folder / "README.md").read_text()
        assert [path.name for path in folder.glob("*.md") if path.name != "README.md" and path.name not in index] == []


def test_verbs_of_make_exist_and_are_told() -> None:
    """Every `make VERB` in a document is a verb, and CONTRIBUTING tells of each verb that `make help` lists."""
    makefile = (ROOT / "Makefile").read_text()
    verbs = set(re.findall(r"^([a-z][a-z-]*):", makefile, re.MULTILINE))
    listed = set(re.findall(r"^([a-z][a-z-]*):.*## ", makefile, re.MULTILINE))
    for document in DOCUMENTS:
        told = set(re.findall(r"(?:`|^ {4})make ([a-z][a-z-]*)", document.read_text(), re.MULTILINE))
        assert told <= verbs, f"{_name(document)} tells of verbs that do not exist"
    contributing = (ROOT / "CONTRIBUTING.md").read_text()
    assert [verb for verb in listed if f"make {verb}" not in contributing] == []


def _calls(document: Path) -> Iterator[str]:
    """Yield the calls of `arena` in the code blocks of *document*, one line each."""
    text = document.read_text().replace("\\\n", " ")
    for line in text.splitlines():
        if match := re.match(r"(?: {4}|\$ )?\s*(arena [a-z].*)", line):
            yield match[1].partition("  #")[0].partition(" && ")[0].partition(" | ")[0]


@cache
def _command(name: str) -> Any:  # noqa: ANN401 - typer's own command class is not public
    return load(name)


def _unknown(call: str) -> str:
    """Return what is wrong with a *call*, or nothing."""
    words = shlex.split(call)[1:]
    if words[0] not in COMMANDS:
        return f"{call}: no command {words[0]}"
    command, rest = _command(words[0]), words[1:]
    while (below := getattr(command, "commands", None)) and rest and not rest[0].startswith("-"):
        if rest[0] not in below:
            return f"{call}: no command {rest[0]}"
        command, rest = below[rest[0]], rest[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
    used = [word.partition("=")[0] for word in rest if OPTION.match(word)]
    return "".join(f"{call}: no option {option}" for option in used if option not in known | {"--help"})


@pytest.mark.parametrize("document", [path for path in DOCUMENTS if any(_calls(path))], ids=_name)
def test_commands_in_documents_exist(document: Path) -> None:
    """Every call of `arena` that a document shows names commands and options that exist."""
    assert [wrong for wrong in map(_unknown, _calls(document)) if wrong] == []


def test_every_command_is_in_the_table_of_the_command_line() -> None:
    """A command that exists has its row, and a group's row names all its subcommands, unless it names none."""
    text = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    for name in COMMANDS:
        row = next((row for row in rows if f"`arena {name}`" in row), None)
        assert row is not None, f"docs/cli.md has no row for arena {name}"
        named = set(re.findall(r"`([a-z]+)`", row.split("|")[2]))
        assert not named or named == set(load(name).commands), name


def test_python_in_documents_is_python() -> None:
    """Every block of Python in a document compiles."""
    for document in DOCUMENTS:
        for block in re.findall(r"^```python\n(.*?)^```", document.read_text(), re.MULTILINE | re.DOTALL):
            compile(block, _name(document), "exec", dont_inherit=True)
