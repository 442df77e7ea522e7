"""The rows that are stored.

Times are seconds since the epoch. Ids are issued by the server and never reused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import NewType

OwnerId = NewType("OwnerId", str)
BotId = NewType("BotId", str)
TokenId = NewType("TokenId", str)
TournamentId = NewType("TournamentId", str)
RefereeId = NewType("RefereeId", str)


NOBODY: Mapping[BotId, bool] = MappingProxyType({})


class Role(StrEnum):
    """What a token allows."""

    ADMIN = "admin"
    ORGANISER = "organiser"
    OWNER = "owner"
    BOT = "bot"
    READER = "reader"


class TournamentState(StrEnum):
    """Where a tournament stands."""

    DRAFT = "draft"
    OPEN = "open"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"


class MatchState(StrEnum):
    """Where a match stands. A match without a row in storage is PLANNED."""

    PLANNED = "planned"
    READY = "ready"
    HOSTED = "hosted"
    DONE = "done"
    PARKED = "parked"
    VOID = "void"


@dataclass(frozen=True, slots=True)
class Owner:
    """A person or team that bots belong to."""

    id: OwnerId
    name: str
    created: float


@dataclass(frozen=True, slots=True)
class Bot:
    """A registered player."""

    id: BotId
    owner: OwnerId
    name: str
    created: float


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret. `subject` is an owner's or bot's id, or empty."""

    id: TokenId
    role: Role
    subject: str
    created: float
    expires: float | None = None
    revoked: bool = False
    label: str = ""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot in a tournament. `number` counts from 0 in order of entry, renumbered without gaps at the start.

    `reason` says why it was withdrawn, if the arena did that.
    """

    number: int
    bot: BotId
    name: str
    withdrawn: bool = False
    reason: str = ""


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament. `spec` is the service's own frozen JSON; storage does not look into it.

    `revision` counts the changes and is storage's own; None where the row was not read from there.
    """

    id: TournamentId
    name: str
    spec: Mapping[str, object]
    state: TournamentState
    created: float
    started: float | None = None
    ended: float | None = None
    entrants: tuple[Entrant, ...] = ()
    matches_total: int = 0
    commitment: str = ""
    attention: str = ""
    revision: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class MatchKey:
    """One match of one tournament; `str()` is its id on the queue, `TOURNAMENT.NUMBER`."""

    tournament: TournamentId
    number: int

    def __str__(self) -> str:
        return f"{self.tournament}.{self.number}"


@dataclass(frozen=True, slots=True)
class Taken:
    """A match that is ours now. `attempt` is the fence of all that we write about it."""

    key: MatchKey
    attempt: int
    checkpoint: bytes | None


@dataclass(frozen=True, slots=True)
class Referee:
    """A live referee: where bots reach it, how many tables it takes, and whether it takes new ones."""

    id: RefereeId
    address: str
    capacity: int
    draining: bool = False


@dataclass(frozen=True, slots=True)
class LostReferee:
    """A referee that a sweep found dead: its address, empty if that is not known, and what became of its matches."""

    id: RefereeId
    address: str
    put_back: int
    parked: int


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a session says that it can play; no `kinds` means every kind of decision."""

    max_packs: int = 1
    min_players: int = 3
    max_players: int = 7
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Presence:
    """A session of a bot at a referee, and for how many tables it has room in all. `visiting`: it came by invitation.

    An instance that visits other referees has a session at each, and room for its tables only once.
    `abilities` None means that nobody has said so (a referee of an older version), and is taken for everything.
    """

    bot: BotId
    referee: RefereeId
    instance: str
    tables: int
    visiting: bool = False
    abilities: Abilities | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Counts of a tournament's matches that are not planned any more, and the rows in flight by number."""

    done: int
    deals: int
    in_flight: Mapping[int, MatchState] = field(default_factory=dict)
    parked: tuple[int, ...] = ()
