"""Owners, bots and tokens.

A token's secret is shown once. What is kept is its SHA-256, and a caller is found by the digest of what it sent: the
secret itself is never compared, so the time of an answer tells nothing about it.

What an owner can make by itself is bounded. Of tokens that are good no more the latest few of each bot are remembered,
so that who uses one is told why it is refused; older ones are forgotten when another is issued.
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import Final

from arena.errors import Invalid, NotAllowed, NotAuthenticated, TooMany
from arena.service import checks, topics
from arena.service.access import Action, Caller, require
from arena.storage.ports import (
    Bot,
    BotId,
    NotFound,
    Owner,
    OwnerId,
    Registry,
    Role,
    StorageUnavailable,
    Token,
    TokenId,
    Wakeups,
)

LONGEST_LIFE: Final = 10 * 366 * 86_400
OWNER_BOTS: Final = 100
"""The most bots that an owner may register by itself. Organisers may register more for it."""

BOT_TOKENS: Final = 20
"""The most tokens of a bot that are good at once, if its owner issues them; and of those remembered that are not."""

_ID_BYTES: Final = 10  # 16 letters of base32


def new_id(prefix: str) -> str:
    """Return a new id: *prefix*, `_`, and 16 random letters and digits."""
    return f"{prefix}_{base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()}"


def new_secret(role: Role) -> str:
    """Return the secret of a new token; it tells its role, so that people can tell their tokens apart."""
    return f"arena_{role.value}_{secrets.token_urlsafe(32)}"


def digest_of(secret: str) -> str:
    """Return what is stored of a secret."""
    return sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def usable(token: Token | None, now: float) -> Token:
    """Return *token* if it is good at the time *now*; raise `NotAuthenticated` otherwise."""
    if token is None:
        raise NotAuthenticated("TOKEN_UNKNOWN", "this token is not known here; ask an organiser for one")
    if token.revoked:
        raise NotAuthenticated("TOKEN_REVOKED", "this token was revoked; ask for a new one")
    if token.expires is not None and token.expires <= now:
        raise NotAuthenticated("TOKEN_EXPIRED", "this token has expired; ask for a new one")
    return token


class People:
    """The use cases around owners, bots and tokens. *now* returns seconds since the epoch."""

    def __init__(self, registry: Registry, wakeups: Wakeups, now: Callable[[], float]) -> None:
        self._registry = registry
        self._wakeups = wakeups
        self._now = now
        self._making = asyncio.Lock()  # what is counted must not change before the next one is there

    async def authenticate(self, secret: str) -> Caller:
        """Return who calls with *secret*, or raise `NotAuthenticated`."""
        if not secret:
            raise NotAuthenticated("TOKEN_MISSING", "send a token in the metadata entry authorization: Bearer TOKEN")
        token = usable(await self._registry.token(digest_of(secret)), self._now())
        return Caller(token.id, token.role, token.subject)

    async def create_owner(self, caller: Caller, name: str) -> Owner:
        """Register an owner; `AlreadyExists` if its name is taken."""
        require(caller, Action.CREATE_OWNER)
        owner = Owner(OwnerId(new_id("o")), checks.name("name", name), self._now())
        await self._registry.add_owner(owner)
        return owner

    async def owners(self, caller: Caller) -> Sequence[Owner]:
        """Return the owners that the caller may see: an owner itself, an organiser all."""
        require(caller, Action.LIST_OWNERS)
        return [owner for owner in await self._registry.owners() if caller.organises or owner.id == caller.subject]

    async def create_bot(self, caller: Caller, owner: str, name: str) -> Bot:
        """Register a bot of *owner*, or of the caller if that is empty."""
        require(caller, Action.CREATE_BOT)
        whose = checks.ident("owner", owner or caller.subject)
        if not caller.organises and whose != caller.subject:
            raise NotAllowed(caller.role.value, (Role.ADMIN, Role.ORGANISER), "register bots of another owner")
        bot = Bot(BotId(new_id("b")), OwnerId(whose), checks.name("name", name), self._now())
        async with self._making:
            if not caller.organises and len(await self._visible_bots(caller)) >= OWNER_BOTS:
                text = f"you have {OWNER_BOTS} bots, the most that an owner may register; ask an organiser for more"
                raise TooMany("bot", OWNER_BOTS, text)
            await self._registry.add_bot(bot)
        return bot

    async def bots(self, caller: Caller, owner: str = "") -> Sequence[Bot]:
        """Return the bots that the caller may see, of *owner* only if it is given."""
        require(caller, Action.LIST_BOTS)
        return [bot for bot in await self._visible_bots(caller) if owner in ("", bot.owner)]

    async def own_bot(self, caller: Caller, ident: str) -> Bot:
        """Return a bot that the caller may act for. Another owner's bot is not found, as if it did not exist."""
        bot = await self._registry.bot(BotId(checks.ident("bot", ident)))
        if not caller.organises and bot.owner != caller.subject:
            raise NotFound("bot", ident)
        return bot

    async def create_token(
        self, caller: Caller, role: Role, subject: str, lifetime: int = 0, label: str = ""
    ) -> tuple[Token, str]:
        """Issue a token and return it with its secret. *lifetime* in seconds; 0: until it is revoked."""
        require(caller, Action.CREATE_TOKEN)
        if role is Role.ADMIN and caller.role is not Role.ADMIN:
            raise NotAllowed(caller.role.value, (Role.ADMIN,), "issue admin tokens")
        if not caller.organises and role is not Role.BOT:
            raise NotAllowed(caller.role.value, (Role.ADMIN, Role.ORGANISER), f"issue {role.value} tokens")
        await self._check_subject(caller, role, subject)
        checks.whole("lifetime_seconds", lifetime, 0, LONGEST_LIFE)
        now = self._now()
        token = Token(
            id=TokenId(new_id("k")),
            role=role,
            subject=subject,
            created=now,
            expires=now + lifetime if lifetime else None,
            label=checks.text("label", label, 64),
        )
        secret = new_secret(role)
        async with self._making:
            await self._make_room(caller, role, subject)
            await self._registry.add_token(token, digest_of(secret))
        return token, secret

    async def tokens(self, caller: Caller, subject: str = "") -> Sequence[Token]:
        """Return the tokens that the caller may see, of *subject* only if it is given."""
        require(caller, Action.LIST_TOKENS)
        return [token for token in await self._visible_tokens(caller) if subject in ("", token.subject)]

    async def revoke_token(self, caller: Caller, ident: str) -> None:
        """Revoke a token that the caller may see; another's is not found. Revoking twice changes nothing."""
        require(caller, Action.REVOKE_TOKEN)
        checks.ident("token", ident)
        if all(token.id != ident for token in await self._visible_tokens(caller)):
            raise NotFound("token", ident)
        await self._registry.revoke_token(TokenId(ident))
        with suppress(StorageUnavailable):
            await self._wakeups.publish(topics.TOKENS)

    async def _visible_bots(self, caller: Caller) -> Sequence[Bot]:
        return [bot for bot in await self._registry.bots() if caller.organises or bot.owner == caller.subject]

    async def _visible_tokens(self, caller: Caller) -> Sequence[Token]:
        tokens = await self._registry.tokens()
        if caller.role is Role.ADMIN:
            return tokens
        if caller.organises:
            return [token for token in tokens if token.role is not Role.ADMIN]
        subjects = {caller.subject} | {bot.id for bot in await self._visible_bots(caller)}
        return [token for token in tokens if token.subject in subjects]

    async def _make_room(self, caller: Caller, role: Role, subject: str) -> None:
        """Forget the older tokens of a bot that are good no more; raise `TooMany` if it has too many good ones."""
        if role is not Role.BOT:
            return
        good: list[TokenId] = []
        void: list[TokenId] = []
        for token in await self._registry.tokens():
            if token.subject == subject and token.role is role:
                expired = token.expires is not None and token.expires <= self._now()
                (void if token.revoked or expired else good).append(token.id)
        if not caller.organises and len(good) >= BOT_TOKENS:
            text = f"this bot has {BOT_TOKENS} tokens that are good, the most that it may have; revoke one first"
            raise TooMany("token", BOT_TOKENS, text)
        await self._registry.forget_tokens(void[:-BOT_TOKENS])

    async def _check_subject(self, caller: Caller, role: Role, subject: str) -> None:
        if role is Role.BOT:
            await self.own_bot(caller, subject)
        elif role is Role.OWNER:
            checks.ident("subject", subject)
            if all(owner.id != subject for owner in await self._registry.owners()):
                raise NotFound("owner", subject)
        elif subject:
            raise Invalid("subject", subject, f"nothing with the role {role.value}, which speaks for nobody")
