"""Calls and tickets on Redis."""

from __future__ import annotations

import json
from collections.abc import Sequence

from arena.storage import keys
from arena.storage.ports import CALL_SECONDS, TICKET_SECONDS, BotId, Call, RefereeId, Ticket, reading
from arena.storage.redis_store.db import Db

CALLS_AT_ONCE = 1000


class RedisVisits:
    """A `Visits`."""

    def __init__(self, db: Db) -> None:
        self._db = db

    async def call(self, at: RefereeId, calls: Sequence[Call]) -> None:
        """Leave *calls* for the referee *at*, for half a minute."""
        rows = [json.dumps([call.bot, call.instance, call.referee, call.address]) for call in calls]
        if rows:
            key = keys.calls(at)
            await self._db.commands(("RPUSH", key, *rows), ("EXPIRE", key, CALL_SECONDS))

    async def calls(self, at: RefereeId) -> Sequence[Call]:
        """Take the calls that were left for the referee *at*."""
        rows = await self._db.command("LPOP", keys.calls(at), CALLS_AT_ONCE) or []
        return self._db.damage.readable("call", (("", row) for row in rows), _call)

    async def put_ticket(self, digest: str, ticket: Ticket) -> None:
        """Keep a ticket for a minute under the SHA-256 hex *digest* of its secret."""
        row = json.dumps([ticket.bot, ticket.instance, ticket.referee, ticket.credential])
        await self._db.command("SET", keys.ticket(digest), row, "EX", TICKET_SECONDS)

    async def redeem(self, digest: str) -> Ticket | None:
        """Return the ticket with this digest and forget it; None if there is none (any more)."""
        row = await self._db.command("GETDEL", keys.ticket(digest))
        if row is None:
            return None
        with reading("a ticket"):
            bot, instance, referee, credential = _texts(row)
            return Ticket(BotId(bot), instance, RefereeId(referee), credential)


def _call(row: bytes) -> Call:
    bot, instance, to, where = _texts(row)
    return Call(BotId(bot), instance, RefereeId(to), where)


def _texts(row: bytes) -> list[str]:
    values = json.loads(row)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError("it is no list of texts")
    return values
