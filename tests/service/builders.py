"""A whole arena on real storage, without processes, and short ways to people, tournaments and results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.app.control import Control
from arena.schedule.plan import Boards
from arena.service.access import Caller
from arena.service.planning import key_of, plan_of
from arena.service.results import encode_record, encode_result, result_of
from arena.service.spec import TournamentSpec
from arena.service.tournaments import Change
from arena.storage.connect import Storage
from arena.storage.ports import (
    Bot,
    BotId,
    MatchKey,
    MatchState,
    Presence,
    Referee,
    RefereeId,
    Role,
    TokenId,
    TournamentRow,
)
from referee.host.ports import FaultEntry, Outcome

ADMIN = Caller(TokenId("k_admin"), Role.ADMIN)
ORGANISER = Caller(TokenId("k_organiser"), Role.ORGANISER)
READER = Caller(TokenId("k_reader"), Role.READER)
NOW = 1_800_000_000.0
REFEREE = Referee(RefereeId("r_test"), "127.0.0.1:1", 100)


DEFAULT = TournamentSpec(name="cup", deals=2, boards=Boards.ROTATIONS, seed="7")


def spec(**given: Any) -> TournamentSpec:  # noqa: ANN401 - any field of the spec
    """Return a spec that differs from the default one in what is *given*."""
    return replace(DEFAULT, **given)


def outcome(scores: Sequence[int], *, deals: int = 2, faulted: Sequence[bool] = ()) -> Outcome:
    """Return the outcome of a match of so many *deals* in which each seat took *scores* points a deal.

    Who *faulted* did so thrice in each deal.
    """
    seats = len(scores)
    bad = tuple(faulted) or (False,) * seats
    return Outcome(
        deals=tuple({"number": number, "points": list(scores)} for number in range(1, deals + 1)),
        totals=tuple(deals * score for score in scores),
        places=tuple(1 + sum(other < score for other in scores) for score in scores),
        termination="deals",
        faulted=(bad,) * deals,
        faults=tuple({"timeout": 3 * deals} if seat else {} for seat in bad),
        versions=("1",) * seats,
        ledger=tuple(
            FaultEntry(seat, deal, "timeout", "play", play, "QS 2C", "nothing in time")
            for deal in range(1, deals + 1)
            for seat in range(seats)
            for play in (1, 2, 3)
            if bad[seat]
        ),
    )


@dataclass(slots=True)
class World:
    """An arena whose clocks stand still unless they are moved: `epoch` and `monotonic` are the times."""

    storage: Storage
    control: Control
    epoch: float = NOW
    monotonic: float = 1_000.0

    async def owner(self, name: str = "alice") -> Caller:
        """Register an owner and return it as a caller."""
        owner = await self.control.use_cases.people.create_owner(ADMIN, name)
        return Caller(TokenId(f"k_{name}"), Role.OWNER, owner.id)

    async def bots(self, count: int, owner: str = "alice") -> list[Bot]:
        """Register *count* bots of a new owner."""
        caller = await self.owner(owner)
        people = self.control.use_cases.people
        return [await people.create_bot(caller, "", f"{owner}-{number}") for number in range(count)]

    async def started(self, bots: int = 4, **given: Any) -> TournamentRow:  # noqa: ANN401 - as for `spec`
        """Create a tournament of *bots* new bots, and start it."""
        row = await self.control.use_cases.tournaments.create(ADMIN, spec(**given))
        for bot in await self.bots(bots, f"owner-{row.name}"):
            await self.control.use_cases.entries.enter(ADMIN, row.name, bot.id)
        return await self.change(row, "start")

    async def change(self, row: TournamentRow, change: str) -> TournamentRow:
        """Move a tournament on."""
        return await self.control.use_cases.tournaments.change(ADMIN, row.id, Change(change))

    async def row(self, row: TournamentRow) -> TournamentRow:
        """Read a tournament again."""
        return await self.storage.tournaments.tournament(row.id)

    async def attend(self, row: TournamentRow, *, without: Sequence[int] = (), tables: int = 50) -> None:
        """Let a referee live at which all entrants but those numbered *without* are, with room for so many tables."""
        await self.storage.fleet.beat(REFEREE, lease=60)
        present = [
            Presence(BotId(entrant.bot), REFEREE.id, "", tables)
            for entrant in row.entrants
            if entrant.number not in without
        ]
        await self.storage.fleet.set_presence(REFEREE.id, present)
        self.control.news.tell("fleet")

    async def play(
        self, keys: Sequence[MatchKey], scores: Sequence[int] = (0, 5, 8, 13), faulted: Sequence[bool] = ()
    ) -> None:
        """Take matches and store results for them; *faulted* says by position who is at fault in each deal."""
        for key in keys:
            taken = await self.storage.tournaments.take(key, REFEREE.id)
            assert taken is not None
            result = outcome(scores, faulted=faulted)
            row, record = encode_result(result_of(result)), encode_record(result)
            tournament = await self.storage.tournaments.tournament(key.tournament)
            bots = [tournament.entrants[number].bot for number in self.seating(tournament, key)]
            spoilt = dict(zip(bots, map(any, zip(*result.faulted, strict=True)), strict=True))
            await self.storage.tournaments.commit(key, taken.attempt, row, record, len(result.deals), spoilt)
        await self.storage.wakeups.publish("matches")

    @staticmethod
    def key(row: TournamentRow, number: int) -> MatchKey:
        """Return the key of a match."""
        return MatchKey(row.id, number)

    @staticmethod
    def seating(row: TournamentRow, key: MatchKey) -> Sequence[int]:
        """Return the numbers of the entrants of a match, by position."""
        return plan_of(row).schedule.match(key.number).seating

    async def in_line(self, row: TournamentRow) -> list[MatchKey]:
        """Return the matches that are ready, in schedule order."""
        flight = (await self.storage.tournaments.progress(row.id)).in_flight
        return [key_of(f"{row.id}.{number}") for number in sorted(flight) if flight[number] is MatchState.READY]


def world_on(storage: Storage) -> World:
    """Return an arena on *storage*."""
    world = World(storage, None)  # type: ignore[arg-type] # set in the next line: both need each other
    world.control = Control(storage, now=lambda: world.epoch, monotonic=lambda: world.monotonic)
    return world
