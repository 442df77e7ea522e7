"""Writes what the host reports, for as long as it takes.

The host must not wait, and storage may be away for any length of time. So each match has one note of what is still to
be written about it, the latest checkpoint replacing the one before, and a loop writes the notes in batches, again and
again until storage has them. There are never more notes than tables, for a match whose result waits gives its table
free only to a match taken from storage.

A write that comes too late, because the match was given to another referee or voided meanwhile, is dropped: the fence
says so, and the match is stopped here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import structlog

from arena.service import topics
from arena.service.attendance import Attendance
from arena.service.planning import key_of
from arena.service.results import encode_checkpoint, encode_record, encode_result, result_of
from arena.storage.ports import BotId, FenceLost, MatchState, StorageUnavailable, Tournaments, Wakeups
from referee.host import ports as host

BATCH: Final = 24
"""Writes at once: fewer than the connections to storage, so that others get through."""

FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 2.0

_PARKED: Final = "'arena tournament resume' tries it again"


@dataclass(slots=True)
class WriterTally:
    """What the writer has done so far."""

    committed: dict[str, int] = field(default_factory=dict)
    deals: int = 0
    checkpoints: int = 0
    released: int = 0
    lost: int = 0
    retries: int = 0


@dataclass(slots=True)
class _Note:
    """What is to be written about one attempt of a match; `blobs` is the result once it is encoded."""

    order: host.MatchOrder
    checkpoint: host.Checkpoint | None = None
    outcome: host.Outcome | None = None
    release: bool = False
    blobs: tuple[bytes, bytes] | None = None

    def merge_older(self, older: _Note) -> None:
        """Take over what *older* had to say and this note does not replace."""
        self.checkpoint = self.checkpoint or older.checkpoint


class Writer:
    """A `ResultSink` of the host. `run` must run for anything to be written; `lost` is told of lost matches."""

    def __init__(self, store: Tournaments, wakeups: Wakeups, attendance: Attendance, *, park_after: int) -> None:
        self.tally = WriterTally()
        self.draining = False
        """Whether matches are handed back unharmed, because this referee goes away."""

        self.lost: Callable[[host.MatchOrder], None] = lambda _: None
        self._store = store
        self._wakeups = wakeups
        self._attendance = attendance
        self.park_after = park_after
        """After so many failed attempts a match is parked."""

        self._notes: dict[tuple[host.MatchId, int], _Note] = {}
        self._in_hand: list[host.MatchId] = []
        self._some = asyncio.Event()
        self._none = asyncio.Event()
        self._none.set()
        self._log = structlog.get_logger("writer")

    def checkpoint(self, order: host.MatchOrder, checkpoint: host.Checkpoint) -> None:
        """Keep where the match stands at the end of a deal."""
        self._note(order).checkpoint = checkpoint

    def commit(self, order: host.MatchOrder, outcome: host.Outcome) -> None:
        """Store the result of a finished match."""
        self._note(order).outcome = outcome

    def release(self, order: host.MatchOrder, reason: str) -> None:
        """Give up the attempt."""
        self._note(order).release = True
        self._log.info("match_released", match=order.match, attempt=order.attempt, reason=reason)

    def presence(self, bot: host.BotId, sessions: Sequence[host.Attending]) -> None:
        """Note the sessions that a bot has here."""
        self._attendance.note(BotId(bot), tuple(sessions))

    @property
    def waiting(self) -> int:
        """The number of matches of which something is still to be written."""
        return len(self._notes) + len(self._in_hand)

    def holds(self, match: host.MatchId) -> bool:
        """Whether something of *match* is still to be written."""
        return match in self._in_hand or any(match == noted for noted, _ in self._notes)

    async def written(self, seconds: float) -> bool:
        """Wait until everything is written, at most so many seconds; return whether it is."""
        try:
            async with asyncio.timeout(seconds):
                await self._none.wait()
        except TimeoutError:
            return False
        return True

    async def run(self) -> None:
        """Write until cancelled."""
        wait, behind = FIRST_WAIT, False
        while True:
            await self._some.wait()
            batch = [self._notes.pop(key) for key in list(self._notes)[:BATCH]]
            self._in_hand = [note.order.match for note in batch]
            failed = await self._write_all(batch)
            for note in failed:
                self._put_back(note)
            self._in_hand = []
            if not self._notes:
                self._some.clear()
                self._none.set()
            if bool(failed) is not behind:  # told once: an outage concerns every table at once
                behind = bool(failed)
                if behind:
                    self._log.warning(
                        "writes_wait", waiting=self.waiting, advice="they are written when storage is back"
                    )
                else:
                    self._log.info("writes_go_on", waiting=self.waiting)
            if failed:
                self.tally.retries += len(failed)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT)
            else:
                wait = FIRST_WAIT

    def _note(self, order: host.MatchOrder) -> _Note:
        self._some.set()
        self._none.clear()
        return self._notes.setdefault((order.match, order.attempt), _Note(order))

    def _put_back(self, note: _Note) -> None:
        key = (note.order.match, note.order.attempt)
        if (newer := self._notes.get(key)) is not None:
            newer.merge_older(note)
        else:
            self._notes[key] = note

    async def _write_all(self, batch: Sequence[_Note]) -> list[_Note]:
        """Write *batch* and return what has to be written again."""
        for note in batch:
            if note.outcome is not None and note.blobs is None:
                try:
                    note.blobs = encode_result(result_of(note.outcome)), encode_record(note.outcome)
                except Exception as error:
                    self._give_up(note, error)
                await asyncio.sleep(0)  # encoding takes half a millisecond, and players' clocks run
        written = await asyncio.gather(*map(self._write, batch))
        if any(written):
            with suppress(StorageUnavailable):
                await self._wakeups.publish(topics.MATCHES)
        return [note for note, done in zip(batch, written, strict=True) if not done]

    async def _write(self, note: _Note) -> bool:
        """Write one note; return False if storage is away."""
        order, tally = note.order, self.tally
        key, attempt = key_of(order.match), order.attempt
        try:
            if note.outcome is not None and note.blobs is not None:
                deals = len(note.outcome.deals)
                await self._store.commit(key, attempt, *note.blobs, deals, _faulty(order, note.outcome))
                tally.committed[note.outcome.termination] = tally.committed.get(note.outcome.termination, 0) + 1
                tally.deals += deals
                return True
            if note.checkpoint is not None:
                await self._store.checkpoint(key, attempt, encode_checkpoint(note.checkpoint))
                tally.checkpoints += 1
                note.checkpoint = None
            if note.release:
                limit = 0 if self.draining else self.park_after
                if await self._store.release(key, attempt, park_after=limit) is MatchState.PARKED:
                    self._log.warning("match_parked", match=order.match, tries=limit, advice=_PARKED)
                tally.released += 1
        except StorageUnavailable:
            return False
        except FenceLost as error:
            tally.lost += 1
            self._log.warning("fence_lost", match=order.match, attempt=attempt, error=str(error))
            self.lost(order)
        except Exception as error:
            return self._give_up(note, error)
        return True

    def _give_up(self, note: _Note, error: Exception) -> bool:
        """Void an attempt of which something cannot be written, ever; what concerns one match must not stop the rest.

        Return False if it is still to be handed back, True if that is what failed: then a sweep has to find it.
        """
        self._log.error("match_not_written", match=note.order.match, attempt=note.order.attempt, exc_info=error)
        self.tally.lost += 1
        self.lost(note.order)
        handing_back = note.release and note.outcome is None and note.checkpoint is None
        note.outcome = note.checkpoint = None
        note.release = True
        return handing_back


def _faulty(order: host.MatchOrder, outcome: host.Outcome) -> dict[BotId, bool]:
    """Say of every bot whether it has spoilt the match: by so many faults that substitutes played for it."""
    return {
        BotId(seat.bot): sum(faults.values()) >= order.fault_limit
        for seat, faults in zip(order.seats, outcome.faults, strict=True)
        if seat.present
    }
