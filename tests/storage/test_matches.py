"""Matches move from planned to done under the fence of their attempt."""

import asyncio
from collections.abc import Sequence

import pytest

from arena.storage import keys
from arena.storage.connect import Storage, open_storage
from arena.storage.ports import BotId, FenceLost, MatchKey, MatchState, Taken, TournamentState
from arena.storage.redis_store import RedisTournaments
from arena.storage.redis_store.db import Db
from tests.storage.builders import ANN, BEN, CUP, PARK_AFTER, cup, match, running_cup


async def take(storage: Storage, number: int = 0) -> Taken:
    """Take a match that is ready."""
    taken = await storage.tournaments.take(match(number), ANN)
    assert taken is not None
    return taken


async def state(storage: Storage, number: int = 0) -> tuple[MatchState, int]:
    """Return state and attempt of a match."""
    return (await storage.tournaments.match_rows(CUP, [number])).get(number, (MatchState.PLANNED, 0))


async def test_make_ready_counts_new_matches_only(storage: Storage) -> None:
    """Planned matches become ready once; known ones are left as they are."""
    await running_cup(storage, ready=2)
    assert await storage.tournaments.make_ready([match(1), match(2), match(2)]) == 1
    progress = await storage.tournaments.progress(CUP)
    assert progress.in_flight == dict.fromkeys(range(3), MatchState.READY)
    assert (progress.done, progress.deals, progress.parked) == (0, 0, ())
    assert await storage.tournaments.make_ready([]) == 0


@pytest.mark.parametrize("now", [TournamentState.PAUSED, TournamentState.CANCELLED])
async def test_nothing_starts_unless_the_tournament_runs(storage: Storage, now: TournamentState) -> None:
    """After a pause or a cancel, late calls make nothing ready and take nothing."""
    await running_cup(storage)
    await storage.tournaments.change(cup(now), expect=TournamentState.RUNNING)
    assert await storage.tournaments.make_ready([match(1)]) == 0
    assert await storage.tournaments.take(match(0), ANN) is None
    assert await state(storage) == (MatchState.READY, 0)


async def test_two_hosts_race_and_one_gets_the_match(storage: Storage, redis_url: str) -> None:
    """However two hosts race for matches, each match goes to exactly one of them."""
    await running_cup(storage, ready=50)
    other = await open_storage(redis_url)
    calls = [
        host.tournaments.take(match(number), name)
        for number in range(50)
        for host, name in ((storage, ANN), (other, BEN))
    ]
    taken = [found for found in await asyncio.gather(*calls) if found is not None]
    await other.aclose()
    assert sorted(found.key.number for found in taken) == list(range(50))
    assert {found.attempt for found in taken} == {1}


async def test_a_repeated_take_of_a_lost_answer_gets_the_same(storage: Storage) -> None:
    """The script answers a repeated call of the same nonce alike, and another call not at all."""
    await running_cup(storage)
    names = [
        *(keys.tournament(CUP), keys.flight(CUP), keys.READY, keys.QUEUED, keys.checkpoints(CUP)),
        *(keys.hosted(ANN), keys.REFEREES),
    ]
    db = Db(storage.client)
    answers = [await db.script("take", names, [0, str(match()), ANN, nonce]) for nonce in ("x", "x", "y")]
    assert [answer and answer[0] for answer in answers] == [1, 1, None]


async def test_commit_stores_the_result_once(storage: Storage) -> None:
    """A commit stores row, record and deals; repeating it changes nothing, and nothing may follow it."""
    await running_cup(storage, ready=2)
    attempt = (await take(storage)).attempt
    await storage.tournaments.checkpoint(match(), attempt, b"checkpoint")
    for _ in range(2):
        await storage.tournaments.commit(match(), attempt, b"row\x00\xff", b"record", 16)
    progress = await storage.tournaments.progress(CUP)
    assert (progress.done, progress.deals, progress.in_flight) == (1, 16, {1: MatchState.READY})
    assert await storage.tournaments.results(CUP) == {0: b"row\x00\xff"}
    assert await storage.tournaments.result_numbers(CUP) == frozenset({0})
    assert await storage.tournaments.records(CUP, [1, 0]) == {0: b"record"}
    assert await state(storage) == (MatchState.DONE, 1)
    with pytest.raises(FenceLost, match=r"t_cup\.0 is void: the match is done, attempt 1"):
        await storage.tournaments.checkpoint(match(), attempt, b"late")
    with pytest.raises(FenceLost):
        await storage.tournaments.release(match(), attempt, park_after=PARK_AFTER)
    with pytest.raises(FenceLost):
        await storage.tournaments.commit(match(), attempt + 1, b"other", b"other", 1)
    assert await storage.tournaments.take(match(), BEN) is None
    assert await storage.tournaments.make_ready([match()]) == 0


async def test_a_stale_attempt_writes_nothing(storage: Storage) -> None:
    """Once a later attempt holds the match, the earlier one is refused checkpoint, commit and release."""
    await running_cup(storage)
    stale = (await take(storage)).attempt
    await storage.tournaments.checkpoint(match(), stale, b"first")
    await storage.tournaments.release(match(), stale, park_after=PARK_AFTER)
    latest = await take(storage)
    assert (latest.attempt, latest.checkpoint) == (stale + 1, b"first")
    for refused in (
        storage.tournaments.checkpoint(match(), stale, b"stale"),
        storage.tournaments.commit(match(), stale, b"stale", b"stale", 16),
        storage.tournaments.release(match(), stale, park_after=PARK_AFTER),
    ):
        with pytest.raises(FenceLost, match="the match is hosted, attempt 2"):
            await refused
    await storage.tournaments.commit(match(), latest.attempt, b"row", b"record", 16)
    assert await storage.tournaments.results(CUP) == {0: b"row"}


async def test_a_released_attempt_cannot_commit(storage: Storage) -> None:
    """Between release and the next take nobody holds the match."""
    await running_cup(storage)
    attempt = (await take(storage)).attempt
    await storage.tournaments.release(match(), attempt, park_after=PARK_AFTER)
    with pytest.raises(FenceLost, match="the match is ready"):
        await storage.tournaments.commit(match(), attempt, b"row", b"record", 16)
    assert await storage.tournaments.release(match(), attempt, park_after=PARK_AFTER) is MatchState.READY


async def test_planned_matches_have_no_fence(storage: Storage) -> None:
    """Nothing can be written about a match that was never in line."""
    await running_cup(storage)
    with pytest.raises(FenceLost, match="the match is planned"):
        await storage.tournaments.commit(match(9), 1, b"row", b"record", 16)
    assert await storage.tournaments.match_rows(CUP, []) == {}
    assert await storage.tournaments.match_rows(CUP, [9]) == {}


async def test_matches_are_parked_after_so_many_tries_and_unparked(storage: Storage) -> None:
    """The third try parks; unparking keeps the attempt and counts tries anew."""
    await running_cup(storage)
    states = []
    for _ in range(PARK_AFTER):
        taken = await take(storage)
        states.append(await storage.tournaments.release(match(), taken.attempt, park_after=PARK_AFTER))
    assert states == [MatchState.READY, MatchState.READY, MatchState.PARKED]
    assert (await storage.tournaments.progress(CUP)).parked == (0,)
    assert await storage.tournaments.take(match(), ANN) is None
    assert await storage.tournaments.unpark(CUP) == 1
    assert await storage.tournaments.unpark(CUP) == 0
    taken = await take(storage)
    assert taken.attempt == PARK_AFTER + 1
    assert await storage.tournaments.release(match(), taken.attempt, park_after=PARK_AFTER) is MatchState.READY


async def test_handing_back_unharmed_counts_as_no_try(storage: Storage) -> None:
    """However often a draining referee hands a match back, it is never parked for that."""
    await running_cup(storage)
    for _ in range(PARK_AFTER + 1):
        taken = await take(storage)
        assert await storage.tournaments.release(match(), taken.attempt, park_after=0) is MatchState.READY
    taken = await take(storage)
    assert await storage.tournaments.release(match(), taken.attempt, park_after=PARK_AFTER) is MatchState.READY


async def test_void_ends_all_that_is_in_flight(storage: Storage) -> None:
    """Ready, hosted and parked matches become void, for good; results stay."""
    await running_cup(storage, ready=4)
    done, hosted, parked = [await take(storage, number) for number in (0, 1, 2)]
    await storage.tournaments.commit(match(0), done.attempt, b"row", b"record", 16)
    await storage.tournaments.release(match(2), parked.attempt, park_after=1)
    assert await storage.tournaments.void_in_flight(CUP) == 3
    rows = await storage.tournaments.match_rows(CUP, range(4))
    assert [rows[number][0] for number in range(4)] == [MatchState.DONE, *[MatchState.VOID] * 3]
    with pytest.raises(FenceLost, match="the match is void"):
        await storage.tournaments.commit(match(1), hosted.attempt, b"row", b"record", 16)
    assert await storage.tournaments.take(match(3), ANN) is None
    assert (await storage.tournaments.progress(CUP)).in_flight == {}
    assert await storage.queue.pending() == (0, 0.0)


async def test_many_records_are_read_in_parts(storage: Storage) -> None:
    """Records come back whole however many are asked for at once."""
    await running_cup(storage, ready=250)
    for number in range(250):
        taken = await take(storage, number)
        await storage.tournaments.commit(match(number), taken.attempt, b"r", str(number).encode(), 1)
    found = await storage.tournaments.records(CUP, range(300))
    assert found == {number: str(number).encode() for number in range(250)}
    assert (await storage.tournaments.progress(CUP)).deals == 250


async def test_what_failed_is_not_tried_again_at_once(storage: Storage) -> None:
    """A failed match waits for `requeue_ready`; one that a draining referee hands back goes on the queue at once."""
    await running_cup(storage, ready=2)
    failed, handed = await take(storage, 0), await take(storage, 1)
    queued: list[MatchKey] = []

    async def put(matches: Sequence[MatchKey]) -> None:
        queued.extend(matches)

    tournaments = RedisTournaments(Db(storage.client), put)
    await tournaments.release(match(0), failed.attempt, park_after=PARK_AFTER)
    assert queued == []
    await tournaments.release(match(1), handed.attempt, park_after=0)
    assert queued == [match(1)]
    assert await storage.queue.requeue_ready() == 0
    assert await storage.queue.requeue_ready(older_than=0.0) == 2


async def test_spoilt_matches_are_counted_in_a_row(storage: Storage) -> None:
    """A commit counts once, however often it is repeated; a good match of a bot takes its count away."""
    await running_cup(storage, ready=3)
    ann, ben = BotId("b_ann"), BotId("b_ben")
    for number, spoilt in enumerate(({ann: True, ben: True}, {ann: True, ben: False}, {ann: False})):
        taken = await take(storage, number)
        for _ in range(2):
            await storage.tournaments.commit(match(number), taken.attempt, b"row", b"record", 1, spoilt)
        counts = dict(await storage.tournaments.faulty(CUP))
        assert counts == ({ann: 1, ben: 1}, {ann: 2}, {})[number]
