"""Standard streams as they may come: closed, or of an encoding that has few letters."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from typing import Final

_STANDARD: Final = {0: "stdin", 1: "stdout", 2: "stderr"}


def prepare() -> None:
    """Let nothing fail because a stream is closed, or because its encoding lacks a letter.

    A closed stream becomes the null device, also for the processes that are started from here: else the next file that
    is opened, a connection perhaps, would take its number. What cannot be encoded is written as an escape.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) in _STANDARD:
        os.set_inheritable(number, True)
        if number:  # who reads from no standard input shall be told so
            setattr(sys, _STANDARD[number], open(number, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    os.close(number)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def harmless(text: str, keep: str = "") -> str:
    """Return *text* as it may go to a terminal: what is no printable text, and not in *keep*, would be a command."""
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter in keep else "\N{REPLACEMENT CHARACTER}" for letter in text)


def writable_json(text: str) -> str:
    """Return the JSON *text* with escapes of JSON's own where standard output could not carry a letter."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return re.sub(r"[^\x00-\x7f]", lambda letter: json.dumps(letter[0])[1:-1], text)
    return text
