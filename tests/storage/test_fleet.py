"""Referees live by their heartbeat; the sweep looks after the matches of dead ones."""

import asyncio
from collections.abc import Sequence

import pytest

from arena.storage.connect import Storage
from arena.storage.ports import BotId, FenceLost, LostReferee, MatchState, Presence
from tests.storage.builders import ANN, BEN, CUP, LEASE, PARK_AFTER, match, referee, running_cup
from tests.support.waiting import until

SHORT = 0.4
"""A lease in seconds that a test can wait for."""


async def sweep(storage: Storage, lease: float = SHORT) -> int:
    """Sweep once; return how many matches were put back or parked."""
    return matches_of(await storage.fleet.sweep(lease=lease, park_after=PARK_AFTER))


def matches_of(lost: Sequence[LostReferee]) -> int:
    """Return how many matches a sweep has put back or parked."""
    return sum(each.put_back + each.parked for each in lost)


async def test_referees_live_as_long_as_they_beat(storage: Storage) -> None:
    """A referee is listed from its heartbeat on, until the lease runs out."""
    assert await storage.fleet.referees() == []
    await storage.fleet.beat(referee(), lease=LEASE)
    await storage.fleet.beat(referee(BEN), lease=0.05)
    assert referee() in await storage.fleet.referees()

    async def only_ann() -> bool:
        return await storage.fleet.referees() == [referee()]

    await until(only_ann)


async def test_presences_are_replaced_and_die_with_the_referee(storage: Storage) -> None:
    """Presences are those last set at live referees; leaving forgets both."""
    at_ann = Presence(BotId("b_1"), ANN, "main", 64)
    at_ben = Presence(BotId("b_1"), BEN, "other one", 8, visiting=True)
    await storage.fleet.set_presence(ANN, [Presence(BotId("b_2"), ANN, "", 1)])
    assert await storage.fleet.presences() == []
    await storage.fleet.beat(referee(), lease=LEASE)
    await storage.fleet.beat(referee(BEN), lease=LEASE)
    await storage.fleet.set_presence(ANN, [at_ann])
    await storage.fleet.set_presence(BEN, [at_ben])
    assert sorted(await storage.fleet.presences(), key=lambda presence: presence.referee) == [at_ann, at_ben]
    await storage.fleet.leave(ANN)
    assert await storage.fleet.presences() == [at_ben]
    assert await storage.fleet.referees() == [referee(BEN)]


async def test_the_sweep_hands_on_what_a_dead_referee_held(storage: Storage) -> None:
    """A dead referee's matches become ready again with their checkpoint, and its own writing is refused then."""
    await running_cup(storage, ready=2)
    await storage.fleet.beat(referee(BEN), lease=0.05)
    lost = await storage.tournaments.take(match(0), BEN)
    kept = await storage.tournaments.take(match(1), ANN)
    assert lost is not None
    assert kept is not None
    await storage.tournaments.checkpoint(match(0), lost.attempt, b"half")
    assert await until(lambda: sweep(storage)) == 1
    rows = await storage.tournaments.match_rows(CUP, [0, 1])
    assert rows == {0: (MatchState.READY, 1), 1: (MatchState.HOSTED, 1)}
    with pytest.raises(FenceLost, match="the match is ready"):
        await storage.tournaments.commit(match(0), lost.attempt, b"row", b"record", 16)
    again = await storage.tournaments.take(match(0), ANN)
    assert again is not None
    assert (again.attempt, again.checkpoint) == (2, b"half")
    await storage.tournaments.commit(match(1), kept.attempt, b"row", b"record", 16)


async def test_the_sweep_parks_after_so_many_tries(storage: Storage) -> None:
    """A match whose referees die again and again is parked."""
    await running_cup(storage)
    for _ in range(PARK_AFTER):
        await storage.fleet.beat(referee(BEN), lease=0.01)
        assert await storage.tournaments.take(match(), BEN) is not None
        await until(lambda: sweep(storage))
    assert (await storage.tournaments.progress(CUP)).parked == (0,)


async def test_a_referee_that_never_beat_is_swept_too(storage: Storage) -> None:
    """Whoever takes a match is known from then on, so that no match is held by nobody."""
    await running_cup(storage)
    assert await storage.tournaments.take(match(), BEN) is not None
    assert await until(lambda: sweep(storage)) == 1


async def test_leaving_with_matches_hands_them_to_the_sweep(storage: Storage) -> None:
    """A referee that leaves too early is declared dead, not forgotten."""
    await running_cup(storage)
    assert await storage.tournaments.take(match(), ANN) is not None
    await storage.fleet.leave(ANN)
    assert await storage.fleet.referees() == []
    assert await until(lambda: sweep(storage)) == 1


async def test_a_gap_in_the_sweeping_suspends_it_for_one_lease(storage: Storage) -> None:
    """When nobody could sweep for a lease, nobody could beat either: all get one lease to say that they live."""
    await running_cup(storage)
    await storage.fleet.beat(referee(BEN), lease=0.01)
    assert await storage.tournaments.take(match(), BEN) is not None
    loop = asyncio.get_running_loop()
    begun = loop.time()
    assert await sweep(storage) == 0
    await until(lambda: sweep(storage))
    assert loop.time() - begun >= SHORT


async def test_two_sweeps_at_once_count_every_match_once(storage: Storage) -> None:
    """Sweeping is one script: however many sweep at once, a match is put back once."""
    await running_cup(storage, ready=20)
    for number in range(20):
        assert await storage.tournaments.take(match(number), BEN) is not None

    async def both() -> int:
        return sum(await asyncio.gather(sweep(storage), sweep(storage)))

    assert await until(both) == 20


async def test_a_death_is_told_once_with_its_matches(storage: Storage) -> None:
    """One sweep says of a dead referee where it was and what became of its matches; no later one says it again."""
    await running_cup(storage, ready=2)
    await storage.fleet.beat(referee(BEN), lease=0.01)
    for number in range(2):
        assert await storage.tournaments.take(match(number), BEN) is not None

    async def found() -> Sequence[LostReferee]:
        return await storage.fleet.sweep(lease=SHORT, park_after=PARK_AFTER)

    assert await until(found) == [LostReferee(BEN, referee(BEN).address, put_back=2, parked=0)]
    assert await found() == []


async def test_a_death_without_matches_is_told_too_and_so_is_the_next(storage: Storage) -> None:
    """A referee that hosted nothing is told of as well, and again when it came back and died again."""

    async def found() -> Sequence[LostReferee]:
        return await storage.fleet.sweep(lease=SHORT, park_after=PARK_AFTER)

    for _ in range(2):
        await storage.fleet.beat(referee(BEN), lease=0.01)
        assert await until(found) == [LostReferee(BEN, referee(BEN).address, put_back=0, parked=0)]
