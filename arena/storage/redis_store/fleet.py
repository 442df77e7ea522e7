"""Referees and presences on Redis. Who lives is said by Redis' own clock, so that no two clocks are compared."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from arena.storage import keys
from arena.storage.ports import LostReferee, MatchKey, Presence, Referee, RefereeId
from arena.storage.redis_store import rows
from arena.storage.redis_store.db import Argument, Db


class RedisFleet:
    """A `Fleet`. *requeue* puts ready matches that are not on the work queue there."""

    def __init__(self, db: Db, requeue: Callable[[], Awaitable[int]]) -> None:
        self._db = db
        self._requeue = requeue

    async def beat(self, referee: Referee, *, lease: float) -> None:
        """Say that a referee lives, for the next *lease* seconds by Redis' own clock."""
        args: list[Argument] = [referee.id, rows.dump(referee), _milliseconds(lease)]
        await self._db.script("beat", [keys.REFEREES, keys.REFEREE_ROWS], args)

    async def set_presence(self, referee: RefereeId, presences: Sequence[Presence]) -> None:
        """Replace what is known of the bots at a referee."""
        await self._db.command("HSET", keys.PRESENCES, referee, rows.dump_presences(list(presences)))

    async def leave(self, referee: RefereeId) -> None:
        """Forget a referee that has handed back all its matches; what it still holds is for the next sweep."""
        names = [keys.REFEREES, keys.REFEREE_ROWS, keys.PRESENCES, keys.hosted(referee)]
        await self._db.script("leave", names, [referee])

    async def referees(self) -> Sequence[Referee]:
        """Return the live ones."""
        found = await self._db.reading_script("live", [keys.REFEREES, keys.REFEREE_ROWS], [])
        return self._db.damage.readable("referee", (("", data) for data in found), rows.referee)

    async def hosted(self, referee: RefereeId) -> Sequence[MatchKey]:
        """Return the matches that storage believes a referee to host."""
        found = await self._db.command("SMEMBERS", keys.hosted(referee))
        names = [name.decode(errors="replace") for name in found]
        return self._db.damage.readable("match", ((name, name) for name in names), rows.match_key)

    async def presences(self) -> Sequence[Presence]:
        """Return the presences at live referees."""
        found = await self._db.reading_script("live", [keys.REFEREES, keys.PRESENCES], [])
        known = self._db.damage.readable("the bots at a referee", (("", data) for data in found), rows.presences)
        return [presence for presences in known for presence in presences]

    async def sweep(self, *, lease: float, park_after: int) -> Sequence[LostReferee]:
        """Put the matches of dead referees back to ready, or park them. Return those found dead since the last sweep.

        Does nothing until one *lease* after Redis itself came back, so that its absence kills nobody.
        """
        names = [keys.SWEEP, keys.REFEREES, keys.REFEREE_ROWS, keys.PRESENCES, keys.READY, keys.QUEUED]
        found = await self._db.script("sweep", names, [_milliseconds(lease), park_after])
        lost = [rows.lost_referee(*each) for each in found]
        if any(each.put_back for each in lost):
            await self._requeue()
        return lost


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)
