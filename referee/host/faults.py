"""What a bot can do wrong, as data.

A fault costs the bot that made it, and nobody else: a substitute is played, the bot is told, the match goes on.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from referee.host.ports import Source


class Fault(StrEnum):
    """The kinds of fault. The values stand in results and metrics."""

    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    PROTOCOL = "protocol"
    DISCONNECT = "disconnect"
    STALL = "stall"
    FLOOD = "flood"


SOURCE_OF: Final = {
    Fault.TIMEOUT: Source.TIMEOUT,
    Fault.ILLEGAL: Source.ILLEGAL,
    Fault.PROTOCOL: Source.ILLEGAL,
    Fault.DISCONNECT: Source.DISCONNECT,
    Fault.STALL: Source.TIMEOUT,
    Fault.FLOOD: Source.AUTOPILOT,
}

TEXTS: Final = {
    Fault.TIMEOUT: "no answer in time",
    Fault.ILLEGAL: "an answer that the rules forbid",
    Fault.PROTOCOL: "an answer that is not of the form asked for",
    Fault.DISCONNECT: "not connected",
    Fault.STALL: "the stream is not read",
    Fault.FLOOD: "too many messages",
}
