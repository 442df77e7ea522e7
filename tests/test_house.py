"""The house keeps its own rules, as far as no tool checks them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parent.parent
MOST_LINES: Final = 400
PACKAGES: Final = ("arena", "referee", "sample_bots/python/src", "bench", "scripts")
MODULES: Final = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def test_no_module_is_too_long() -> None:
    """No module has more lines than can be held in mind."""
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}


def test_tests_are_where_their_modules_are() -> None:
    """Each folder of tests is a package of the house, or one of the few that serve all."""
    known = {
        "rules",
        "table",
        "host",
        "transport",
        "schedule",
        "ratings",
        "service",
        "storage",
        "cli",
        "app",
        "bots",
        "e2e",
        "fuzz",
        "naive",
        "bench",
    }
    helping = {"support", "vectors", "golden"}
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] not in "._"}
    assert folders <= known | helping


@pytest.mark.parametrize("script", sorted((ROOT / "arena" / "storage" / "scripts").glob("*.lua")), ids=lambda p: p.stem)
def test_scripts_say_what_they_take_and_give(script: Path) -> None:
    """Each Lua script opens with its purpose, its keys, its arguments and what it returns."""
    head = script.read_text().partition("\nlocal ")[0].partition("\nif ")[0]
    assert head.startswith("-- ")
    assert [word for word in ("KEYS", "ARGV", "Returns") if word not in head] == []
