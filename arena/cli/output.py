"""What commands print: results on stdout, everything else on stderr, colour on terminals only."""

from __future__ import annotations

import json
import sys
from typing import IO, TYPE_CHECKING, Any, cast

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arena.cli.streams import writable_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from arena.cli.plain import Plain


def stdout() -> Console:
    """Return a console for results. It obeys NO_COLOR, and does not cut lines that no terminal wraps."""
    return _console(stderr=False)


def stderr() -> Console:
    """Return a console for progress and notes."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    stream = sys.stderr if stderr else sys.stdout
    if stream.isatty():
        return Console(file=stream, highlight=False, soft_wrap=False)
    return Console(file=cast("IO[str]", _Trimmed(stream)), highlight=False, soft_wrap=False, width=160)


class _Trimmed:
    """A stream without the blanks that fill a table's last column: whole lines are written to it."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write *text*, each line without the blanks at its end."""
        self._stream.write("\n".join(line.rstrip(" ") for line in text.split("\n")))
        return len(text)


def print_json(value: Plain) -> None:
    """Print one JSON document on one line."""
    sys.stdout.write(writable_json(json.dumps(value, ensure_ascii=False)) + "\n")
    sys.stdout.flush()


def note(text: str) -> None:
    """Tell people something beside the result."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def warn(text: str) -> None:
    """Tell people that something went wrong that does not end the command."""
    note(f"arena: warning: {text}")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 match`, `2 matches`, `3 deals`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{'es' if noun.endswith('ch') else 's'}"


def table(columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()) -> Table:
    """Return a plain table; columns named in *right* hold numbers. Cells are text, never markup."""
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name in columns:
        numeric = name in right
        grid.add_column(name, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
    for row in rows:
        grid.add_row(*(cell if isinstance(cell, Text) else Text(str(cell)) for cell in row))
    return grid
