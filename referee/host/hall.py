"""The hall: all tables and all sessions of one referee.

It lets bots in, gives them seats, keeps the clocks, and flushes what is to be sent. Matches are handed to it by
`host`; what comes of them goes to the `ResultSink`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from itertools import count
from secrets import randbits, token_hex
from traceback import format_exception
from typing import Final

import structlog

from referee.host import attendance, conduct
from referee.host.buckets import Arrivals
from referee.host.clocks import TICK, Deadlines, FairClock
from referee.host.flushing import Flusher
from referee.host.match import HostedMatch
from referee.host.metrics import HostMetrics
from referee.host.ports import Admission, Attending, BotId, MatchId, MatchOrder, NotAdmitted, ResultSink
from referee.host.seat import Seat
from referee.host.session import FRAME_ITEMS, End, Greeting, Invitation, Note, Session

PROTOCOL_VERSION: Final = 1
NO_SEAT: Final = "NO_SEAT"  # the code of a notice


@dataclass(frozen=True, slots=True)
class HallConfig:
    """Limits of one referee.

    Times are in seconds. `reconnect_grace` is told, the order's own rules; `stall` is how long a frame may wait for a
    bot that does not read, or a bot may answer nothing that has been sent `unread_bytes`. `waste_rate` and
    `waste_burst` are of messages of a session in a second and at once that answer nothing, `arrival_rate` and
    `arrival_burst` of new sessions of a bot.
    """

    capacity: int = 2000
    max_tables: int = 1000
    default_tables: int = 64
    max_open: int = 4096
    default_open: int = 256
    sessions_per_bot: int = 16
    heartbeat: float = 15.0
    checkpoint: float = 5.0
    reconnect_grace: float = 20.0
    stall: float = 10.0
    unread_bytes: int = 2 << 20
    waste_rate: int = 100
    waste_burst: int = 1000
    arrival_rate: int = 2
    arrival_burst: int = 200


class HallFull(Exception):
    """No table is free, or the hall takes no new matches any more."""


class SessionRefused(Exception):
    """A bot that cannot be let in now. `reason` is UPPER_SNAKE; `retry` seconds if coming back may help."""

    def __init__(self, reason: str, text: str, retry: float | None = None) -> None:
        super().__init__(text)
        self.reason = reason
        self.retry = retry


class Hall:
    """Tables, sessions and clocks. Lives on one event loop; `run` is to be run beside everything else."""

    def __init__(
        self,
        admission: Admission,
        sink: ResultSink,
        config: HallConfig,
        metrics: HostMetrics,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        loop = asyncio.get_running_loop()
        self.config = config
        self.sink = sink
        self.tally = metrics.tally
        self.clock = FairClock(monotonic or time.monotonic)
        self.deadlines = Deadlines(self.clock, lambda seat: seat.match.guarded(lambda: attendance.late(seat)))
        self.draining = False
        self._admission = admission
        self._loop = loop
        self._log = structlog.get_logger("referee")
        # Handles are never used again, not by the referee that follows this one either: a bot may remember them.
        self._handles = count(randbits(40) + 1).__next__
        self._matches: dict[MatchId, HostedMatch] = {}
        self._sessions: dict[BotId, dict[str, Session]] = {}
        self._unserved: dict[BotId, list[Seat]] = {}
        self.arrivals = Arrivals(config.arrival_rate, config.arrival_burst)
        self._promised = 0  # tables kept free by `slot`
        self._waiting: deque[asyncio.Future[None]] = deque()
        self.flusher = Flusher(loop, self.tally)
        self._stopping = False
        self._empty = asyncio.Event()
        self._empty.set()

    # --- matches

    @property
    def tables(self) -> int:
        """Return how many tables are running."""
        return len(self._matches)

    def host(self, order: MatchOrder) -> None:
        """Open a table for *order*, or raise `HallFull`. An older attempt at the same match is dropped."""
        older = self._matches.get(order.match)
        if self.draining or self.tables - (older is not None) >= self.config.capacity:
            raise HallFull("no table is free")
        if older is not None:
            older.void(cancelled=False)
        match = HostedMatch(order, self, self._handles)
        self._matches[order.match] = match
        self._empty.clear()
        self.tally.tables = self.flusher.tables = self.tables
        for seat in match.seats:
            if seat.order.present and not seat.autopilot:
                session = self._choose(seat)
                attendance.open_seat(seat, session)
                if session is None:
                    self._unserved.setdefault(seat.order.bot, []).append(seat)
                    self._complain(seat)
        match.begin_if_ready()

    @contextlib.asynccontextmanager
    async def slot(self) -> AsyncIterator[None]:
        """Wait until a table is free and the hall takes new matches, and keep it free until the block ends."""
        while self.draining or self.tables + self._promised >= self.config.capacity:
            future: asyncio.Future[None] = self._loop.create_future()
            self._waiting.append(future)
            try:
                await future
            except asyncio.CancelledError:
                if future.done() and not future.cancelled():
                    self._wake_waiter()  # the table is for somebody else
                raise
        self._promised += 1
        try:
            yield
        finally:
            self._promised -= 1
            self._wake_waiter()  # who looks for itself: perhaps nothing came of it

    def _wake_waiter(self) -> None:
        while self._waiting and not self.draining:
            future = self._waiting.popleft()
            if not future.done():
                future.set_result(None)
                break

    def void(self, match: MatchId, *, cancelled: bool) -> None:
        """Stop a match without a result, if it is hosted here: it was cancelled, or is not ours any more."""
        if (hosted := self._matches.get(match)) is not None:
            hosted.void(cancelled=cancelled)

    @property
    def hosted(self) -> dict[MatchId, int]:
        """Return the attempts of the matches that are hosted here."""
        return {ident: match.order.attempt for ident, match in self._matches.items()}

    async def drain(self, grace: float) -> None:
        """Take no new matches, hand the running ones back at their deals' ends, at the latest after *grace* seconds."""
        self.draining = True
        for session in self._all_sessions():
            session.draining = grace
            self.flusher.touch(session)
        for match in list(self._matches.values()):
            match.releasing = "the referee goes away"
            if not match.begun:
                match.give_up(match.releasing)
        try:
            async with asyncio.timeout(grace):
                await self._empty.wait()
        except TimeoutError:
            for match in list(self._matches.values()):
                match.give_up("the referee goes away")

    def ended(self, match: HostedMatch, termination: str) -> None:
        """Take *match*, which has closed its seats, off the list."""
        if self._matches.get(match.order.match) is match:
            del self._matches[match.order.match]
        self.tally.tables = self.flusher.tables = self.tables
        self.tally.matches[termination] = self.tally.matches.get(termination, 0) + 1
        self._wake_waiter()
        if not self._matches:
            self._empty.set()
        for bot in {seat.order.bot for seat in match.seats}:
            self._seat_waiting(bot)  # there may be room for another seat now

    def broke(self, match: HostedMatch, error: Exception) -> None:
        """Void the attempt of *match* because of our own *error*; it is no result and nobody's fault."""
        text = "".join(format_exception(error))  # ready-made: a logger might show variables, and hands are secret
        self._log.error("table_broke", match=match.order.match, attempt=match.order.attempt, exception=text)
        if not match.over:
            match.void(cancelled=False)
        self.sink.release(match.order, "internal error")

    def later(self, step: Callable[[], None]) -> None:
        """Run *step* in the next turn of the loop."""
        self._loop.call_soon(step)

    # --- sessions

    async def admit(self, greeting: Greeting) -> Session:
        """Let a bot in; raise `NotAdmitted`, `AdmissionUnavailable` or `SessionRefused`."""
        identity = await self._admission.admit(greeting.token)
        if self.draining:
            raise SessionRefused("DRAINING", "this referee goes away: connect to another, or later", retry=5.0)
        config = self.config
        if wait := self.arrivals.wait(identity.bot, self.clock.now()):
            text = f"this bot connects too often: {config.arrival_rate} times a second at most"
            raise SessionRefused("TOO_MANY_SESSIONS", text, retry=wait)
        if identity.instance not in (None, greeting.instance):
            raise NotAdmitted("TICKET_MISMATCH", "the ticket was given to another instance of this bot")
        session = Session(token_hex(8), identity, greeting, self.deadlines, self.tally)
        session.max_tables = min(greeting.max_tables or config.default_tables, config.max_tables)
        session.max_open = min(greeting.max_open or config.default_open, config.max_open)
        known = self._sessions.get(session.bot, {})
        older = known.get(session.instance)
        if older is not None and session.visiting and not older.visiting:
            raise SessionRefused("ALREADY_HERE", "this instance of the bot is connected here already, by its own token")
        if older is None and len(known) >= config.sessions_per_bot:
            text = f"this bot has {len(known)} sessions already, the most that are allowed"
            raise SessionRefused("TOO_MANY_SESSIONS", text, retry=30.0)
        if older is not None:
            self.end(older, End("SESSION_REPLACED", "another process of this bot connected with the same instance"))
        self._sessions.setdefault(session.bot, {})[session.instance] = session
        self.tally.sessions += 1
        self._seat_waiting(session.bot)
        self._report(session.bot)
        return session

    def left(self, session: Session) -> None:
        """Note that the stream of *session* is gone. Its seats wait for the bot to come back."""
        known = self._sessions.get(session.bot, {})
        if known.get(session.instance) is session:
            del known[session.instance]
        if not known:
            self._sessions.pop(session.bot, None)
        if session.gone:
            return
        session.gone = True
        self.tally.sessions -= 1
        lost = list(session.seats.values())
        session.seats.clear()
        if lost:
            self._unserved.setdefault(session.bot, []).extend(lost)
        for seat in lost:
            attendance.lost(seat)
        self._report(session.bot)

    def end(self, session: Session, end: End) -> None:
        """End *session* from our side: its stream is told why and closed."""
        session.end = end
        self.left(session)
        session.wake()
        session.cut()

    def end_bot(self, bot: BotId, end: End) -> None:
        """End all sessions of *bot*."""
        for session in list(self._sessions.get(bot, {}).values()):
            self.end(session, end)

    def end_admitted_by(self, credential: str, end: End) -> int:
        """End the sessions that *credential* has let in, because it is good no more. Return how many."""
        admitted = [session for session in self._all_sessions() if session.credential == credential]
        for session in admitted:
            self.end(session, end)
        return len(admitted)

    def invite(self, bot: BotId, instance: str, invitation: Invitation) -> bool:
        """Ask a session for a second stream to another referee. Return whether it is here to be asked."""
        session = self._sessions.get(bot, {}).get(instance)
        if session is None:
            return False
        session.invitations.append(invitation)
        self.flusher.touch(session)
        return True

    def credential_of(self, bot: BotId, instance: str) -> str:
        """Return what let the session in, empty if it is not here."""
        session = self._sessions.get(bot, {}).get(instance)
        return session.credential if session is not None else ""

    @property
    def credentials(self) -> set[str]:
        """Return all that has let in the sessions that are here."""
        return {session.credential for session in self._all_sessions()}

    @property
    def awaited(self) -> set[BotId]:
        """Return the bots that have a seat here and no session that serves it."""
        return {bot for bot, seats in self._unserved.items() if any(not seat.match.over for seat in seats)}

    def presences(self) -> dict[BotId, tuple[Attending, ...]]:
        """Return the sessions of every connected bot."""
        return {bot: _attending(known) for bot, known in self._sessions.items()}

    def _report(self, bot: BotId) -> None:
        self.sink.presence(bot, _attending(self._sessions.get(bot, {})))

    def _all_sessions(self) -> list[Session]:
        return [session for known in self._sessions.values() for session in known.values()]

    def _choose(self, seat: Seat) -> Session | None:
        """Return the session of the seat's bot with the most room, of those that can play these rules."""
        variant = seat.match.order.variant
        fit = [
            session
            for session in self._sessions.get(seat.order.bot, {}).values()
            if session.room > 0 and session.capabilities.fit(variant)
        ]
        # Visitors last: where they are at home they may be needed for the same share of their tables.
        session = max(fit, key=lambda each: (not each.visiting, each.room), default=None)
        seat.instance = session.instance if session is not None else None
        return session

    def _seat_waiting(self, bot: BotId) -> None:
        """Give the seats of *bot* that nobody serves to the sessions that may serve them: its own, or any if new."""
        for seat in self._unserved.pop(bot, ()):
            if seat.match.over:
                continue
            again = seat.instance is not None
            known = self._sessions.get(bot, {})
            session = known.get(seat.instance) if seat.instance is not None else self._choose(seat)
            if session is None:
                self._unserved.setdefault(bot, []).append(seat)
            else:
                seat.match.guarded(partial(attendance.serve, seat, session, again=again))

    def _complain(self, seat: Seat) -> None:
        """Tell the sessions of the seat's bot, if there are any, that none of them could be given *seat*."""
        for session in self._sessions.get(seat.order.bot, {}).values():
            lack = session.capabilities.lacks(seat.match.order.variant)
            why = f"cannot play its rules: {lack}" if lack else "has no room for another table"
            session.notes.append(Note(NO_SEAT, f"a seat waits for this bot, but this session {why}"))
            self.flusher.touch(session)

    def tell_once(self, bot: BotId, instance: str, about: str, text: str) -> None:
        """Tell a session, if it is here, why it is given no seat; only once *about* the same thing."""
        session = self._sessions.get(bot, {}).get(instance)
        if session is not None and about not in session.told:
            session.told.add(about)
            session.notes.append(Note(NO_SEAT, text))
            self.flusher.touch(session)

    # --- time and flushing

    async def run(self) -> None:
        """Keep the clocks and the heartbeats, for ever."""
        now = time.monotonic  # the loop's own may be as coarse as a millisecond
        beat_at, stall_at = now() + self.config.heartbeat, now() + 1.0
        while True:
            await asyncio.sleep(TICK)
            lag = self.deadlines.tick()
            self.flusher.flush_held()
            self.tally.loop_lag = lag
            self.tally.loop_lag_max = max(self.tally.loop_lag_max, lag)
            if now() >= beat_at:
                beat_at = now() + self.config.heartbeat
                for session in self._all_sessions():
                    session.beat = True
                    session.wake()
            if now() >= stall_at:
                stall_at = now() + 1.0
                conduct.end_stalled(self, self._all_sessions(), now())


def _attending(known: dict[str, Session]) -> tuple[Attending, ...]:
    return tuple(
        Attending(session.instance, session.max_tables, session.visiting, session.capabilities)
        for session in known.values()
    )


__all__ = ["FRAME_ITEMS", "Hall", "HallConfig", "HallFull", "Note", "SessionRefused"]
