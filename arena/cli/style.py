"""The house style of commands: plain help that can be copied from, and none of typer's own tracebacks."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

import typer

HOUSE_STYLE: Final[MappingProxyType[str, Any]] = MappingProxyType(
    {
        "no_args_is_help": True,
        "rich_markup_mode": None,
        "pretty_exceptions_enable": False,
        "context_settings": {"help_option_names": ["-h", "--help"], "max_content_width": 110},
    }
)


def new_app() -> typer.Typer:
    """Return a command without subcommands: the first function that is added to it."""
    return typer.Typer(add_completion=False, **(dict(HOUSE_STYLE) | {"no_args_is_help": False}))


def new_group(help_text: str, examples: str) -> typer.Typer:
    """Return a set of subcommands, with *examples* (one a line) under its help."""
    app = typer.Typer(help=help_text, epilog=example_text(examples), add_completion=False, **HOUSE_STYLE)
    app.callback()(_group)
    return app


def example_text(examples: str) -> str:
    """Return *examples* as a help text's last part, line for line."""
    lines = [line.strip() for line in examples.strip().splitlines()]
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def _group() -> None:
    """Make a group of what would be a single command, where there is only one."""
