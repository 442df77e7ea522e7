"""One position of one match, from its opening to its close.

A seat outlives the session that serves it: a bot that comes back finds its seat, its open decision and its clock.
Seats are the mutable heart of the hot path, hence plain slots.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from referee.host.ports import SeatOrder

if TYPE_CHECKING:
    from referee.host.match import HostedMatch
    from referee.host.session import Session

IDLE: Final = 0  # nothing is to be decided
QUEUED: Final = 1  # asked, but the question has not left us: no clock runs, no answer counts
SENT: Final = 2  # asked; the clock runs
AWAY: Final = 3  # to be asked, but the bot is not connected: the grace runs
OPENING: Final = 4  # opened; the bot warms up

NEVER: Final = float("inf")


class Seat:
    """A place at a table. Times are fair seconds."""

    __slots__ = (
        "asked",
        "autopilot",
        "away_since",
        "bank",
        "deadline",
        "entry",
        "faults",
        "forced",
        "grace",
        "handle",
        "instance",
        "kind",
        "legal",
        "limit",
        "match",
        "number",
        "order",
        "plain",
        "position",
        "sent",
        "session",
        "state",
        "substituted",
        "time_millis",
        "took",
        "version",
    )

    def __init__(self, handle: int, position: int, order: SeatOrder, match: HostedMatch) -> None:
        self.handle = handle
        self.position = position
        self.order = order
        self.match = match
        self.session: Session | None = None
        self.instance: str | None = None  # of the session that plays here, or did; None: any may
        self.state = IDLE
        self.number = 0  # of the decision asked last; counts from 1
        self.kind = 0
        self.legal = 0
        self.sent = 0  # how much of the table's log the bot has been told
        self.asked = 0.0
        self.took = 0.0
        self.deadline = NEVER
        self.entry = NEVER  # when the deadlines look at this seat next
        self.limit = 0.0  # seconds for a decision, the network's allowance included
        self.time_millis = 0  # what the bot is told of it
        self.bank = 0.0
        self.grace = 0.0
        self.away_since = NEVER
        self.autopilot = not order.present
        self.plain = order.present  # a decision can simply be asked: connected, and not on autopilot
        self.substituted = False
        self.forced = 0
        self.faults: dict[str, int] = {}
        self.version = ""

    @property
    def waits(self) -> bool:
        """Whether a time limit runs for this seat."""
        return self.state >= SENT

    @property
    def fault_count(self) -> int:
        """Return how many faults the bot has made at this seat."""
        return sum(self.faults.values())
