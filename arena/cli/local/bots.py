"""The bots of a local run as they are given: `CMD`, `name=CMD`, or `name=wait` for one that is started by hand."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from arena.cli.errors import Failure, Misuse

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

WAIT: Final = "wait"
_NAMED: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,39})=(.*)", re.DOTALL)
_INTERPRETERS: Final = re.compile(r"(python|pypy|ruby|perl|php|lua)[\d.]*|node|deno|bun|java|sh|bash|env|uv|npx|run")
_DULL: Final = frozenset({"main", "__main__", "bot", "app", "index", "start", "run", "src"})


@dataclass(frozen=True, slots=True)
class LocalBot:
    """One bot: its name, and its command as typed; None if somebody starts it by hand."""

    name: str
    command: str | None

    def argv(self) -> list[str]:
        """Return the command's words. The bots that come with the arena run on the arena's own Python."""
        words = shlex.split(self.command or "")
        ours = words[1:2] == ["-m"] and words[2:] and words[2].startswith("hearts_bot.")
        if ours and words[0] in ("python", "python3"):
            words[0] = sys.executable
        return words


def read_bots(texts: Sequence[str]) -> list[LocalBot]:
    """Return the bots that repeated `--bot` options name. Names that are not given are made, and made unique."""
    given = [_split(text) for text in texts]
    names = [name for name, _ in given if name is not None]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise Misuse(f"two bots are named {twice!r}; every --bot NAME=CMD needs a name of its own")
    taken = set(names)
    return [LocalBot(name or _unique(derived_name(command or ""), taken), command) for name, command in given]


def check_commands(bots: Sequence[LocalBot], cwd: Path) -> None:
    """Raise `Failure` for a command that no process could be made of."""
    if not cwd.is_dir():
        raise Failure(f"the directory that the bots of this run start in is gone: {cwd}; put it back")
    for bot in bots:
        if bot.command is None:
            continue
        wrong = _wrong_with(bot.argv()[0], cwd)
        if wrong:
            raise Failure(f"bot {bot.name!r} cannot start: {wrong} ({bot.command})")


def _wrong_with(program: str, cwd: Path) -> str:
    """Return why no process can be made of *program* in *cwd*, and what to do; nothing if one can."""
    if "/" not in program:
        if shutil.which(program):
            return ""
        here = f"; for the one in {cwd} write ./{program}" if os.path.lexists(cwd / program) else "; check the name"
        return f"there is no program {program!r} on your PATH{here}"
    file = os.path.join(cwd, program)  # noqa: PTH118 - a Path complains of names that are too long
    if not os.path.exists(file):  # noqa: PTH110 - as above
        return f"there is no program {program!r}; check the path"
    if not os.path.isfile(file):  # noqa: PTH113 - as above
        return f"{program!r} is no program, but a directory or the like; name the program in it"
    if not os.access(file, os.X_OK):
        return f"{program!r} may not be executed; 'chmod +x' it, or put its interpreter in front"
    return ""


def derived_name(command: str) -> str:
    """Return a name for a command: that of its script or module, not of the interpreter."""
    words = shlex.split(command)
    path = _telling_word(words)
    stem = path.stem if path.suffix else path.name
    if stem in _DULL and path.parent.name not in ("", ".", ".."):
        stem = path.parent.name
    return re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("-._")[:40] or "bot"


def _telling_word(words: Sequence[str]) -> PurePath:
    program = PurePath(words[0])
    if not _INTERPRETERS.fullmatch(program.name):
        return program
    for place, word in enumerate(words[1:], start=1):
        if word == "-m" and place + 1 < len(words):
            return PurePath(*words[place + 1].split("."))
        if word.startswith("-") or "=" in word or _INTERPRETERS.fullmatch(word):
            continue
        return PurePath(word)
    return program


def _split(text: str) -> tuple[str | None, str | None]:
    named = _NAMED.fullmatch(text)
    name, command = (named[1], named[2].strip()) if named else (None, text.strip())
    if command == WAIT:
        if name is None:
            raise Misuse("--bot wait needs a name: write --bot NAME=wait")
        return name, None
    try:
        empty = not shlex.split(command)
    except ValueError as error:
        raise Misuse(f"--bot {text!r} cannot be read as a command: {error}; check its quotes") from None
    if empty:
        raise Misuse(f"--bot {text!r} has no command; write --bot CMD, --bot NAME=CMD or --bot NAME=wait")
    return name, command


def _unique(name: str, taken: set[str]) -> str:
    """Return *name*, with a number if it is taken, and take it."""
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name[:36]}-{number}"
    taken.add(candidate)
    return candidate
