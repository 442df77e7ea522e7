"""Rows of tournaments and their secrets keep their promises."""

import dataclasses

import pytest

from arena.storage.connect import Storage
from arena.storage.ports import AlreadyExists, NotFound, StaleState, TournamentId, TournamentState
from tests.storage.builders import ANN, CUP, all_keys, bot, cup, match, owner, running_cup


async def test_a_tournament_is_found_by_id_and_by_name(storage: Storage) -> None:
    """What was stored comes back equal, by id or by name; the newest is listed first."""
    other = cup(TournamentState.DRAFT, "league", "t_league")
    await storage.tournaments.add_tournament(cup())
    await storage.tournaments.add_tournament(other)
    assert await storage.tournaments.tournament(CUP) == cup()
    assert await storage.tournaments.tournament("league") == other
    assert await storage.tournaments.tournaments() == [other, cup()]
    assert await storage.tournaments.tournaments_in((TournamentState.RUNNING,)) == [cup()]
    assert await storage.tournaments.tournaments_in([*TournamentState]) == [other, cup()]
    assert await storage.tournaments.tournaments_in((TournamentState.PAUSED,)) == []


@pytest.mark.parametrize("ident", ["t_none", "", "t_cup:secret", "*"])
async def test_an_unknown_tournament_is_not_found(storage: Storage, ident: str) -> None:
    """Whatever a user asks for, a tournament that does not exist is simply not found."""
    await storage.tournaments.add_tournament(cup())
    await storage.tournaments.put_secret(CUP, b"s")
    with pytest.raises(NotFound):
        await storage.tournaments.tournament(ident)


async def test_a_taken_name_is_refused(storage: Storage) -> None:
    """A name belongs to one tournament; a repeated call for the same id is no conflict."""
    await storage.tournaments.add_tournament(cup())
    await storage.tournaments.add_tournament(cup())
    with pytest.raises(AlreadyExists, match="cup"):
        await storage.tournaments.add_tournament(cup(ident="t_2"))
    assert len(await storage.tournaments.tournaments()) == 1


async def test_a_change_does_not_undo_another(storage: Storage) -> None:
    """A row that somebody else has changed since it was read is not stored; doing one's own change again is fine."""
    await storage.tournaments.add_tournament(cup())
    read = await storage.tournaments.tournament(CUP)
    mine, other = dataclasses.replace(read, attention="mine"), dataclasses.replace(read, attention="other")
    for _ in range(2):
        await storage.tournaments.change(mine, expect=read.state)
    with pytest.raises(StaleState, match="somebody else"):
        await storage.tournaments.change(other, expect=read.state)
    again = await storage.tournaments.tournament(CUP)
    assert again.attention == "mine"
    await storage.tournaments.change(dataclasses.replace(again, attention="other"), expect=read.state)


async def test_a_change_needs_the_expected_state(storage: Storage) -> None:
    """A row is replaced only from the expected state; doing the same change again is fine."""
    await storage.tournaments.add_tournament(cup(TournamentState.OPEN))
    running = dataclasses.replace(cup(), attention="")
    await storage.tournaments.change(running, expect=TournamentState.OPEN)
    await storage.tournaments.change(running, expect=TournamentState.OPEN)
    with pytest.raises(StaleState, match="is running by now, not open"):
        await storage.tournaments.change(cup(TournamentState.CANCELLED), expect=TournamentState.OPEN)
    assert await storage.tournaments.tournament(CUP) == running
    with pytest.raises(NotFound):
        await storage.tournaments.change(cup(ident="t_2", name="x"), expect=TournamentState.OPEN)


async def test_renaming_frees_the_old_name(storage: Storage) -> None:
    """A new name must be free; the old one is free afterwards."""
    await storage.tournaments.add_tournament(cup())
    await storage.tournaments.add_tournament(cup(name="league", ident="t_2"))
    with pytest.raises(AlreadyExists, match="league"):
        await storage.tournaments.change(cup(name="league"), expect=TournamentState.RUNNING)
    await storage.tournaments.change(cup(name="open"), expect=TournamentState.RUNNING)
    with pytest.raises(NotFound):
        await storage.tournaments.tournament("cup")
    await storage.tournaments.add_tournament(cup(ident="t_3"))


async def test_secrets_are_kept_apart(storage: Storage) -> None:
    """The root of the secrets comes back as it was, and only where it was put."""
    secret = bytes(range(32))
    await storage.tournaments.add_tournament(cup())
    assert await storage.tournaments.put_secret(CUP, secret) == secret
    assert await storage.tournaments.secret(CUP) == secret
    with pytest.raises(NotFound):
        await storage.tournaments.secret(TournamentId("t_2"))


async def test_a_secret_stays(storage: Storage) -> None:
    """The first root that was put is kept whatever comes after it, and none without a tournament."""
    with pytest.raises(NotFound):
        await storage.tournaments.put_secret(CUP, b"orphan")
    await storage.tournaments.add_tournament(cup())
    assert await storage.tournaments.put_secret(CUP, b"first") == b"first"
    assert await storage.tournaments.put_secret(CUP, b"second") == b"first"
    assert await storage.tournaments.secret(CUP) == b"first"


async def test_delete_needs_the_expected_state(storage: Storage) -> None:
    """What has been started since it was read is not deleted."""
    await running_cup(storage, ready=1)
    with pytest.raises(StaleState, match="is running by now, not open"):
        await storage.tournaments.delete_tournament(CUP, expect=TournamentState.OPEN)
    assert await storage.tournaments.take(match(0), ANN) is not None


async def test_delete_leaves_nothing_of_the_tournament(storage: Storage) -> None:
    """After a deletion no key mentions the tournament, other things stay, and its matches cannot be taken."""
    await storage.registry.add_owner(owner())
    await storage.registry.add_bot(bot())
    await running_cup(storage, ready=4)
    await storage.tournaments.put_secret(CUP, b"secret")
    done = await storage.tournaments.take(match(0), ANN)
    hosted = await storage.tournaments.take(match(1), ANN)
    assert done is not None
    assert hosted is not None
    await storage.tournaments.commit(match(0), done.attempt, b"row", b"record", 16)
    await storage.tournaments.checkpoint(match(1), hosted.attempt, b"blob")
    await storage.tournaments.delete_tournament(CUP, expect=TournamentState.RUNNING)
    kept = {key for key in await all_keys(storage) if ":queue:" not in key}
    assert not {key for key in kept if CUP in key}
    assert not kept & {"arena:ready", "arena:queued", f"arena:hosted:{ANN}", "arena:tournaments:names"}
    assert await storage.tournaments.take(match(2), ANN) is None
    assert await storage.registry.bots() == [bot()]
    with pytest.raises(NotFound):
        await storage.tournaments.delete_tournament(CUP, expect=TournamentState.RUNNING)
