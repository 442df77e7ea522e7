"""Lists in pages. A page token holds the place where the next page begins, and means nothing to anybody else."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from arena.errors import Invalid

T = TypeVar("T")

DEFAULT: Final = 100
MOST: Final = 1_000
_PREFIX: Final = b"p1:"


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list, and the token of the page after them; empty at the end."""

    items: tuple[T, ...]
    next_token: str = ""


def page_of(items: Sequence[T], size: int, token: str) -> Page[T]:
    """Return at most *size* of *items* from where *token* says. 0 means 100; more than 1,000 means 1,000."""
    start, count = window_of(size, token)
    return Page(tuple(items[start : start + count]), next_token(start + count, len(items)))


def window_of(size: int, token: str) -> tuple[int, int]:
    """Return where the page begins that *token* says, and how many items it has at most."""
    return _start(token), min(size or DEFAULT, MOST)


def next_token(end: int, total: int) -> str:
    """Return the token of the page that begins at *end*, or nothing at the end of *total* items."""
    return _token(end) if end < total else ""


def _token(start: int) -> str:
    return base64.urlsafe_b64encode(_PREFIX + str(start).encode()).decode()


def _start(token: str) -> int:
    if not token:
        return 0
    try:
        raw = base64.b64decode(token.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raw = b""
    digits = raw.removeprefix(_PREFIX)
    if digits == raw or not digits.isdigit() or len(digits) > 12:
        raise Invalid("page_token", token, "the next_page_token of the page before")
    return int(digits)
