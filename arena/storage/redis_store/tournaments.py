"""Tournaments on Redis: their rows and secrets. Their matches are in `matches.py`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.storage import keys
from arena.storage.ports import (
    AlreadyExists,
    NotFound,
    StaleState,
    TournamentId,
    TournamentRow,
    TournamentState,
    reading,
)
from arena.storage.redis_store import rows
from arena.storage.redis_store.db import Argument
from arena.storage.redis_store.matches import RedisMatches


class RedisTournaments(RedisMatches):
    """A `Tournaments`."""

    async def add_tournament(self, row: TournamentRow) -> None:
        """Store a new tournament; `AlreadyExists` if the name is taken."""
        names = [keys.tournament(row.id), keys.TOURNAMENT_NAMES, keys.TOURNAMENT_ORDER]
        args = [row.id, row.name, row.state, rows.dump_tournament(row)]
        if not await self._db.script("add_tournament", names, args):
            raise AlreadyExists("tournament", row.name)

    async def tournament(self, ident: str) -> TournamentRow:
        """Return one by id or by name, or raise `NotFound`."""
        (data, state, revision), named = await self._db.commands(
            ("HMGET", keys.tournament(ident), "row", "state", "revision"), ("HGET", keys.TOURNAMENT_NAMES, ident)
        )
        if data is None and named is not None:
            data, state, revision = await self._db.command(
                "HMGET", keys.tournament(named.decode(errors="replace")), "row", "state", "revision"
            )
        if data is None:
            raise NotFound("tournament", ident)
        with reading(f"tournament {ident!r}"):
            return rows.tournament(data, state, revision)

    async def tournaments(self) -> Sequence[TournamentRow]:
        """Return all that can be read, the newest first."""
        idents = await self._db.command("LRANGE", keys.TOURNAMENT_ORDER, 0, -1)
        if not idents:
            return []
        named = [ident.decode(errors="replace") for ident in idents]
        found = await self._db.answers(
            *(("HMGET", keys.tournament(ident), "row", "state", "revision") for ident in named)
        )
        for ident, fields in zip(named, found, strict=True):
            if isinstance(fields, Exception):
                self._db.damage.left_out(f"tournament {ident!r}", str(fields))
        there = [
            (ident, *fields)
            for ident, fields in zip(named, found, strict=True)
            if not isinstance(fields, Exception) and fields[0] is not None
        ]
        return self._db.damage.readable("tournament", there, rows.tournament)

    async def tournaments_in(self, states: Collection[TournamentState]) -> Sequence[TournamentRow]:
        """Return those in *states* that can be read, the newest first. What it costs hardly grows with the others."""
        found = await self._db.reading_script("tournaments_in", [keys.TOURNAMENT_ORDER], [*states])
        named = ((ident.decode(errors="replace"), *fields) for ident, *fields in found)
        return self._db.damage.readable("tournament", named, rows.tournament)

    async def change(self, row: TournamentRow, *, expect: TournamentState) -> None:
        """Store *row* if the stored state is *expect*, else raise `StaleState`. `NotFound` without it."""
        revision = "" if row.revision is None else row.revision
        args: list[Argument] = [row.id, row.name, expect, row.state, rows.dump_tournament(row), revision]
        status, *state = await self._db.script(
            "change_tournament", [keys.tournament(row.id), keys.TOURNAMENT_NAMES], args
        )
        if status == -1:
            raise NotFound("tournament", row.id)
        if status == -2:
            raise AlreadyExists("tournament", row.name)
        if status == 0:
            raise StaleState(f"tournament {row.name!r} is {state[0].decode()} by now, not {expect.value}")
        if status == -3:
            raise StaleState(f"tournament {row.name!r} was changed by somebody else meanwhile")
        if expect is TournamentState.PAUSED and row.state is TournamentState.RUNNING:
            await self._requeue_waiting(row.id)

    async def delete_tournament(self, ident: TournamentId, *, expect: TournamentState) -> None:
        """Remove it with all that belongs to it if its state is *expect*, else raise `StaleState` or `NotFound`."""
        names = [
            keys.tournament(ident),
            keys.TOURNAMENT_NAMES,
            keys.TOURNAMENT_ORDER,
            keys.flight(ident),
            keys.READY,
            keys.QUEUED,
            keys.ended(ident),
            keys.checkpoints(ident),
            keys.results(ident),
            keys.records(ident),
            keys.faulty(ident),
            keys.secret(ident),
        ]
        status, *state = await self._db.script("delete_tournament", names, [ident, expect])
        if status == -1:
            raise NotFound("tournament", ident)
        if status == 0:
            raise StaleState(f"tournament {ident!r} is {state[0].decode()} by now, not {expect.value}")

    async def put_secret(self, ident: TournamentId, secret: bytes) -> bytes:
        """Keep the root of the deal secrets, unless one is kept, and return what is kept; `NotFound` without it."""
        kept = await self._db.script("put_secret", [keys.tournament(ident), keys.secret(ident)], [secret])
        if kept is None:
            raise NotFound("tournament", ident)
        return bytes(kept)

    async def secret(self, ident: TournamentId) -> bytes:
        """Return the root of the deal secrets, or raise `NotFound`."""
        data = await self._db.command("GET", keys.secret(ident))
        if data is None:
            raise NotFound("secret of tournament", ident)
        return bytes(data)
