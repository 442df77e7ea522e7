"""Finds the records in files: one JSON object a file, or one a line.

Files are read as they come, never whole: a file of many records needs the memory of one, and what grows beyond any
record is given up without being read to its end.
Nothing that a file holds, or that keeps it from being read, is an error of ours: it comes out as `Unreadable`.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from arena.cli.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

STDIN: Final = "-"
LIMIT: Final = 8 << 20
"""The most bytes that a record may have: thousands of deals of the largest table. Nonsense takes 35 times its bytes."""
_SUFFIXES: Final = (".json", ".jsonl")
_OPENED: Final = (b"{", b"[")
_TOO_LARGE: Final = f"this is no record: it is longer than {LIMIT >> 20} MiB"


@dataclass(frozen=True, slots=True)
class RecordText:
    """A record as it stands in its file. Records are counted from 1; `alone` if it is the whole file."""

    number: int
    data: bytes
    alone: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Where a file gave no record, or no more, and why."""

    number: int
    reason: str


def expand(names: Sequence[str]) -> list[str]:
    """Return the files that *names* stand for: a directory stands for those in it and below it."""
    return [file for name in names for file in _expand(name)]


def read_records(name: str) -> Iterator[RecordText | Unreadable]:
    """Yield the records in the file *name*, `-` being stdin."""
    number = 0
    try:
        with _opened(name) as file:
            for item in _records(file, lines=name.endswith(".jsonl")):
                number = item.number
                yield item
    except IsADirectoryError:  # `expand` has found nothing in it
        yield Unreadable(1, "holds no .json and no .jsonl file")
    except (OSError, ValueError) as error:
        # A ValueError is a name that no file can have.
        why = str(getattr(error, "strerror", None) or error)
        yield Unreadable(number + 1, f"cannot be read: {why[:1].lower()}{why[1:]}")


def _opened(name: str) -> AbstractContextManager[BinaryIO]:
    if name != STDIN:
        return Path(name).open("rb")
    if sys.stdin is None:
        raise OSError("stdin is closed")
    return nullcontext(sys.stdin.buffer)


def _expand(name: str) -> list[str]:
    if name == STDIN or not _is_directory(name):
        return [name]
    found: list[str] = []
    closed: list[OSError] = []
    for folder, below, files in os.walk(name, onerror=closed.append):
        below.sort()
        if finished := _left_by_a_run(folder, files):
            found.append(finished)
            below.clear()
        else:
            # A name that leads nowhere is told of; a pipe or a device is none of these files.
            paths = (Path(folder, file) for file in sorted(files) if file.endswith(_SUFFIXES))
            found += [str(path) for path in paths if _may_hold_records(path)]
    found += [str(error.filename) for error in closed]  # reading them will tell why
    return found or [name]


def _is_directory(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except OSError:  # reading it will tell why, and the others are read all the same
        return False


def _may_hold_records(path: Path) -> bool:
    try:
        return path.is_file() or not path.exists()
    except OSError:
        return True


def _left_by_a_run(folder: str, files: Sequence[str]) -> str | None:
    """Return the records of the run or of the exported tournament that *folder* is; what else lies in it is none."""
    if "records.jsonl" in files and ("standings.json" in files or "run.json" in files):
        return str(Path(folder, "records.jsonl"))
    if "run.json" in files:
        raise Failure(
            f"the run in {folder} is not finished, so its records are not written yet; "
            f"go on with 'arena run --resume {shlex.quote(folder)}'"
        )
    return None


def _records(file: BinaryIO, *, lines: bool) -> Iterator[RecordText | Unreadable]:
    """Yield what is in *file*: a record a *line*, also where the first of several lines is an object by itself."""
    first = _line(file)
    second = _line(file) if first.endswith(b"\n") else b""
    lines = lines and first.strip() not in _OPENED  # one document over many lines, whatever it is called
    if not first:
        yield Unreadable(1, "holds no record")
    elif lines or (second and _is_object(first)):
        number, line = 0, first
        while line:
            number += 1
            yield RecordText(number, line, alone=False) if len(line) <= LIMIT else Unreadable(number, _TOO_LARGE)
            _skip_rest(line, file)
            line, second = second or _line(file), b""
    else:
        data = first + second
        data += file.read(max(0, LIMIT + 1 - len(data)))
        yield RecordText(1, data, alone=True) if len(data) <= LIMIT else Unreadable(1, _TOO_LARGE)


def _line(file: BinaryIO) -> bytes:
    """Return the next line with something on it, only its beginning if it is too long; nothing at the end."""
    while (line := file.readline(LIMIT + 1)) and not line.strip():
        _skip_rest(line, file)
    return line


def _skip_rest(line: bytes, file: BinaryIO) -> None:
    while len(line) > LIMIT and not line.endswith(b"\n"):
        line = file.readline(LIMIT + 1)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False
