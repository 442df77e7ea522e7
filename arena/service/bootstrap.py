"""The first admin token: what a new server is entered with."""

from __future__ import annotations

from arena.errors import NotAuthenticated
from arena.service.people import digest_of, new_id, new_secret, usable
from arena.storage.ports import Registry, Role, Token, TokenId

LABEL = "first admin token, written by the arena"


async def admin_secret(registry: Registry, held: str, now: float) -> str:
    """Return *held* if it is the secret of an admin token that is good at the time *now*, else that of a new one."""
    if held:
        try:
            token = usable(await registry.token(digest_of(held)), now)
        except NotAuthenticated:
            pass
        else:
            if token.role is Role.ADMIN:
                return held
    secret = new_secret(Role.ADMIN)
    await registry.add_token(Token(TokenId(new_id("k")), Role.ADMIN, "", now, label=LABEL), digest_of(secret))
    return secret
