"""The referee's side of the arena: takes matches from the queue, has them hosted, and stops those it has lost.

Nothing of a match waits here: a task takes it, hands it to the hall and ends. What the host reports goes to the
`Writer`. Whether a match is still ours is asked once a second; storage refuses a late result in any case.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from arena.service import topics
from arena.service.admission import Admissions
from arena.service.attendance import Attendance
from arena.service.commitment import Chain
from arena.service.news import News
from arena.service.planning import Plan, Plans, key_of, order_of
from arena.service.spec import NoShow
from arena.service.writer import Writer
from arena.storage.ports import (
    BotId,
    Fleet,
    MatchKey,
    MatchState,
    NotFound,
    Referee,
    StorageUnavailable,
    Taken,
    TournamentId,
    TournamentRow,
    Tournaments,
    Wakeups,
)
from referee.host import ports as host
from referee.host.hall import Hall, HallFull
from referee.host.session import End

BEAT: Final = 1.0
PATIENCE: Final = 15.0
"""Seconds that a match in line waits here for bots that were there when it was put in line."""

ROW_AGE: Final = 0.5
_STALE_BEATS: Final = 3


@dataclass(frozen=True, slots=True)
class HostingConfig:
    """How this referee is known, and how long its heartbeat is good for, in seconds."""

    referee: Referee
    lease: float = 6.0


@dataclass(frozen=True, slots=True)
class _Known:
    read: float
    row: TournamentRow
    plan: Plan
    chain: Chain


class Hosting:
    """One referee's matches. *monotonic* returns seconds."""

    def __init__(
        self,
        hall: Hall,
        store: Tournaments,
        fleet: Fleet,
        wakeups: Wakeups,
        writer: Writer,
        attendance: Attendance,
        config: HostingConfig,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.beaten = float("-inf")
        """When the last heartbeat was heard, in monotonic seconds."""

        self._hall = hall
        self._store = store
        self._fleet = fleet
        self._wakeups = wakeups
        self._writer = writer
        self._attendance = attendance
        self._config = config
        self._monotonic = monotonic
        self._plans = Plans()
        self._known: dict[TournamentId, _Known] = {}
        self._log = structlog.get_logger("hosting")
        writer.lost = self._lost

    # --- taking

    async def host_match(self, key: MatchKey) -> None:
        """Wait for a free table, take the match and have it hosted. What is not to be had (any more) is left alone."""
        try:
            known = await self._tournament(key.tournament)
        except NotFound:
            return
        seated = {known.row.entrants[number].bot for number in known.plan.schedule.match(key.number).seating}
        needed = seated - {entrant.bot for entrant in known.row.entrants if entrant.withdrawn}
        away = frozenset[BotId]()
        if known.plan.spec.no_show is NoShow.AUTOPILOT:
            away = self._attendance.away(needed, min(known.plan.spec.no_show_seconds, PATIENCE))
        await self._attendance.gathered(needed - away, PATIENCE)
        async with self._hall.slot():
            taken = await self._store.take(key, self._config.referee.id)
            if taken is not None:
                self._host(known, taken, away)

    def _host(self, known: _Known, taken: Taken, away: frozenset[BotId]) -> None:
        order = order_of(known.plan, known.chain, known.row.entrants, taken, away)
        try:
            self._hall.host(order)
        except HallFull:  # it has begun to drain meanwhile
            self._writer.release(order, "no table is free")
        except Exception:
            self._writer.release(order, "it cannot be hosted")
            raise

    async def _tournament(self, ident: TournamentId) -> _Known:
        """Return what a match needs of its tournament; its row may be half a second old."""
        known = self._known.get(ident)
        if known is None or self._monotonic() - known.read > ROW_AGE:
            row = await self._store.tournament(ident)
            plan = known.plan if known else await self._plans.of(row)
            chain = known.chain if known else Chain(await self._store.secret(ident), plan.schedule.rounds)
            known = self._known[ident] = _Known(self._monotonic(), row, plan, chain)
        return known

    # --- losing

    def _lost(self, order: host.MatchOrder) -> None:
        if self._hall.hosted.get(order.match) == order.attempt:
            self._hall.void(order.match, cancelled=False)

    async def check(self) -> None:
        """Stop the matches hosted here that are not ours any more."""
        by_tournament: defaultdict[TournamentId, dict[int, tuple[host.MatchId, int]]] = defaultdict(dict)
        for match, attempt in self._hall.hosted.items():
            key = key_of(match)
            by_tournament[key.tournament][key.number] = (match, attempt)
        for ident, matches in by_tournament.items():
            rows = await self._store.match_rows(ident, list(matches))
            for number, (match, attempt) in matches.items():
                state, latest = rows.get(number, (MatchState.VOID, 0))
                ours = state is MatchState.HOSTED and latest == attempt
                if not ours and self._hall.hosted.get(match) == attempt:
                    self._log.warning("match_not_ours", match=match, attempt=attempt, state=state.value, latest=latest)
                    self._hall.void(match, cancelled=state is MatchState.VOID)
        for ident in self._known.keys() - by_tournament.keys():
            if self._monotonic() - self._known[ident].read > 60:
                del self._known[ident]

    # --- loops

    @property
    def heard(self) -> bool:
        """Whether storage has heard this referee lately."""
        return self._monotonic() - self.beaten < _STALE_BEATS * BEAT

    async def beat_for_ever(self) -> None:
        """Tell storage that this referee lives, who is here, and look after its matches, until cancelled."""
        away, beats = False, 0
        changed = self._attendance.changed
        changed.set()
        while True:
            told = changed.is_set() or beats % 5 == 0
            changed.clear()
            try:
                await self.beat(presences=told)
                await self.check()
            except StorageUnavailable as error:
                changed.set()
                if not away:
                    self._log.warning("storage_away", error=str(error))
                away = True
                await asyncio.sleep(BEAT)
                continue
            away, beats = False, beats + 1
            try:
                async with asyncio.timeout(BEAT):
                    await changed.wait()
                await asyncio.sleep(0.05)  # bots come in bursts
            except TimeoutError:
                pass

    async def beat(self, *, presences: bool) -> None:
        """Give one heartbeat, with all *presences* or without."""
        referee = self._config.referee
        if self._hall.draining:
            referee = Referee(referee.id, referee.address, referee.capacity, draining=True)
        await self._fleet.beat(referee, lease=self._config.lease)
        if presences:
            await self._fleet.set_presence(referee.id, self._attendance.presences(referee.id))
            await self._wakeups.publish(topics.FLEET)
        self.beaten = self._monotonic()

    async def end_revoked(self, news: News, admissions: Admissions) -> None:
        """End the streams of bots whose tokens are revoked, when that happens, until cancelled."""
        while True:
            wait = news.watch()
            here = {BotId(bot) for bot in self._hall.presences()}
            for bot in await admissions.recheck(here.__contains__):
                self._log.info("token_revoked", bot=bot)
                self._hall.end_bot(host.BotId(bot), End("TOKEN_REVOKED", "the token of this bot is good no more"))
            await wait(10.0)

    async def drain(self, grace: float) -> None:
        """Take no new matches, hand the running ones back at their deals' ends, and write what is to be written."""
        self._writer.draining = True
        await self._hall.drain(grace)
        if not await self._writer.written(max(grace, 5.0)):
            self._log.error("not_written", waiting=self._writer.waiting, advice="they will be played again")

    async def leave(self) -> None:
        """Say that this referee is gone, so that nobody waits for its lease to end."""
        await self._fleet.leave(self._config.referee.id)
        await self._wakeups.publish(topics.FLEET)
