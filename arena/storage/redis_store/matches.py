"""Matches on Redis: in line, hosted, ended.

A match moves by scripts only; the fence is its attempt. What a row looks like stands in `arena.storage.keys`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence

from arena.storage import keys
from arena.storage.ports import (
    NOBODY,
    BotId,
    FenceLost,
    MatchKey,
    MatchState,
    Progress,
    RefereeId,
    StorageUnavailable,
    Taken,
    TournamentId,
    reading,
)
from arena.storage.redis_store.db import Argument, Db

logger = logging.getLogger(__name__)

TAKE_RETRY_SECONDS = 0.25
RECORDS_AT_ONCE = 200
"""Record blobs in one answer: some hundreds of kilobytes."""


class RedisMatches:
    """The part of `Tournaments` that is about matches. *put* puts ready matches on the work queue."""

    def __init__(self, db: Db, put: Callable[[Sequence[MatchKey]], Awaitable[None]]) -> None:
        self._db = db
        self._put = put

    async def progress(self, ident: TournamentId) -> Progress:
        """Return the counts and what is in flight."""
        flight, done, deals = await self._db.commands(
            ("HGETALL", keys.flight(ident)),
            ("HLEN", keys.results(ident)),
            ("HGET", keys.tournament(ident), "deals"),
        )
        with reading(f"the matches of tournament {ident!r}"):
            in_flight = {int(number): _state(row) for number, row in flight.items()}
            parked = tuple(sorted(number for number, state in in_flight.items() if state is MatchState.PARKED))
            return Progress(done=done, deals=int(deals or 0), in_flight=in_flight, parked=parked)

    async def make_ready(self, matches: Sequence[MatchKey]) -> int:
        """Put planned matches in line, state READY, and on the work queue; known ones are left. Return how many."""
        by_tournament: defaultdict[TournamentId, list[int]] = defaultdict(list)
        for match in matches:
            by_tournament[match.tournament].append(match.number)
        made: list[MatchKey] = []
        for ident, numbers in by_tournament.items():
            names = [keys.tournament(ident), keys.flight(ident), keys.ended(ident), keys.READY, keys.QUEUED]
            answer = await self._db.script("make_ready", names, [ident, *numbers])
            made.extend(MatchKey(ident, int(number)) for number in answer)
        await self._enqueue(made)
        return len(made)

    async def take(self, key: MatchKey, referee: RefereeId) -> Taken | None:
        """Ready to hosted, attempt + 1, owner *referee*, in one step. None if it is not ready (any more).

        Asks again for as long as storage is away: the answer that was lost may have given the match to us.
        """
        ident, nonce = key.tournament, secrets.token_hex(6)
        names = [
            keys.tournament(ident),
            keys.flight(ident),
            keys.READY,
            keys.QUEUED,
            keys.checkpoints(ident),
            keys.hosted(referee),
            keys.REFEREES,
        ]
        while True:
            try:
                answer = await self._db.script("take", names, [key.number, str(key), referee, nonce])
            except StorageUnavailable:
                await asyncio.sleep(TAKE_RETRY_SECONDS)
                continue
            if answer is None:
                return None
            # A nil at the end of Lua's answer is not sent.
            checkpoint = answer[1] if len(answer) > 1 else None
            return Taken(key, int(answer[0]), checkpoint)

    async def decline(self, key: MatchKey) -> None:
        """Leave a ready match to another referee: `requeue_ready` takes it for one that was lost long ago."""
        await self._db.command("ZADD", keys.QUEUED, "XX", 0, str(key))

    async def checkpoint(self, key: MatchKey, attempt: int, blob: bytes) -> None:
        """Keep where the match stands; `FenceLost` for an old attempt."""
        ident = key.tournament
        names = [keys.flight(ident), keys.ended(ident), keys.checkpoints(ident)]
        _held(key, attempt, await self._db.script("checkpoint", names, [key.number, attempt, blob]))

    async def commit(
        self,
        key: MatchKey,
        attempt: int,
        row: bytes,
        record: bytes,
        deals: int,
        faulty: Mapping[BotId, bool] = NOBODY,
    ) -> None:
        """Store result row and record, once. Repeating the same attempt's commit is fine; else `FenceLost`."""
        ident = key.tournament
        names = [
            keys.tournament(ident),
            keys.flight(ident),
            keys.ended(ident),
            keys.results(ident),
            keys.records(ident),
            keys.checkpoints(ident),
            keys.faulty(ident),
        ]
        args: list[Argument] = [key.number, str(key), attempt, row, record, deals]
        for bot, was_faulty in faulty.items():
            args += [bot, int(was_faulty)]
        _held(key, attempt, await self._db.script("commit", names, args))

    async def faulty(self, ident: TournamentId) -> Mapping[BotId, int]:
        """Return how many of its latest matches in a row each bot has spoilt, those with none left out."""
        found = await self._db.command("HGETALL", keys.faulty(ident))
        with reading(f"the spoilt matches of tournament {ident!r}"):
            return {BotId(bot.decode()): int(count) for bot, count in found.items()}

    async def release(self, key: MatchKey, attempt: int, *, park_after: int) -> MatchState:
        """Hosted back to ready, or parked after so many attempts; `FenceLost` for an old attempt.

        What failed is not put on the queue at once: `requeue_ready` does that in its time.
        """
        ident = key.tournament
        names = [keys.flight(ident), keys.ended(ident), keys.READY, keys.QUEUED]
        released, state = await self._db.script("release", names, [key.number, str(key), attempt, park_after])
        if not released:
            _held(key, attempt, state)
        new = MatchState(state.decode())
        if new is MatchState.READY and park_after == 0:
            await self._enqueue([key])
        return new

    async def unpark(self, ident: TournamentId) -> int:
        """Make all parked matches ready, attempts counted anew for parking only. Return how many."""
        numbers = await self._db.script("unpark", [keys.flight(ident), keys.READY, keys.QUEUED], [ident])
        await self._enqueue([MatchKey(ident, int(number)) for number in numbers])
        return len(numbers)

    async def void_in_flight(self, ident: TournamentId) -> int:
        """Turn ready, hosted and parked matches to VOID, so that nothing more can be written about them."""
        names = [keys.flight(ident), keys.ended(ident), keys.READY, keys.QUEUED, keys.checkpoints(ident)]
        return int(await self._db.script("void_in_flight", names, [ident]))

    async def results(self, ident: TournamentId) -> Mapping[int, bytes]:
        """Return all result rows by match number."""
        found = await self._db.command("HGETALL", keys.results(ident))
        with reading(f"the results of tournament {ident!r}"):
            return {int(number): row for number, row in found.items()}

    async def result_numbers(self, ident: TournamentId) -> frozenset[int]:
        """Return the numbers of the matches with a result."""
        found = await self._db.command("HKEYS", keys.results(ident))
        with reading(f"the results of tournament {ident!r}"):
            return frozenset(int(number) for number in found)

    async def records(self, ident: TournamentId, numbers: Sequence[int]) -> Mapping[int, bytes]:
        """Return the record blobs of *numbers*, those that exist."""
        found: dict[int, bytes] = {}
        for start in range(0, len(numbers), RECORDS_AT_ONCE):
            some = numbers[start : start + RECORDS_AT_ONCE]
            blobs = await self._db.command("HMGET", keys.records(ident), *some)
            found.update((number, blob) for number, blob in zip(some, blobs, strict=True) if blob is not None)
        return found

    async def match_rows(self, ident: TournamentId, numbers: Sequence[int]) -> Mapping[int, tuple[MatchState, int]]:
        """Return state and attempt of those of *numbers* that are not planned."""
        if not numbers:
            return {}
        flight, ended = await self._db.commands(
            ("HMGET", keys.flight(ident), *numbers), ("HMGET", keys.ended(ident), *numbers)
        )
        stored = ((number, row or end) for number, row, end in zip(numbers, flight, ended, strict=True))
        with reading(f"the matches of tournament {ident!r}"):
            return {number: (_state(row), int(row.split()[1])) for number, row in stored if row is not None}

    async def _requeue_waiting(self, ident: TournamentId) -> None:
        """Put a tournament's ready matches on the queue again: a pause lets the queue drop them."""
        flight = (await self.progress(ident)).in_flight
        await self._enqueue([MatchKey(ident, number) for number, state in flight.items() if state is MatchState.READY])

    async def _enqueue(self, matches: Sequence[MatchKey]) -> None:
        """Put ready matches on the work queue. They are ready already: what fails here, `requeue_ready` makes good."""
        if not matches:
            return
        try:
            await self._put(matches)
        except StorageUnavailable as error:
            logger.warning("%d ready matches are not on the queue yet: %s", len(matches), error)


def _state(row: bytes) -> MatchState:
    return _STATES[row.split(maxsplit=1)[0]]


_STATES = {state.value.encode(): state for state in MatchState}


def _held(key: MatchKey, attempt: int, now: bytes | None) -> None:
    """Raise `FenceLost` if a script answered with what the match is *now* instead of nothing."""
    if now is not None:
        state, number, *_ = (*(now.decode(errors="replace").split() or ["unreadable"]), "0")
        raise FenceLost(f"attempt {attempt} of match {key} is void: the match is {state}, attempt {number}")
