"""Who may play: tokens as the host asks for them, on real storage."""

from __future__ import annotations

import pytest

from arena.service.admission import FRESH, Admissions
from arena.service.bootstrap import admin_secret
from arena.storage.connect import open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import BotId, Role
from referee.host.ports import AdmissionUnavailable, NotAdmitted
from tests.service.builders import ADMIN, World


async def admitted(world: World) -> tuple[Admissions, BotId, str, str]:
    """Register a bot; return admissions, the bot, its token's id and secret."""
    (bot,) = await world.bots(1)
    token, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, bot.id)
    admissions = Admissions(world.storage.registry, lambda: world.epoch, lambda: world.monotonic)
    return admissions, bot.id, token.id, secret


async def test_bots_are_admitted(world: World) -> None:
    """A bot's token admits under its name; anything else is refused with a reason."""
    admissions, bot, _, secret = await admitted(world)
    identity = await admissions.admit(secret)
    assert (BotId(identity.bot), identity.name) == (bot, "alice-0")
    _, reader = await world.control.use_cases.people.create_token(ADMIN, Role.READER, "")
    for token, reason in (("", "TOKEN_MISSING"), ("x", "TOKEN_UNKNOWN"), (reader, "ROLE_INSUFFICIENT")):
        with pytest.raises(NotAdmitted) as refused:
            await admissions.admit(token)
        assert refused.value.reason == reason


async def test_revocation_counts_soon(world: World) -> None:
    """A revoked token admits for half a second at most, and the bot's streams are named to be ended."""
    admissions, bot, token, secret = await admitted(world)
    await admissions.admit(secret)
    assert await admissions.recheck(lambda _: True) == []
    await admissions.admit(secret)
    await world.control.use_cases.people.revoke_token(ADMIN, token)
    await admissions.admit(secret)
    world.monotonic += FRESH + 0.01
    with pytest.raises(NotAdmitted) as refused:
        await admissions.admit(secret)
    assert refused.value.reason == "TOKEN_REVOKED"
    assert await admissions.recheck(lambda _: True) == [bot]
    assert await admissions.recheck(lambda _: True) == []


async def test_who_has_left_is_forgotten(world: World) -> None:
    """A bot that is not here is not asked about."""
    admissions, _, token, secret = await admitted(world)
    await admissions.admit(secret)
    await world.control.use_cases.people.revoke_token(ADMIN, token)
    assert await admissions.recheck(lambda _: False) == []
    assert await admissions.recheck(lambda _: True) == []


async def test_storage_away(own_valkey: EmbeddedValkey) -> None:
    """Without storage nobody is let in, and nobody is thrown out."""
    storage = await open_storage(own_valkey.url)
    admissions = Admissions(storage.registry)
    own_valkey.stop()
    with pytest.raises(AdmissionUnavailable):
        await admissions.admit("x")
    assert await admissions.recheck(lambda _: True) == []
    await storage.aclose()


async def test_the_first_token(world: World) -> None:
    """A server keeps the admin token it wrote as long as that is good, and issues another one when it is not."""
    registry = world.storage.registry
    first = await admin_secret(registry, "", world.epoch)
    assert await admin_secret(registry, first, world.epoch) == first
    people = world.control.use_cases.people
    caller = await people.authenticate(first)
    assert caller.role is Role.ADMIN
    await people.revoke_token(ADMIN, caller.token)
    second = await admin_secret(registry, first, world.epoch)
    assert second != first
    _, reader = await people.create_token(ADMIN, Role.READER, "")
    assert await admin_secret(registry, reader, world.epoch) not in (first, second, reader)
