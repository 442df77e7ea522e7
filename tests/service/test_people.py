"""Owners, bots and tokens on real storage."""

from __future__ import annotations

import asyncio

import pytest

from arena.errors import Invalid, NotAllowed, NotAuthenticated, TooMany
from arena.service.access import Caller
from arena.service.people import BOT_TOKENS, LONGEST_LIFE, OWNER_BOTS, digest_of
from arena.storage.ports import AlreadyExists, NotFound, Role, TokenId
from tests.service.builders import ADMIN, ORGANISER, World


async def test_a_token_says_who_calls(world: World) -> None:
    """The secret of a new token authenticates with its role and subject, and is not stored itself."""
    people = world.control.use_cases.people
    (bot,) = await world.bots(1)
    token, secret = await people.create_token(ADMIN, Role.BOT, bot.id)
    assert secret.startswith("arena_bot_")
    assert await people.authenticate(secret) == Caller(token.id, Role.BOT, bot.id)
    for kept in await world.storage.client.keys("*"):
        if await world.storage.client.type(kept) == b"hash":
            assert secret.encode() not in repr(await world.storage.client.hgetall(kept)).encode()


async def test_tokens_end(world: World) -> None:
    """A token that is missing, unknown, expired or revoked is refused, each with its reason."""
    people = world.control.use_cases.people
    brief, brief_secret = await people.create_token(ADMIN, Role.READER, "", lifetime=60)
    gone, gone_secret = await people.create_token(ADMIN, Role.READER, "")
    await people.revoke_token(ADMIN, gone.id)
    await people.revoke_token(ADMIN, gone.id)
    assert (await people.authenticate(brief_secret)).token == brief.id
    world.epoch += 60
    for secret, reason in (
        ("", "TOKEN_MISSING"),
        ("arena_admin_x", "TOKEN_UNKNOWN"),
        (brief_secret, "TOKEN_EXPIRED"),
        (gone_secret, "TOKEN_REVOKED"),
    ):
        with pytest.raises(NotAuthenticated) as refused:
            await people.authenticate(secret)
        assert refused.value.reason == reason


async def test_an_owner_sees_and_does_only_its_own(world: World) -> None:
    """Another owner's bots and tokens do not exist for an owner."""
    people = world.control.use_cases.people
    alice, bob = await world.owner("alice"), await world.owner("bob")
    mine, other = await people.create_bot(alice, "", "mine"), await people.create_bot(bob, bob.subject, "other")
    token, _ = await people.create_token(bob, Role.BOT, other.id)
    assert await people.bots(alice) == [mine]
    assert await people.bots(alice, bob.subject) == []
    assert [owner.id for owner in await people.owners(alice)] == [alice.subject]
    assert await people.tokens(alice) == []
    for attempt in (
        people.own_bot(alice, other.id),
        people.create_token(alice, Role.BOT, other.id),
        people.revoke_token(alice, token.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    for refused in (
        people.create_bot(alice, bob.subject, "stolen"),
        people.create_token(alice, Role.OWNER, alice.subject),
        people.create_token(alice, Role.READER, ""),
        people.create_token(ORGANISER, Role.ADMIN, ""),
    ):
        with pytest.raises(NotAllowed):
            await refused


async def test_admin_tokens_are_for_admins(world: World) -> None:
    """An organiser neither sees nor revokes an admin's token."""
    people = world.control.use_cases.people
    admin, _ = await people.create_token(ADMIN, Role.ADMIN, "")
    reader, _ = await people.create_token(ORGANISER, Role.READER, "")
    assert [token.id for token in await people.tokens(ORGANISER)] == [reader.id]
    assert [token.id for token in await people.tokens(ADMIN)] == [admin.id, reader.id]
    with pytest.raises(NotFound):
        await people.revoke_token(ORGANISER, admin.id)


async def test_names_are_checked_and_unique(world: World) -> None:
    """A name that cannot stand everywhere is refused with what is allowed; a taken one as such."""
    people = world.control.use_cases.people
    alice = await world.owner("alice")
    await people.create_bot(alice, "", "a b-c_d.9")
    with pytest.raises(AlreadyExists):
        await people.create_bot(alice, "", "a b-c_d.9")
    with pytest.raises(AlreadyExists):
        await people.create_owner(ADMIN, "alice")
    for name in ("", " a", "a ", "a|b", "a/b", "-a", "=1+1", "ä", "a\n", "a" * 65):
        with pytest.raises(Invalid) as refused:
            await people.create_bot(alice, "", name)
        assert refused.value.field == "name"


async def test_subjects_and_lifetimes_are_checked(world: World) -> None:
    """A token needs the subject its role has, and a life that ends within our calendar or never."""
    people = world.control.use_cases.people
    for role, subject in ((Role.READER, "o_x"), (Role.BOT, ""), (Role.OWNER, "Ö")):
        with pytest.raises(Invalid):
            await people.create_token(ADMIN, role, subject)
    for role in (Role.OWNER, Role.BOT):
        with pytest.raises(NotFound):
            await people.create_token(ADMIN, role, "x_unknown")
    with pytest.raises(Invalid):
        await people.create_token(ADMIN, Role.READER, "", lifetime=LONGEST_LIFE + 1)
    with pytest.raises(Invalid):
        await people.create_token(ADMIN, Role.READER, "", label="two\nlines")
    with pytest.raises(Invalid):
        await people.create_bot(ADMIN, "", "of-nobody")


def test_a_digest_is_of_any_text() -> None:
    """Whatever comes as a token has a digest, surrogates included."""
    assert digest_of("\udcff") != digest_of("")
    assert Caller(TokenId("k"), Role.ADMIN).organises


async def test_an_owner_makes_a_bounded_number_of_bots(world: World) -> None:
    """However many bots an owner asks for at once, it gets so many; others, and organisers for it, get theirs."""
    people = world.control.use_cases.people
    alice, bob = await world.owner("alice"), await world.owner("bob")
    wanted = (people.create_bot(alice, "", f"bot-{number}") for number in range(OWNER_BOTS + 10))
    ended = await asyncio.gather(*wanted, return_exceptions=True)
    assert sum(isinstance(end, TooMany) for end in ended) == 10
    assert len(await people.bots(alice)) == OWNER_BOTS
    await people.create_bot(bob, "", "bob's")
    await people.create_bot(ORGANISER, alice.subject, "one more")


async def test_a_bot_has_a_bounded_number_of_tokens(world: World) -> None:
    """An owner issues so many tokens that are good; revoking makes room, and what is remembered of it is bounded."""
    people = world.control.use_cases.people
    alice = await world.owner("alice")
    bot = await people.create_bot(alice, "", "first")
    ended = await asyncio.gather(
        *(people.create_token(alice, Role.BOT, bot.id) for _ in range(BOT_TOKENS + 5)), return_exceptions=True
    )
    assert sum(isinstance(end, TooMany) for end in ended) == 5
    await people.create_token(ORGANISER, Role.BOT, bot.id)
    for token in await people.tokens(alice):
        await people.revoke_token(alice, token.id)
    secrets = []
    for _ in range(BOT_TOKENS + 5):
        token, secret = await people.create_token(alice, Role.BOT, bot.id)
        await people.revoke_token(alice, token.id)
        secrets.append(secret)
    assert len(await people.tokens(alice)) == BOT_TOKENS + 1
    for secret, reason in ((secrets[0], "TOKEN_UNKNOWN"), (secrets[-1], "TOKEN_REVOKED")):
        with pytest.raises(NotAuthenticated) as refused:
            await people.authenticate(secret)
        assert refused.value.reason == reason
