"""The scheduler: a loop that puts the next matches in line, and ends tournaments that are played out.

All that it decides follows from what is stored, so it can be killed at any time, and two of them do no harm. It is
woken when something changes, and looks by itself once a second.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from arena.service import topics
from arena.service.absence import Absences, attention_text
from arena.service.dispatch import Candidate, Choice, Rooms, choose, rooms_of
from arena.service.entries import withdrawn
from arena.service.fitness import unfit
from arena.service.harm import Harm
from arena.service.ledger import Ledger
from arena.service.ledgers import Ledgers
from arena.service.news import News, rest_after
from arena.service.outage import Outage
from arena.service.planning import Plan
from arena.service.rows import Rows
from arena.service.spec import NoShow
from arena.storage.ports import (
    BotId,
    Damaged,
    Fleet,
    MatchKey,
    MatchState,
    NotFound,
    StaleState,
    StorageUnavailable,
    TournamentId,
    TournamentRow,
    TournamentState,
    WorkQueue,
)

LOOK_SECONDS: Final = 1.0
IN_PLAY: Final = (TournamentState.RUNNING, TournamentState.PAUSED)


@dataclass(slots=True)
class SchedulerState:
    """What the scheduler saw last, for metrics and readiness. Times are monotonic seconds."""

    looked: float = 0.0
    queued: int = 0
    oldest: float = 0.0
    matches: dict[MatchState, int] = field(default_factory=dict)
    referees: int = 0
    running: tuple[TournamentRow, ...] = ()


@dataclass(frozen=True, slots=True)
class _InPlay:
    row: TournamentRow
    plan: Plan
    ledger: Ledger


class Scheduler:
    """The loop. *monotonic* returns seconds for waits, *now* seconds since the epoch."""

    def __init__(
        self,
        rows: Rows,
        fleet: Fleet,
        queue: WorkQueue,
        ledgers: Ledgers,
        news: News,
        *,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.state = SchedulerState()
        self._rows = rows
        self._store = rows.store
        self._fleet = fleet
        self._queue = queue
        self._ledgers = ledgers
        self._news = news
        self._now = now
        self._monotonic = monotonic
        self._absences: defaultdict[TournamentId, Absences] = defaultdict(Absences)
        self._judged: dict[TournamentId, int] = {}  # matches done when spoilt ones were counted last
        self._heard: Counter[str] = Counter()
        self._refreshed = float("-inf")
        self._in_play: list[TournamentRow] = []
        self._rooms = Rooms({}, 0)
        self._harm = Harm("scheduler")
        self._log = structlog.get_logger("scheduler")

    async def run(self) -> None:
        """Look again and again until cancelled; storage's absence is waited out, and so is damage that concerns all."""
        outage = Outage("scheduler")
        while True:
            wait = self._news.watch()
            begun = self._monotonic()
            try:
                await self.look()
            except (StorageUnavailable, Damaged) as error:
                outage.begins(error)
            except (NotFound, StaleState) as error:
                # A tournament was deleted or moved on while we looked: look again.
                self._log.info("look_repeated", reason=str(error))
                self._refreshed = float("-inf")
            else:
                outage.ends()
            await asyncio.sleep(rest_after(self._monotonic() - begun, LOOK_SECONDS))
            await wait(LOOK_SECONDS)

    async def look(self) -> Choice:
        """Bring what is known up to date, put the next matches in line, and return the choice."""
        await self._refresh()
        self._harm.begin()
        in_play: list[_InPlay] = []
        for row in self._in_play:
            with self._harm.of(row):
                plan, ledger = await self._ledgers.of(row)
                if len(row.entrants) != plan.entrants:
                    raise Damaged(f"tournament {row.name}", f"it has {len(row.entrants)} entrants of {plan.entrants}")
                in_play.append(_InPlay(row, plan, ledger))
        self._note(in_play)
        going_on: list[_InPlay] = []
        for each in in_play:
            with self._harm.of(each.row):
                if not await self._finished(each):
                    going_on.append(each)
        choice = choose(self._turns([self._candidate(each) for each in going_on]), self._rooms)
        for each in going_on:
            with self._harm.of(each.row):
                await self._line_up(each, [key for key in choice.ready if key.tournament == each.row.id])
        for each in going_on:
            with self._harm.of(each.row):
                await self._absent(each, choice)
        await self._tell_harm()
        self.state.looked = self._monotonic()
        return choice

    async def _line_up(self, each: _InPlay, keys: Sequence[MatchKey]) -> None:
        if not keys or await self._store.make_ready(keys) < len(keys):
            return  # some were in line already, or their tournament runs no more: the next look will tell
        each.ledger.line_up(key.number for key in keys)

    async def _tell_harm(self) -> None:
        """Tell the organiser of a tournament what went wrong with it, if its row can be written."""
        for row in self._in_play:
            if (text := self._harm.texts.get(row.id)) and row.attention != text:
                with self._harm.of(row):
                    await self._attention(row, text)

    async def _refresh(self) -> None:
        """Read tournaments and fleet again if they have changed, and everything once a second."""
        heard, due = self._news.heard.copy(), self._monotonic() - self._refreshed >= LOOK_SECONDS
        if due or heard[topics.TOURNAMENTS] != self._heard[topics.TOURNAMENTS]:
            self._in_play = [*reversed(await self._store.tournaments_in(IN_PLAY))]
            self._forget({row.id for row in self._in_play})
        if due or heard[topics.FLEET] != self._heard[topics.FLEET]:
            referees = await self._fleet.referees()
            self._rooms = rooms_of(referees, await self._fleet.presences())
            self.state.referees = len(referees)
        if due:
            self.state.queued, self.state.oldest = await self._queue.pending()
            await self._queue.requeue_ready()
            self._refreshed = self._monotonic()
        self._heard = heard

    async def _edit(self, row: TournamentRow, change: Callable[[TournamentRow], TournamentRow]) -> None:
        await self._rows.edit(row.id, change)
        self._refreshed = float("-inf")  # what is known of it is out of date

    def _candidate(self, each: _InPlay) -> Candidate:
        row, spec = each.row, each.plan.spec
        excused = {entrant.bot for entrant in row.entrants if entrant.withdrawn}
        if spec.no_show is NoShow.AUTOPILOT:
            excused |= self._absences[row.id].overdue(spec, self._monotonic())
        return Candidate(
            tournament=row.id,
            ledger=each.ledger,
            bots=[entrant.bot for entrant in row.entrants],
            excused=excused,
            window=spec.window,
            concurrency=spec.concurrency,
            paused=row.state is TournamentState.PAUSED,
            rules=each.plan.variant,
        )

    def _turns(self, candidates: list[Candidate]) -> list[Candidate]:
        """Return *candidates*, another one first each second, so that none is always first where rooms are short."""
        first = int(self._monotonic()) % len(candidates) if candidates else 0
        return candidates[first:] + candidates[:first]

    async def _finished(self, each: _InPlay) -> bool:
        """End a tournament that is played out, and say whether it was."""
        if each.row.state is not TournamentState.RUNNING or not each.ledger.complete:
            return False

        def finish(row: TournamentRow) -> TournamentRow:
            if row.state is not TournamentState.RUNNING:
                raise StaleState(f"tournament {row.name} is {row.state.value} by now")
            return replace(row, state=TournamentState.FINISHED, ended=self._now(), attention="")

        await self._edit(each.row, finish)
        self._log.info("tournament_finished", tournament=each.row.name)
        return True

    async def _absent(self, each: _InPlay, choice: Choice) -> None:
        """Keep the time of absentees, withdraw the overdue where that is the policy, and say who is missing."""
        now, rooms = self._monotonic(), self._rooms
        row, spec, rules = each.row, each.plan.spec, each.plan.variant
        absences, absent = self._absences[row.id], choice.absent.get(row.id, frozenset())
        unable = unfit(rooms.presences, absent, rules)
        if rooms.capacity:
            absences.observe(absent, rooms.under(rules, [entrant.bot for entrant in row.entrants]).keys(), now)
        else:
            absences.forget()
        if spec.no_show is NoShow.WITHDRAW:
            for bot in absences.overdue(spec, now):
                await self._withdraw(row, bot, unable.get(bot, "it did not come in time"))
                absent -= {bot}
        await self._suspend(each)
        if row.id not in self._harm.texts:
            await self._attend(each, absent, unable)

    async def _suspend(self, each: _InPlay) -> None:
        """Withdraw the bots that have spoilt so many matches in a row; looked for when matches have ended."""
        row, done = each.row, len(each.ledger.done)
        if self._judged.get(row.id) == done:
            return
        playing = {entrant.bot for entrant in row.entrants if not entrant.withdrawn}
        for bot, count in (await self._store.faulty(row.id)).items():
            if count >= each.plan.spec.suspend_after and bot in playing:
                await self._withdraw(row, bot, f"suspended: substitutes had to play for it in {count} matches in a row")
        self._judged[row.id] = done

    async def _withdraw(self, row: TournamentRow, bot: BotId, reason: str) -> None:
        await self._edit(row, lambda current: withdrawn(current, bot, reason))
        self._log.info("bot_withdrawn", tournament=row.name, bot=bot, reason=reason)

    async def _attend(self, each: _InPlay, absent: frozenset[BotId], unable: Mapping[BotId, str]) -> None:
        """Tell the organiser what keeps a tournament from going on."""
        ledger = each.ledger
        playing = ledger.count(MatchState.HOSTED)
        text = attention_text(
            each.row.entrants,
            absent,
            ledger.count(MatchState.PARKED),
            referees=bool(self._rooms.capacity) or playing > 0,
            passed_over=bool(absent),
            unfit=unable,
        )
        if text != each.row.attention:
            await self._attention(each.row, text)

    async def _attention(self, row: TournamentRow, text: str) -> None:
        if row.state is TournamentState.RUNNING:
            await self._edit(
                row, lambda current: replace(current, attention=text) if current.state is row.state else current
            )

    def _forget(self, keep: set[TournamentId]) -> None:
        self._ledgers.forget(keep)
        for ident in self._absences.keys() - keep:
            del self._absences[ident]
        for ident in self._judged.keys() - keep:
            del self._judged[ident]

    def _note(self, in_play: Sequence[_InPlay]) -> None:
        counts = dict.fromkeys((MatchState.READY, MatchState.HOSTED, MatchState.PARKED, MatchState.DONE), 0)
        for each in in_play:
            counts[MatchState.DONE] += len(each.ledger.done)
            for _, state in each.ledger.in_flight.values():
                counts[state] = counts.get(state, 0) + 1
        self.state.matches = counts
        self.state.running = tuple(each.row for each in in_play)
