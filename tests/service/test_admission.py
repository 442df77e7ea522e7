"""Who may play: tokens as the host asks for them, on real storage."""

from __future__ import annotations

import pytest

from arena.service.admission import FRESH, Admissions
from arena.service.bootstrap import admin_secret
from arena.service.guests import new_ticket
from arena.service.people import digest_of
from arena.storage.connect import open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import BotId, RefereeId, Role, Ticket
from referee.host.ports import AdmissionUnavailable, NotAdmitted
from tests.service.builders import ADMIN, REFEREE, World


async def admitted(world: World) -> tuple[Admissions, BotId, str, str]:
    """Register a bot; return admissions, the bot, its token's id and secret."""
    (bot,) = await world.bots(1)
    token, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, bot.id)
    admissions = Admissions(
        world.storage.registry, world.storage.visits, REFEREE.id, lambda: world.epoch, lambda: world.monotonic
    )
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
    admissions, _, token, secret = await admitted(world)
    credential = (await admissions.admit(secret)).credential
    assert await admissions.recheck([credential]) == {}
    await admissions.admit(secret)
    await world.control.use_cases.people.revoke_token(ADMIN, token)
    await admissions.admit(secret)
    world.monotonic += FRESH + 0.01
    with pytest.raises(NotAdmitted) as refused:
        await admissions.admit(secret)
    assert refused.value.reason == "TOKEN_REVOKED"
    assert await admissions.recheck([credential]) == {credential: "TOKEN_REVOKED"}


async def test_an_expired_token_is_named_too(world: World) -> None:
    """A token that was good when the bot came is named with the reason once it has expired."""
    (bot,) = await world.bots(1)
    _, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, bot.id, 60)
    admissions = Admissions(world.storage.registry, world.storage.visits, REFEREE.id, lambda: world.epoch)
    credential = (await admissions.admit(secret)).credential
    world.epoch += 61
    assert await admissions.recheck([credential]) == {credential: "TOKEN_EXPIRED"}


async def test_a_ticket_admits_once_here_and_by_its_token(world: World) -> None:
    """A ticket admits one instance, once, at its referee, for as long as the token behind it is good."""
    admissions, bot, token, secret = await admitted(world)
    credential = (await admissions.admit(secret)).credential

    async def ticket(referee: RefereeId = REFEREE.id) -> str:
        made = new_ticket()
        await world.storage.visits.put_ticket(digest_of(made), Ticket(bot, "one", referee, credential))
        return made

    good = await ticket()
    identity = await admissions.admit(good)
    assert (BotId(identity.bot), identity.instance, identity.credential) == (bot, "one", credential)
    foreign = await ticket(RefereeId("r_other"))
    for unknown in (good, foreign, foreign, new_ticket()):
        with pytest.raises(NotAdmitted) as refused:
            await admissions.admit(unknown)
        assert refused.value.reason == "TICKET_UNKNOWN"
    late = await ticket()
    await world.control.use_cases.people.revoke_token(ADMIN, token)
    with pytest.raises(NotAdmitted) as refused:
        await admissions.admit(late)
    assert refused.value.reason == "TOKEN_REVOKED"


async def test_storage_away(own_valkey: EmbeddedValkey) -> None:
    """Without storage nobody is let in, and nobody is thrown out."""
    storage = await open_storage(own_valkey.url)
    admissions = Admissions(storage.registry, storage.visits, REFEREE.id)
    own_valkey.stop()
    with pytest.raises(AdmissionUnavailable):
        await admissions.admit("x")
    assert await admissions.recheck(["x"]) == {}
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
