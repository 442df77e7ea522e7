"""Owners, bots and tokens keep their promises."""

import dataclasses

import pytest

from arena.storage.connect import Storage
from arena.storage.ports import AlreadyExists, BotId, NotFound, Role, Token, TokenId
from tests.storage.builders import bot, owner


async def test_owners_come_back_in_order_of_registration(storage: Storage) -> None:
    """Owners are returned whole, the first registered first."""
    rows = [owner("o_9", "Zoë"), owner("o_1", "Ada"), owner("o_5", "Bob")]
    for row in rows:
        await storage.registry.add_owner(row)
    assert await storage.registry.owners() == rows


async def test_a_taken_owner_name_is_refused(storage: Storage) -> None:
    """A second owner of the same name is refused, and the first stays."""
    await storage.registry.add_owner(owner())
    with pytest.raises(AlreadyExists, match="Ada"):
        await storage.registry.add_owner(owner("o_2"))
    assert await storage.registry.owners() == [owner()]


async def test_repeating_a_registration_is_no_conflict(storage: Storage) -> None:
    """A call that is repeated because its answer was lost succeeds and adds nothing."""
    for _ in range(2):
        await storage.registry.add_owner(owner())
        await storage.registry.add_bot(bot())
    assert await storage.registry.owners() == [owner()]
    assert await storage.registry.bots() == [bot()]


async def test_bots_belong_to_owners(storage: Storage) -> None:
    """A bot needs its owner; its name is unique among that owner's bots only."""
    with pytest.raises(NotFound, match="owner 'o_1'"):
        await storage.registry.add_bot(bot())
    await storage.registry.add_owner(owner())
    await storage.registry.add_owner(owner("o_2", "Bob"))
    await storage.registry.add_bot(bot("b_2"))
    await storage.registry.add_bot(bot("b_1", owned_by="o_2"))
    with pytest.raises(AlreadyExists, match="counter"):
        await storage.registry.add_bot(bot("b_3"))
    assert await storage.registry.bots() == [bot("b_2"), bot("b_1", owned_by="o_2")]
    assert await storage.registry.bot(BotId("b_2")) == bot("b_2")
    with pytest.raises(NotFound, match="bot 'b_3'"):
        await storage.registry.bot(BotId("b_3"))


async def test_tokens_are_found_by_digest_and_revoked_by_id(storage: Storage) -> None:
    """A token is found by the digest of its secret, in order of issue, and stays known when revoked."""
    first = Token(TokenId("k_2"), Role.BOT, "b_1", 1.0, expires=99.5, label="laptop")
    second = Token(TokenId("k_1"), Role.ADMIN, "", 2.0)
    await storage.registry.add_token(first, "aa")
    await storage.registry.add_token(second, "bb")
    assert await storage.registry.token("aa") == first
    assert await storage.registry.token("cc") is None
    await storage.registry.revoke_token(TokenId("k_2"))
    await storage.registry.revoke_token(TokenId("k_2"))
    gone = dataclasses.replace(first, revoked=True)
    assert await storage.registry.token("aa") == gone
    assert await storage.registry.tokens() == [gone, second]
    with pytest.raises(NotFound, match="token 'k_3'"):
        await storage.registry.revoke_token(TokenId("k_3"))


async def test_forgotten_tokens_leave_nothing(storage: Storage) -> None:
    """A token that is forgotten is unknown, and the others stay as they were, in their order."""
    tokens = [Token(TokenId(f"k_{number}"), Role.BOT, "b_1", 1.0) for number in range(3)]
    for token in tokens:
        await storage.registry.add_token(token, f"digest of {token.id}")
    await storage.registry.revoke_token(TokenId("k_1"))
    for _ in range(2):
        await storage.registry.forget_tokens([TokenId("k_1"), TokenId("k_9")])
    await storage.registry.forget_tokens([])
    assert await storage.registry.tokens() == [tokens[0], tokens[2]]
    assert await storage.registry.token("digest of k_1") is None
    with pytest.raises(NotFound):
        await storage.registry.revoke_token(TokenId("k_1"))
    await storage.registry.add_token(tokens[1], "digest of k_1")
    assert await storage.registry.tokens() == [tokens[0], tokens[2], tokens[1]]
