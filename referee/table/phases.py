"""What a table waits for: a decision of some seats, or cards from the host."""

from __future__ import annotations

from enum import Enum, StrEnum, auto


class DecisionKind(StrEnum):
    """What the seats in `to_act` have to decide. The values stand in lists of legal decisions."""

    PASS = "pass"  # noqa: S105 - cards are passed, not words
    RETURN = "return"
    PLAY = "play"
    MOON = "moon"


class Need(Enum):
    """What the host has to supply before the table goes on."""

    DEAL = auto()
    POOL = auto()


class WrongCommand(RuntimeError):
    """Cards supplied that the table did not ask for. The host's mistake, never a bot's."""
