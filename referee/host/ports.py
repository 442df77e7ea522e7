"""What the host asks of the world around it, and the values that cross that border.

The host plays matches: it is handed a `MatchOrder`, and answers through a `ResultSink`.
Who may sit down is for `Admission` to say.
Nothing here knows of tournaments, Redis or gRPC; the arena implements these ports.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType, Protocol

from referee.host.capabilities import Capabilities
from referee.rules.dealing import DealSource
from referee.rules.variant import Variant

BotId = NewType("BotId", str)
MatchId = NewType("MatchId", str)


class Source(StrEnum):
    """Who made a decision. The values stand in records."""

    BOT = "bot"
    FORCED = "forced"
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"
    DISCONNECT = "disconnect"
    AUTOPILOT = "autopilot"


class NotAdmitted(Exception):
    """A token that does not admit. `reason` is UPPER_SNAKE: TOKEN_MISSING, TOKEN_UNKNOWN, TOKEN_REVOKED, ..."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class AdmissionUnavailable(Exception):
    """Nobody can be asked who this is, for now; the caller should come back later."""


@dataclass(frozen=True, slots=True)
class BotIdentity:
    """Who a token, or the ticket of an invitation, speaks for.

    `credential` names what it was admitted by: when that is good no more, the sessions admitted by it end.
    `instance` is the only one that may use the ticket; None is a token, which any may use.
    """

    bot: BotId
    name: str
    credential: str = ""
    instance: str | None = None


@dataclass(frozen=True, slots=True)
class Attending:
    """A session that is here, and for how many tables it has room in all. `visiting`: it came by invitation."""

    instance: str
    tables: int
    visiting: bool = False
    capabilities: Capabilities = field(default_factory=Capabilities)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time control, in seconds. `decision` 0 means no limit but the watchdog."""

    decision: float = 2.0
    bank: float = 20.0
    network: float = 0.1
    watchdog: float = 60.0
    ready: float = 30.0
    reconnect_grace: float = 20.0


@dataclass(frozen=True, slots=True)
class SeatOrder:
    """Who sits at one position. `present` False: nobody is waited for, substitutes are played from the start."""

    bot: BotId
    name: str
    bot_seed: int
    present: bool = True


@dataclass(frozen=True, slots=True)
class FaultEntry:
    """One fault: whose, when, what was asked for and what came.

    `decision` is the kind of the open decision or `ready`, empty if none was open; `play` counts the plays of the deal
    from 1, 0 where no play was open. The texts are for the bot's owner: they may name cards of its hand.
    """

    position: int
    deal: int
    kind: str
    decision: str
    play: int
    expected: str
    came: str


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A match up to the end of a deal: everything that another attempt needs to go on from there.

    `deals` are the finished deals as they stand in the record, `faulted[d][seat]` says whether the seat was at fault
    in deal `d`. By position: `banks` and `graces` seconds left, `faults` counts by kind, `autopilot` whether
    substitutes play to the end, `versions` what played last.
    """

    deals: tuple[dict[str, object], ...]
    totals: tuple[int, ...]
    faulted: tuple[tuple[bool, ...], ...]
    banks: tuple[float, ...]
    faults: tuple[dict[str, int], ...]
    graces: tuple[float, ...] = ()
    autopilot: tuple[bool, ...] = ()
    versions: tuple[str, ...] = ()
    ledger: tuple[FaultEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class MatchOrder:
    """One match to be played, whole. `attempt` is the fence: what an older attempt writes is refused."""

    match: MatchId
    attempt: int
    variant: Variant
    deals: DealSource
    first_dealer: int
    seats: tuple[SeatOrder, ...]
    clock: Clock = field(default_factory=Clock)
    auto_play_forced: bool = False
    reveal_opponents: bool = False
    fault_limit: int = 5
    checkpoint: Checkpoint | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished match.

    `deals` as they stand in the record, sources included; `faulted[d][seat]` says whether the seat was at fault in
    deal `d`; `faults[seat]` counts by kind, `ledger` lists them in the order in which they were made.
    """

    deals: tuple[dict[str, object], ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    termination: str
    faulted: tuple[tuple[bool, ...], ...]
    faults: tuple[dict[str, int], ...]
    versions: tuple[str, ...]
    ledger: tuple[FaultEntry, ...] = ()


class Admission(Protocol):
    """Says who a token or a ticket speaks for."""

    async def admit(self, token: str) -> BotIdentity:
        """Return whose token it is, or whose ticket, which is void from then on.

        Raise `NotAdmitted` or `AdmissionUnavailable`.
        """


class ResultSink(Protocol):
    """Takes what the host has to tell. None of these waits: what cannot be stored now is kept and stored later."""

    def checkpoint(self, order: MatchOrder, checkpoint: Checkpoint) -> None:
        """Keep where the match stands at the end of a deal."""

    def commit(self, order: MatchOrder, outcome: Outcome) -> None:
        """Store the result of a finished match."""

    def release(self, order: MatchOrder, reason: str) -> None:
        """Give up the attempt; the match may be taken by anybody. `reason` is for people."""

    def presence(self, bot: BotId, sessions: Sequence[Attending]) -> None:
        """Note the sessions that a bot has here."""
