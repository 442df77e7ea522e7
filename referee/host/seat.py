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
        "bank_millis",
        "deadline",
        "entry",
        "faults",
        "forced",
        "full_limit",
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
        "reserve",
        "sent",
        "session",
        "state",
        "substituted",
        "time_millis",
        "took",
        "version",
        "watchdog",
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
        self.away_since = NEVER
        self.autopilot = not order.present
        self.plain = order.present  # a decision can simply be asked: connected, and not on autopilot
        self.substituted = False
        self.forced = 0
        self.faults: dict[str, int] = {}
        self.version = ""
        clock = match.order.clock
        self.watchdog = clock.watchdog + clock.network
        self.full_limit = min((clock.decision or clock.watchdog) + clock.network, self.watchdog)
        self.limit = self.full_limit  # seconds for the open decision, the network's allowance included
        self.time_millis = round(clock.decision * 1000)  # what the bot is told of it
        self.bank = clock.bank
        self.bank_millis = 0  # what the bot is told of it
        self.grace = clock.reconnect_grace
        self.reserve = 0.0  # what one decision may use of the bank
        self.charge(0.0)

    @property
    def waits(self) -> bool:
        """Whether a time limit runs for this seat."""
        return self.state >= SENT

    def charge(self, seconds: float) -> None:
        """Take *seconds* that a decision took beyond its limit off the bank."""
        self.bank = max(0.0, self.bank - seconds)
        self.bank_millis = int(self.bank * 1000)
        self.reserve = min(self.bank, self.watchdog - self.full_limit)

    def interrupt(self, now: float) -> None:
        """Stop the clock of the decision that has run since `asked`; when it is sent again, only the rest is left."""
        network, used = self.match.order.clock.network, now - self.asked
        self.charge(max(0.0, used - self.limit))
        left = max(0.0, self.limit - used)
        self.limit = max(network, left)
        # What the network may take is given anew, but not for nothing: else a bot could come and go for ever.
        again = self.limit - left
        from_bank = min(self.bank, again)
        self.charge(from_bank)
        self.grace = max(0.0, self.grace - (again - from_bank))
        self.plain = False  # so that `renew` is called before the next decision
        if self.time_millis:
            self.time_millis = max(1, round((self.limit - network) * 1000))

    def renew(self) -> None:
        """Give the next decision its whole time again."""
        self.limit = self.full_limit
        self.time_millis = round(self.match.order.clock.decision * 1000)
        self.plain = self.session is not None and not self.autopilot

    @property
    def fault_count(self) -> int:
        """Return how many faults the bot has made at this seat."""
        return sum(self.faults.values())
