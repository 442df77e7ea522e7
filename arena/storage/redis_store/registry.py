"""Owners, bots and tokens on Redis."""

from __future__ import annotations

from collections.abc import Sequence

from arena.storage import keys
from arena.storage.ports import AlreadyExists, Bot, BotId, NotFound, Owner, Token, TokenId
from arena.storage.redis_store import rows
from arena.storage.redis_store.db import Db


class RedisRegistry:
    """A `Registry`."""

    def __init__(self, db: Db) -> None:
        self._db = db

    async def add_owner(self, owner: Owner) -> None:
        """Store an owner; `AlreadyExists` if its name is taken."""
        names = [keys.OWNERS, keys.OWNER_NAMES, keys.OWNER_ORDER]
        if not await self._db.script("add_named", names, [owner.id, owner.name, rows.dump(owner)]):
            raise AlreadyExists("owner", owner.name)

    async def owners(self) -> Sequence[Owner]:
        """Return all owners in order of registration."""
        return self._db.damage.readable("owner", await self._in_order(keys.OWNERS, keys.OWNER_ORDER), rows.owner)

    async def add_bot(self, bot: Bot) -> None:
        """Store a bot; `NotFound` without its owner, `AlreadyExists` if the owner has one of that name."""
        names = [keys.BOTS, keys.BOT_NAMES, keys.BOT_ORDER, keys.OWNERS]
        added = await self._db.script("add_bot", names, [bot.id, bot.owner, f"{bot.owner} {bot.name}", rows.dump(bot)])
        if added == -1:
            raise NotFound("owner", bot.owner)
        if not added:
            raise AlreadyExists("bot", bot.name)

    async def bots(self) -> Sequence[Bot]:
        """Return all bots in order of registration."""
        return self._db.damage.readable("bot", await self._in_order(keys.BOTS, keys.BOT_ORDER), rows.bot)

    async def bot(self, ident: BotId) -> Bot:
        """Return one bot, or raise `NotFound`."""
        data = await self._db.command("HGET", keys.BOTS, ident)
        if data is None:
            raise NotFound("bot", ident)
        return rows.bot(data)

    async def add_token(self, token: Token, digest: str) -> None:
        """Store a token under the SHA-256 hex *digest* of its secret."""
        names = [keys.TOKENS, keys.TOKEN_IDS, keys.TOKEN_ORDER]
        await self._db.script("add_token", names, [digest, token.id, rows.dump(token)])

    async def token(self, digest: str) -> Token | None:
        """Return the token with this digest, revoked and expired ones too."""
        data, revoked = await self._db.commands(
            ("HGET", keys.TOKENS, digest), ("SISMEMBER", keys.TOKENS_REVOKED, digest)
        )
        return None if data is None else rows.token(data, revoked=bool(revoked))

    async def tokens(self) -> Sequence[Token]:
        """Return all tokens in order of issue."""
        order, stored, revoked = await self._db.commands(
            ("LRANGE", keys.TOKEN_ORDER, 0, -1), ("HGETALL", keys.TOKENS), ("SMEMBERS", keys.TOKENS_REVOKED)
        )
        gone = set(revoked)
        known = [("", stored[digest], digest in gone) for digest in order if digest in stored]
        return self._db.damage.readable("token", known, lambda data, void: rows.token(data, revoked=void))

    async def revoke_token(self, ident: TokenId) -> None:
        """Mark a token revoked; `NotFound` without it."""
        if not await self._db.script("revoke_token", [keys.TOKEN_IDS, keys.TOKENS_REVOKED], [ident]):
            raise NotFound("token", ident)

    async def forget_tokens(self, idents: Sequence[TokenId]) -> None:
        """Forget tokens, which are unknown from then on; those that are unknown already are left alone."""
        if idents:
            names = [keys.TOKENS, keys.TOKEN_IDS, keys.TOKEN_ORDER, keys.TOKENS_REVOKED]
            await self._db.script("forget_tokens", names, idents)

    async def _in_order(self, stored: str, order: str) -> list[tuple[str, bytes]]:
        idents, data = await self._db.commands(("LRANGE", order, 0, -1), ("HGETALL", stored))
        return [(ident.decode(errors="replace"), data[ident]) for ident in idents if ident in data]
