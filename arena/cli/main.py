"""The entry point: the list of commands, and the one place where errors become exit codes.

A command's module is imported when the command is called, and not before, so that `arena --help` needs neither grpc
nor rich. What the list says of a command is therefore written here; the module holds the rest.
"""

from __future__ import annotations

import os
import sys
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from arena.cli import streams
from arena.cli.errors import FAILED, INTERRUPTED, Failure, Misuse, Stopped
from arena.cli.style import HOUSE_STYLE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

COMMANDS: Final = {
    "run": "Play a whole tournament on this machine, bots included.",
    "demo": "Show it: six bots, a tournament, a ranking, in two minutes.",
    "serve": "Run a whole server: referee, scheduler and storage.",
    "referee": "Run a referee alone, on a shared Redis.",
    "scheduler": "Run a scheduler alone, on a shared Redis.",
    "web": "Run the API alone, on a shared Redis.",
    "tournament": "Create, start, watch, export tournaments.",
    "standings": "Print the standings of a tournament.",
    "faults": "Show what bots did wrong.",
    "owners": "Register and list owners.",
    "bots": "Register and list bots.",
    "tokens": "Issue, list, rotate and revoke tokens.",
    "cert": "Make certificates for a private network.",
    "rules": "List rule sets, tell them in plain words, explain positions.",
    "record": "Check and show game records.",
    "chaos-bot": "Play as a bot that misbehaves on purpose.",
    "version": "Print the version.",
}

EPILOG: Final = """\b
Examples:
  arena demo
  arena run --bot 'python -m hearts_bot.bots.counter' --bot ./mybot --bot ./mybot --bot 'node bot.js'
  arena serve --data-dir arena-data
  arena record check arena-run/records.jsonl

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by Ctrl-C. Every command has --help with examples.
"""


def load(name: str) -> Any:  # noqa: ANN401 - typer's own command class is not public
    """Import the module of command *name* and return the command."""
    command = get_command(import_module(f"arena.cli.{name.replace('-', '_')}").app)
    command.name = name
    return command


class LazyGroup(TyperGroup):
    """The commands by name: stubs to list, real ones to call."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:  # noqa: ANN401
        """Import the command that is called."""
        name, stub, rest = super().resolve_command(ctx, args)
        return name, load(name) if name else stub, rest


def build() -> Any:  # noqa: ANN401
    """Return the whole command line, with a stub for each command."""
    app = typer.Typer(
        cls=LazyGroup,
        help="Hearts Arena: bots in any language play Hearts over gRPC, in tournaments with defensible rankings.",
        epilog=EPILOG,
        **HOUSE_STYLE,
    )
    for name, line in COMMANDS.items():
        app.command(name, help=line)(_stub(name))
    return get_command(app)


def _stub(name: str) -> Callable[[], None]:
    def stub() -> None:
        raise AssertionError(f"{name} was not loaded")

    return stub


def run(args: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code; whatever went wrong has been told on stderr."""
    try:
        words = sys.argv[1:] if args is None else args
        if list(words) == ["--version"]:
            words = ["version"]
        _check_text(words)
        code = build().main(args=words, prog_name="arena", standalone_mode=False)
    except (Exception, KeyboardInterrupt) as error:
        return _ended_by(error)
    return code if isinstance(code, int) else 0


def _check_text(words: Sequence[str]) -> None:
    """Raise `Misuse` for a word, or a setting in the environment, that is not UTF-8: no message could carry it.

    Only the readers of records, which send nothing, take the names of files as they are.
    """
    if words[:1] in (["record"], ("record",)):
        return
    settings = (f"{name}={value}" for name, value in os.environ.items() if name.startswith("ARENA_"))
    for text in (*words, *settings):
        if not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise Misuse(f"{text!r} is not text in UTF-8; write it, or name the file, in UTF-8")


def _ended_by(error: BaseException) -> int:
    """Tell people about *error*, and return its exit code."""
    match error:
        case typer.TyperException():
            _tell(error)
            return error.exit_code
        case KeyboardInterrupt() | typer.Abort():
            return INTERRUPTED
        case Failure(code=code):
            mark = "" if isinstance(error, Stopped) else "error: "
            if str(error):
                sys.stderr.write(streams.harmless(f"arena: {mark}{error}", keep="\n") + "\n")
            return code
        case BrokenPipeError():
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the interpreter would complain later
            return FAILED
    if os.environ.get("ARENA_DEBUG"):
        raise error
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        _say(f"{where}{error.strerror}; mend that, and try again (ARENA_DEBUG=1 shows where it was met)")
        return FAILED
    _say(f"internal error: {type(error).__name__}: {error} (set ARENA_DEBUG=1 to see where, and please report it)")
    return FAILED


def _tell(error: typer.TyperException) -> None:
    """Print a usage error as one line with the way to the help, or the help itself where nothing was asked for."""
    text = error.format_message().strip()
    context = getattr(error, "ctx", None)
    if "\n" in text:
        sys.stderr.write(text + "\n")
    elif context is None:
        _say(text)
    else:
        text = _with_nearest(text.replace(": Value error, ", ": ").rstrip("."))
        _say(f"{text}{' See' if text.endswith('?') else '; see'} '{context.command_path} --help'")


def _with_nearest(text: str) -> str:
    """Name the nearest choice where a word is told to be none of many."""
    wrong, among, choices = text.partition(" is not one of ")
    near = get_close_matches(wrong.rpartition(": ")[2].strip("'"), choices.replace("'", "").split(", "), n=1)
    return f"{text}; did you mean '{near[0]}'?" if among and near else text


def _say(text: str) -> None:
    sys.stderr.write(streams.harmless(f"arena: error: {text}", keep="\n") + "\n")


def main() -> NoReturn:
    """Run the command line of this process."""
    # Before anything imports gRPC, here and in the roles started from here: its core else writes lines of its own
    # beside ours, one for each handshake that fails.
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
    streams.prepare()
    sys.exit(run())
