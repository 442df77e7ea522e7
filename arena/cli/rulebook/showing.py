"""A rule set as a text: what it is called, what is set otherwise, and its rules."""

from __future__ import annotations

import json
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING, Final

from arena.cli.rulebook.listing import digits_of
from arena.cli.rulebook.telling import sentences
from referee.rules.presets import resolve, to_json

if TYPE_CHECKING:
    from referee.rules.variant import Variant

_WIDTH: Final = 100


def text_of(variant: Variant) -> list[str]:
    """Return the lines that tell *variant*, as wide as the terminal."""
    width = min(_WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else _WIDTH
    lines = [f"{variant.preset}, {variant.players} players"]
    if digits := digits_of(variant.preset):
        lines += _wrapped("digits: ", ", ".join(f"{digit} {value}" for _, digit, value in digits), width)
    if changed := _changed(variant):
        lines += _wrapped("set otherwise: ", ", ".join(changed), width)
    lines.append("")
    for rule, text in sentences(variant):
        lines += _wrapped(f"{rule.label:<5}", text, width)
    return [*lines, "", "Each rule in full: docs/rules.md, by number."]


def _changed(variant: Variant) -> list[str]:
    """Return the options in which *variant* is not its preset, as they are written on a command line."""
    preset = to_json(resolve(variant.preset, players=variant.players))
    return [f"{name}={_text(value)}" for name, value in to_json(variant).items() if value != preset[name]]


def _text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value)) or "none"
    return json.dumps(value).strip('"')


def _wrapped(head: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(head + text, width, subsequent_indent=" " * len(head), break_on_hyphens=False)
