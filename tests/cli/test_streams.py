"""Standard streams as they may come: closed, cut off by who reads them, or of an encoding with few letters."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import call_process

if TYPE_CHECKING:
    from pathlib import Path

ARENA = f"{sys.executable} -m arena.cli"
COMMANDS = (
    "--help",
    "--version",
    "rules list",
    "rules show classic",
    "rules list --json",
    "record check nowhere",
    "frob",
)
ASCII = {"PYTHONIOENCODING": "ascii"}


def shell(line: str) -> subprocess.CompletedProcess[str]:
    """Run *line* in a shell, ARENA standing for the command line."""
    return subprocess.run(
        ["/bin/sh", "-c", line.replace("ARENA", ARENA)], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing(words: str, closed: str) -> None:
    """The exit code is that with streams, and what is left to write to gets what it would have got."""
    usual, without = shell(f"ARENA {words}"), shell(f"ARENA {words} {closed}")
    assert without.returncode == usual.returncode
    assert without.stdout == ("" if ">&-" in closed.replace("2>&-", "") else usual.stdout)
    assert without.stderr == ("" if "2>&-" in closed else usual.stderr)


@pytest.mark.parametrize("words", ["rules list --all", "rules list --all --json", "--help"])
def test_a_reader_that_goes_away(words: str) -> None:
    """Nobody is told of it: who has seen enough knows."""
    done = shell(f"ARENA {words} | head -c 10 >/dev/null")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_terminal_without_our_letters(tmp_path: Path) -> None:
    """What cannot be written becomes an escape, in text and in errors, and JSON stays JSON."""
    name = tmp_path / "spiel-ü-♠.json"
    called = call_process("record", "check", str(name), env=ASCII)
    assert (called.code, called.err) == (1, "")
    assert "spiel-\\xfc-\\u2660.json: cannot be read: no such file" in called.out
    called = call_process("record", "check", "--json", str(name), env=ASCII)
    assert json.loads(called.out)["files"][0]["file"] == str(name)
    called = call_process("rules", "show", "klassisch-ü", env=ASCII)
    assert (called.code, "Error" in called.err) == (2, False)
    name.write_text('{"game": "ü ♠ 𝄞"}\n', encoding="utf-8")
    called = call_process("record", "show", "--json", str(name), env=ASCII)
    assert (called.code, called.err) == (0, "")
    assert json.loads(called.out) == {"game": "ü ♠ 𝄞"}


def test_no_blanks_at_the_ends_of_lines() -> None:
    """Tables in files and pipes are text that can be compared."""
    out = call_process("rules", "list").out
    assert out.count("\n") > 3
    assert [line for line in out.split("\n") if line != line.rstrip()] == []
