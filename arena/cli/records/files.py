"""Finds the records in files: one JSON object a file, or one a line.

Nothing that a file holds, or that keeps it from being read, is an error of ours: it comes out as `Unreadable`.
"""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STDIN: Final = "-"
_SUFFIXES: Final = (".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class RecordText:
    """A record as it stands in its file. Records are counted from 1; `alone` if it is the whole file."""

    number: int
    data: bytes
    alone: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that gave no records, and why."""

    number: int
    reason: str


def expand(names: Sequence[str]) -> list[str]:
    """Return the files that *names* stand for: a directory stands for those in it."""
    return [file for name in names for file in _expand(name)]


def read_records(name: str) -> Iterator[RecordText | Unreadable]:
    """Yield the records in the file *name*, `-` being stdin."""
    try:
        if name == STDIN:
            data = sys.stdin.buffer.read()
        elif name.endswith(".jsonl"):
            yield from _from_lines(Path(name))
            return
        else:
            data = Path(name).read_bytes()
    except OSError as error:
        yield Unreadable(1, f"cannot be read: {error.strerror}")
        return
    yield from _split(data)


def _expand(name: str) -> list[str]:
    path = Path(name)
    if name == STDIN or not path.is_dir():
        return [name]
    if (path / "records.jsonl").exists():
        return [str(path / "records.jsonl")]
    if (path / "run.json").exists():
        raise Failure(
            f"the run in {name} is not finished, so its records are not written yet; "
            f"go on with 'arena run --resume {shlex.quote(name)}'"
        )
    found = sorted(str(file) for file in path.iterdir() if file.suffix in _SUFFIXES and file.is_file())
    return found or [name]


def _from_lines(path: Path) -> Iterator[RecordText | Unreadable]:
    number = 0
    with path.open("rb") as file:
        for line in file:
            if line.strip():
                number += 1
                yield RecordText(number, line, alone=False)
    if not number:
        yield Unreadable(1, "holds no record")


def _split(data: bytes) -> Iterator[RecordText | Unreadable]:
    """Yield the one record that *data* is, or those on its lines if its first line is an object by itself."""
    lines = [line for line in data.splitlines() if line.strip()]
    if not lines:
        yield Unreadable(1, "holds no record")
    elif len(lines) > 1 and _is_object(lines[0]):
        yield from (RecordText(number, line, alone=False) for number, line in enumerate(lines, start=1))
    else:
        yield RecordText(1, data, alone=True)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
