"""Rows for the tests of storage."""

from __future__ import annotations

from arena.storage.connect import Storage
from arena.storage.ports import (
    Bot,
    BotId,
    Entrant,
    MatchKey,
    Owner,
    OwnerId,
    Referee,
    RefereeId,
    TournamentId,
    TournamentRow,
    TournamentState,
)
from arena.storage.redis_store.db import Db

CUP = TournamentId("t_cup")
ANN = RefereeId("r_ann")
BEN = RefereeId("r_ben")
LEASE = 60.0
PARK_AFTER = 3


def owner(ident: str = "o_1", name: str = "Ada") -> Owner:
    """Return an owner."""
    return Owner(OwnerId(ident), name, 1.5)


def bot(ident: str = "b_1", name: str = "counter", owned_by: str = "o_1") -> Bot:
    """Return a bot."""
    return Bot(BotId(ident), OwnerId(owned_by), name, 2.25)


def cup(state: TournamentState = TournamentState.RUNNING, name: str = "cup", ident: str = CUP) -> TournamentRow:
    """Return a tournament with something in every field."""
    return TournamentRow(
        id=TournamentId(ident),
        name=name,
        spec={"deals": 16, "rules": {"stripped": ["2C"]}, "name": "Größe"},
        state=state,
        created=1732987654.125,
        started=1732987655.5,
        ended=None,
        entrants=(Entrant(0, BotId("b_1"), "counter"), Entrant(1, BotId("b_2"), "random", withdrawn=True)),
        matches_total=12,
        commitment="c0ffee",
        attention="one bot is missing",
    )


def referee(ident: RefereeId = ANN) -> Referee:
    """Return a referee."""
    return Referee(ident, "127.0.0.1:7071", 2000)


def match(number: int = 0, tournament: TournamentId = CUP) -> MatchKey:
    """Return a match's key."""
    return MatchKey(tournament, number)


async def running_cup(storage: Storage, *, ready: int = 1) -> None:
    """Store a running tournament with *ready* matches in line, numbers from 0, and a referee that lives."""
    await storage.tournaments.add_tournament(cup())
    await storage.fleet.beat(referee(), lease=LEASE)
    await storage.tournaments.make_ready([match(number) for number in range(ready)])


async def all_keys(storage: Storage) -> set[str]:
    """Return the names of all keys that Redis holds."""
    return {str(key, "utf-8") for key in await Db(storage.client).command("KEYS", "*")}
