"""Options that several commands share, and how their values are read."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.errors import Misuse

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout, and nothing else there.")]
Server = Annotated[
    str,
    typer.Option(
        "--server",
        envvar="ARENA_SERVER",
        metavar="HOST:PORT",
        help="The server's API.",
        show_default=True,
        show_envvar=True,
    ),
]


def path(text: str) -> Path:
    """Return the path that *text* is. An empty one is refused: it would be the directory one happens to be in."""
    if not text:
        raise typer.BadParameter("is empty; write a path ('.' is the directory you are in)")
    return Path(text)


TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file",
        parser=path,
        envvar="ARENA_TOKEN_FILE",
        metavar="FILE",
        help="A file that holds the token.",
        show_envvar=True,
    ),
]
Port = int | None
DEFAULT_SERVER: Final = "127.0.0.1:7070"

_LONGEST: Final = 36_500 * 86_400.0
_UNITS: Final = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|)")


def duration(text: str, option: str) -> float:
    """Return the seconds that *text* stands for: `500ms`, `2s`, `1.5m`, `12h`, `30d`; a bare number is seconds.

    Raises `Misuse`, which names the *option*.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise Misuse(f"{option} {text!r} is not a time; write it like 500ms, 2s, 5m, 12h or 30d")
    seconds = float(found[1]) * _UNITS[found[2]]
    if seconds > _LONGEST:
        raise Misuse(f"{option} {text[:40]!r} is too long a time; at most 36500d")
    return seconds


def whole_seconds(text: str, option: str) -> int:
    """Return the whole seconds, at least one, that *text* stands for; a fraction counts as one more.

    What is less is refused: on the wire 0 stands for the default, which may be for ever. Raises `Misuse`.
    """
    seconds = duration(text, option)
    if seconds < 1:
        raise Misuse(f"{option} {text[:40]!r} is too short a time; at least 1s")
    return math.ceil(seconds)


def key_values(texts: Sequence[str], option: str) -> dict[str, str]:
    """Return the pairs of repeated `key=value` options. Raises `Misuse`."""
    pairs: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise Misuse(f"{option} {text!r}: write NAME=VALUE, for example {option} moon_effect=self_minus")
        if key in pairs:
            raise Misuse(f"{option} {key} is given twice")
        pairs[key] = value
    return pairs


Rules = Annotated[str, typer.Option("--rules", metavar="PRESET", help="The rule set: standard, classic, ...")]
Players = Annotated[
    int | None, typer.Option("--players", min=3, max=11, metavar="N", help="How many play.", show_default="as usual")
]
RuleOptions = Annotated[
    list[str] | None,
    typer.Option("--set", "--option", metavar="OPTION=VALUE", help="A rule that differs from the preset. Repeatable."),
]
Deals = Annotated[
    int | None, typer.Option("--deals", min=1, max=1000, help="Deals a match.", show_default="16, without --target")
]
Target = Annotated[
    int | None, typer.Option("--target", min=1, max=1_000_000, help="Play each match to this total instead.")
]
BoardsOption = Annotated[
    str | None,
    typer.Option(
        "--boards",
        metavar="KIND",
        help="How deals are shared: single, boards, rotations or balanced.",
        show_default="boards with several tables, else rotations",
    ),
]
Passes = Annotated[int | None, typer.Option("--passes", min=1, max=100_000, help="How often the schedule is played.")]
Seed = Annotated[
    str | None, typer.Option("--seed", help="Make the deals reproducible: who knows the seed knows the deals.")
]
Limit = Annotated[
    str | None,
    typer.Option("--limit", metavar="TIME", help="Time for a decision, like 2s or 500ms.", show_default="2s"),
]
Bank = Annotated[
    str | None,
    typer.Option("--bank", metavar="TIME", help="Extra time for a whole match.", show_default="10 x --limit"),
]
NoClock = Annotated[bool, typer.Option("--no-clock", help="No limits, for debugging.")]
AutoPlayForced = Annotated[
    bool, typer.Option("--auto-play-forced", help="Let the referee play where there is one legal card.")
]
RevealOpponents = Annotated[bool, typer.Option("--reveal-opponents", help="Tell seats who the others are.")]
