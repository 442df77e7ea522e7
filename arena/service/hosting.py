"""The referee's side of the arena: takes matches from the queue, has them hosted, and stops those it has lost.

Nothing of a match waits here: a task takes it, hands it to the hall and ends. What the host reports goes to the
`Writer`. Whether a match is still ours is asked once a second; storage refuses a late result in any case.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from typing import Final

import structlog

from arena.service import topics
from arena.service.admission import Admissions
from arena.service.attendance import Attendance
from arena.service.commitment import Chain
from arena.service.guests import Guests
from arena.service.news import News, rest_after
from arena.service.outage import Outage
from arena.service.planning import Plan, Plans, key_of, order_of
from arena.service.results import UnknownVersion
from arena.service.spec import NoShow
from arena.service.writer import Writer
from arena.storage.ports import (
    BotId,
    Damaged,
    FenceLost,
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
RECHECK_SECONDS: Final = 5.0
RECHECK_REST: Final = 0.5
"""The longest rest between two checks of tokens: what is revoked is void within a second."""

SLOT_PATIENCE: Final = 0.5
"""Seconds that a match in line waits here for a free table."""

LOOK_SECONDS: Final = 0.5
"""How often it is seen who is elsewhere, while a match waits for its bots."""

COME_SECONDS: Final = 6.0
"""Seconds within which a bot follows an invitation, or does not."""

PATIENCE: Final = 15.0
"""Seconds that a match in line waits here for bots that were there when it was put in line."""

ROW_AGE: Final = 0.5
_STALE_BEATS: Final = 3
FORGOTTEN_SECONDS: Final = 3.0


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
        guests: Guests,
        config: HostingConfig,
        *,
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
        self._guests = guests
        self._config = config
        self._monotonic = monotonic
        self._plans = Plans()
        self._known: dict[TournamentId, _Known] = {}
        self._forgotten: set[MatchKey] = set()
        self._log = structlog.get_logger("hosting")
        writer.lost = self._lost

    # --- taking

    async def host_match(self, key: MatchKey) -> None:
        """Wait for a free table, take the match and have it hosted. What is not to be had (any more) is left alone."""
        try:
            known = await self._tournament(key.tournament)
        except NotFound as error:
            if error.kind != "tournament":
                self._log.warning("match_not_hosted", match=str(key), error=str(error))
            return
        seated = {known.row.entrants[number].bot for number in known.plan.schedule.match(key.number).seating}
        needed = seated - {entrant.bot for entrant in known.row.entrants if entrant.withdrawn}
        away = frozenset[BotId]()
        if known.plan.spec.no_show is NoShow.AUTOPILOT:
            away = self._attendance.away(needed, min(known.plan.spec.no_show_seconds, PATIENCE))
            away -= await self._guests.elsewhere(away)
        if not await self._gather(frozenset(needed - away)):
            await self._store.decline(key)
            return
        # Who has come back with other capabilities since the match was put in line cannot be seated any more.
        unable = self._attendance.unable(needed - away, known.plan.variant)
        unable -= await self._guests.elsewhere(unable)
        if unable and known.plan.spec.no_show is not NoShow.AUTOPILOT:
            await self._store.decline(key)
            return
        away |= unable
        async with AsyncExitStack() as slot:
            try:
                async with asyncio.timeout(SLOT_PATIENCE):
                    await slot.enter_async_context(self._hall.slot())
            except TimeoutError:  # another referee may have a table
                await self._store.decline(key)
                return
            taken = await self._store.take(key, self._config.referee.id)
            if taken is not None:
                await self._host(known, taken, away)

    async def _gather(self, bots: frozenset[BotId]) -> bool:
        """Wait until *bots* are here; call those that are elsewhere.

        Return False if one stays elsewhere: then its own referee has to take the match. One that is nowhere, though
        it was when the match was put in line, may still come to its table.
        """
        begun = self._monotonic()
        while missing := self._attendance.missing(bots):
            elsewhere = await self._guests.elsewhere(missing)
            if self._guests.stubborn(elsewhere):
                return False
            waited = self._monotonic() - begun
            if elsewhere and waited >= COME_SECONDS:
                self._guests.note_stubborn(elsewhere)
                return False
            if waited >= PATIENCE:
                break
            await self._guests.call(elsewhere)
            await self._attendance.gathered(bots, LOOK_SECONDS)
        return True

    async def _host(self, known: _Known, taken: Taken, away: frozenset[BotId]) -> None:
        try:
            order = self._order(known, taken, away)
        except Exception:
            # Storage takes it for hosted here: handed back, and given up after as many tries as any that fails.
            await self._store.release(taken.key, taken.attempt, park_after=self._writer.park_after)
            raise
        try:
            self._hall.host(order)
        except HallFull:  # it has begun to drain meanwhile
            self._writer.release(order, "no table is free")
        except Exception:
            self._writer.release(order, "it cannot be hosted")
            raise

    def _order(self, known: _Known, taken: Taken, away: frozenset[BotId]) -> host.MatchOrder:
        """Return the order for a match. From a checkpoint that cannot be read nobody can go on: it is played anew."""
        try:
            return order_of(known.plan, known.chain, known.row.entrants, taken, away)
        except UnknownVersion:  # somebody else can
            raise
        except Damaged as error:
            self._log.error("checkpoint_damaged", match=str(taken.key), error=str(error), advice="it is played anew")
            return order_of(known.plan, known.chain, known.row.entrants, replace(taken, checkpoint=None), away)

    async def _tournament(self, ident: TournamentId) -> _Known:
        """Return what a match needs of its tournament; its row may be half a second old."""
        known = self._known.get(ident)
        if known is None or self._monotonic() - known.read > ROW_AGE:
            row = await self._store.tournament(ident)
            plan = known.plan if known else await self._plans.of(row)
            chain = known.chain if known else await self._chain(row, plan)
            known = self._known[ident] = _Known(self._monotonic(), row, plan, chain)
        return known

    async def _chain(self, row: TournamentRow, plan: Plan) -> Chain:
        """Return the secrets of a tournament, which must be those that it has committed to."""
        chain = Chain(await self._store.secret(row.id), plan.schedule.rounds)
        if row.commitment and chain.commitment != row.commitment:
            raise Damaged(f"the secret of tournament {row.name}", "it is not the one that was committed to")
        return chain

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
            try:
                rows = await self._store.match_rows(ident, list(matches))
            except Damaged as error:  # they play on, and what is written of them is judged by its fence
                self._log.error("matches_not_checked", tournament=ident, error=str(error))
                continue
            for number, (match, attempt) in matches.items():
                state, latest = rows.get(number, (MatchState.VOID, 0))
                ours = state is MatchState.HOSTED and latest == attempt
                if not ours and self._hall.hosted.get(match) == attempt:
                    self._log.warning("match_not_ours", match=match, attempt=attempt, state=state.value, latest=latest)
                    self._hall.void(match, cancelled=state is MatchState.VOID)
        for ident in self._known.keys() - by_tournament.keys():
            if self._monotonic() - self._known[ident].read > 60:
                del self._known[ident]

    async def release_forgotten(self) -> None:
        """Hand back what storage believes to be hosted here and is not: a Redis that lost its latest writes says so.

        What is found in two looks in a row counts, because a match may be on its way in or out at one of them.
        """
        here = self._hall.hosted
        forgotten = {
            key
            for key in await self._fleet.hosted(self._config.referee.id)
            if (match := host.MatchId(str(key))) not in here and not self._writer.holds(match)
        }
        for key in forgotten & self._forgotten:
            with suppress(FenceLost, Damaged):
                rows = await self._store.match_rows(key.tournament, [key.number])
                state, attempt = rows.get(key.number, (MatchState.PLANNED, 0))
                if state is MatchState.HOSTED:
                    self._log.warning("match_forgotten", match=str(key), attempt=attempt, advice="it is played again")
                    await self._store.release(key, attempt, park_after=0)
        self._forgotten = forgotten

    # --- loops

    @property
    def heard(self) -> bool:
        """Whether storage has heard this referee lately."""
        return self._monotonic() - self.beaten < _STALE_BEATS * BEAT

    async def beat_for_ever(self) -> None:
        """Tell storage that this referee lives, who is here, and look after its matches, until cancelled."""
        outage, beats, looked = Outage("hosting"), 0, float("-inf")
        changed = self._attendance.changed
        changed.set()
        while True:
            told = changed.is_set() or beats % 5 == 0
            changed.clear()
            try:
                await self.beat(presences=told)
                await self.check()
                if self._monotonic() - looked >= FORGOTTEN_SECONDS:
                    looked = self._monotonic()
                    await self.release_forgotten()
                await self._guests.call({BotId(bot) for bot in self._hall.awaited})
            except (StorageUnavailable, Damaged) as error:
                changed.set()
                outage.begins(error)
                await asyncio.sleep(BEAT)
                continue
            outage.ends()
            beats += 1
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
        """End the streams of tokens that were revoked or have expired, when that happens, until cancelled."""
        heard, due = -1, 0.0
        while True:
            wait, begun = news.watch(), time.monotonic()
            if news.heard[topics.TOKENS] != heard or self._monotonic() >= due:
                heard, due = news.heard[topics.TOKENS], self._monotonic() + RECHECK_SECONDS
                for credential, reason in (await admissions.recheck(self._hall.credentials)).items():
                    ended = self._hall.end_admitted_by(credential, End(reason, "the token of this bot is good no more"))
                    self._log.info("sessions_ended", reason=reason, sessions=ended)
            await asyncio.sleep(rest_after(time.monotonic() - begun, RECHECK_REST))
            await wait(1.0)

    async def drain(self, grace: float) -> None:
        """Take no new matches, hand the running ones back at their deals' ends, and write what is to be written."""
        self._writer.draining = True
        with suppress(StorageUnavailable):
            await self.beat(presences=True)  # so that nobody is sent here any more
            await self._guests.move_out()
        await self._hall.drain(grace)
        if not await self._writer.written(max(grace, 5.0)):
            self._log.error("not_written", waiting=self._writer.waiting, advice="they will be played again")

    async def leave(self) -> None:
        """Say that this referee is gone, so that nobody waits for its lease to end."""
        await self._fleet.leave(self._config.referee.id)
        await self._wakeups.publish(topics.FLEET)
