"""Ways to call the command line in tests: in this process, and as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pytest

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True, slots=True)
class Called:
    """What a command line came to."""

    code: int
    out: str
    err: str


class Caller:
    """Calls the command line in this process."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *args: str) -> Called:
        """Run one command line."""
        self._capfd.readouterr()
        code = run(args)
        captured = self._capfd.readouterr()
        return Called(code, captured.out, captured.err)


def call_process(
    *args: str, cwd: Path | None = None, env: Mapping[str, str] | None = None, stdin: str = "", timeout: float = 60.0
) -> Called:
    """Run one command line as a process."""
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *args],
        cwd=cwd,
        env=os.environ | (env or {}),
        input=stdin,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    return Called(done.returncode, done.stdout, done.stderr)


def assert_golden(name: str, text: str) -> None:
    """Compare *text* with the file golden/*name*; with UPDATE_GOLDEN=1 in the environment, write it instead."""
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.exists(), f"there is no {file}; write it with 'make golden'"
    assert text == file.read_text(encoding="utf-8"), f"{file} differs; see 'make golden'"
