"""The tests that one mutant of `referee/rules` has to pass: of the changed module first, since most mutants end there.

Run by Cosmic Ray in the copy that `scripts/mutants.py` makes, where `pristine` holds the modules as they are.
"""

from __future__ import annotations

import sys
from filecmp import cmp
from pathlib import Path
from typing import Final

import pytest

QUICK: Final = ["play", "tricks", "scoring", "passing", "cards", "values", "book"]
NAMES: Final = [*QUICK, "presets", "validate", "laws", "dealing"]
TABLE: Final = [f"tests/table/test_cases_{name}.py" for name in ("opening", "scores")]
# Neither conftest nor plugins nor settings: they are of no use here, and cost more than most of these tests.
BARE: Final = ["-c", "/dev/null", "--rootdir=.", "--noconftest", "--import-mode=importlib"]
OPTIONS: Final = ["-p", "_hypothesis_pytestplugin", "-p", "no:cacheprovider", "--hypothesis-seed=1", "-qxm", "not full"]


def tests_of(names: list[str]) -> list[str]:
    """Return the files that test the modules *names* of the rules."""
    return [f"tests/rules/test_{name}.py" for name in names]


def main() -> int:
    """Return 0 if all tests pass."""
    modules = Path("referee/rules").glob("*.py")
    changed = [path.stem for path in modules if not cmp(path, Path("pristine") / path.name, shallow=False)]
    first = [name for name in NAMES if name in changed]
    stages = (tests_of(first), tests_of(NAMES) + TABLE)
    return next((1 for files in stages if files and pytest.main([*BARE, *OPTIONS, *files])), 0)


if __name__ == "__main__":
    sys.path.insert(0, "")
    sys.exit(main())
