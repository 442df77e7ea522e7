"""Checks of single values that come from outside: each returns the value or raises `Invalid`.

Names are plain ASCII because they stand in the deal procedure, in file names and in spreadsheets: they begin with a
letter or a digit and hold no `|`, nor the `/` of `OWNER/NAME`.
"""

from __future__ import annotations

import math
import re
from typing import Final

from arena.errors import Invalid

_NAME: Final = re.compile(r"[A-Za-z0-9](?:[ -.0-{}~]{0,62}[!-.0-{}~])?")
_SLUG: Final = re.compile(r"[a-z0-9-]{1,40}")
_IDENT: Final = re.compile(r"[a-z0-9_-]{1,64}")
FAR: Final = 253_402_300_799.0  # the last second of the year 9999, where timestamps end


def name(field: str, value: str) -> str:
    """Return *value* if it can name an owner or a bot."""
    if _NAME.fullmatch(value) is None:
        raise Invalid(
            field, value, "1 to 64 characters of ASCII without | and /, the first a letter or digit, no space last"
        )
    return value


def slug(field: str, value: str) -> str:
    """Return *value* if it can name a tournament."""
    if _SLUG.fullmatch(value) is None:
        raise Invalid(field, value, "1 to 40 of a-z, 0-9 and -")
    return value


def ident(field: str, value: str) -> str:
    """Return *value* if it has the form of an id or of a tournament's name."""
    if _IDENT.fullmatch(value) is None:
        raise Invalid(field, value, "an id or a name: 1 to 64 of a-z, 0-9, _ and -")
    return value


def text(field: str, value: str, most: int) -> str:
    """Return *value* if it is at most *most* printable characters."""
    if len(value) > most or not value.isprintable():
        raise Invalid(field, value, f"at most {most} printable characters")
    return value


def whole(field: str, value: int, least: int, most: int) -> int:
    """Return *value* if it lies within *least* and *most*."""
    if not least <= value <= most:
        raise Invalid(field, value, f"{least} to {most}")
    return value


def seconds(field: str, value: float, least: float, most: float) -> float:
    """Return *value* if it lies within *least* and *most*."""
    if not math.isfinite(value) or not least <= value <= most:
        raise Invalid(field, value, f"{least:g} to {most:g} seconds")
    return value
