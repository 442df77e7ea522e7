"""Redis killed with -9 and started again: nothing acknowledged is lost, nobody is taken for dead, all go on."""

import asyncio
import logging
import os
import signal
from contextlib import suppress

import pytest

from arena.storage.connect import open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import MatchKey, MatchState, StorageUnavailable
from tests.storage.builders import ANN, BEN, CUP, PARK_AFTER, cup, match, referee, running_cup
from tests.support.waiting import until


async def kill(server: EmbeddedValkey) -> None:
    """End Valkey as a crash does."""
    os.kill(server.pid, signal.SIGKILL)

    async def dead() -> bool:
        return not server.alive()

    await until(dead)


async def test_everything_acknowledged_survives(own_valkey: EmbeddedValkey) -> None:
    """After kill -9 rows, states, checkpoints and results are as they were, and the fence still holds."""
    storage = await open_storage(own_valkey.url)
    await running_cup(storage, ready=4)
    done = await storage.tournaments.take(match(0), ANN)
    hosted = await storage.tournaments.take(match(1), ANN)
    assert done is not None
    assert hosted is not None
    await storage.tournaments.checkpoint(match(1), hosted.attempt, b"half")
    await storage.tournaments.commit(match(0), done.attempt, b"row", b"record", 16)
    before = await storage.tournaments.progress(CUP)
    await kill(own_valkey)
    own_valkey.start()
    assert await storage.tournaments.tournament(CUP) == cup()
    assert await storage.tournaments.progress(CUP) == before
    assert await storage.tournaments.results(CUP) == {0: b"row"}
    await storage.tournaments.commit(match(0), done.attempt, b"row", b"record", 16)
    assert (await storage.tournaments.progress(CUP)).deals == 16
    await storage.tournaments.release(match(1), hosted.attempt, park_after=PARK_AFTER)
    again = await storage.tournaments.take(match(1), BEN)
    assert again is not None
    assert (again.attempt, again.checkpoint) == (2, b"half")
    await storage.aclose()


async def test_away_is_said_by_every_port(own_valkey: EmbeddedValkey) -> None:
    """While Redis is away calls raise `StorageUnavailable`, soon; a listener is told to look by itself."""
    storage = await open_storage(own_valkey.url)
    await running_cup(storage)
    await kill(own_valkey)
    async with asyncio.timeout(20):
        for call in (
            storage.registry.owners(),
            storage.tournaments.commit(match(), 1, b"", b"", 0),
            storage.tournaments.make_ready([match(1)]),
            storage.fleet.beat(referee(), lease=1),
            storage.fleet.sweep(lease=1, park_after=PARK_AFTER),
            storage.wakeups.publish("matches"),
            storage.queue.pending(),
            storage.queue.requeue_ready(older_than=0),
        ):
            with pytest.raises(StorageUnavailable, match="cannot be used for now"):
                await call
        async for topic in storage.wakeups.listen("matches"):
            assert topic == ""
            break
    own_valkey.start()
    assert await storage.registry.owners() == []
    await storage.aclose()


async def test_take_waits_until_it_knows(own_valkey: EmbeddedValkey) -> None:
    """A take that meets an outage answers when Redis is back, for nobody else would learn whose the match is."""
    storage = await open_storage(own_valkey.url)
    await running_cup(storage)
    await kill(own_valkey)
    taking = asyncio.create_task(storage.tournaments.take(match(), ANN))
    await asyncio.wait([taking], timeout=0.3)
    assert not taking.done()
    own_valkey.start()
    taken = await asyncio.wait_for(taking, 10)
    assert taken is not None
    assert taken.attempt == 1
    await storage.aclose()


async def test_nobody_dies_of_an_outage(own_valkey: EmbeddedValkey) -> None:
    """For one lease after Redis came back nothing is swept; then those who still do not beat are."""
    lease = 1.0
    storage = await open_storage(own_valkey.url)
    await running_cup(storage, ready=2)

    async def sweep() -> int:
        return sum(each.put_back for each in await storage.fleet.sweep(lease=lease, park_after=PARK_AFTER))

    for number, name in enumerate((ANN, BEN)):
        await storage.fleet.beat(referee(name), lease=lease)
        assert await storage.tournaments.take(match(number), name) is not None
    # Sweeping has gone on for more than a lease, so that only the outage can suspend it now.
    loop = asyncio.get_running_loop()
    begun = loop.time()

    async def swept_for_a_lease() -> bool:
        for name in (ANN, BEN):
            await storage.fleet.beat(referee(name), lease=0.05)
        assert await sweep() == 0
        return loop.time() - begun > lease + 0.2

    await until(swept_for_a_lease)
    await kill(own_valkey)
    own_valkey.start()
    back = loop.time()
    assert await sweep() == 0
    await storage.fleet.beat(referee(ANN), lease=60)
    assert await until(sweep) == 1
    assert loop.time() - back >= lease
    rows = await storage.tournaments.match_rows(CUP, [0, 1])
    assert rows == {0: (MatchState.HOSTED, 1), 1: (MatchState.READY, 1)}
    await storage.aclose()


async def test_tasks_and_worker_survive(
    own_valkey: EmbeddedValkey, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Matches queued before the crash are hosted after it, and a worker that was there takes new ones too.

    The worker does not repeat every second that Redis is away: our own loops say it once.
    """
    storage = await open_storage(own_valkey.url)
    await running_cup(storage, ready=30)
    await kill(own_valkey)
    own_valkey.start()
    taken: list[int] = []

    async def host_match(key: MatchKey) -> None:
        if await storage.tournaments.take(key, ANN):
            taken.append(key.number)

    async def has_all(count: int) -> bool:
        with suppress(StorageUnavailable):
            await storage.queue.requeue_ready(older_than=0.5)
        return len(taken) == count

    heard: list[str] = []

    def spy(record: logging.LogRecord) -> bool:
        heard.append(record.getMessage())
        return True

    monkeypatch.setattr(
        logging.getLogger("docket.worker"), "filters", [spy, *logging.getLogger("docket.worker").filters]
    )
    task = asyncio.create_task(storage.queue.work(host_match, grace=0.1))
    await until(lambda: has_all(30))
    await kill(own_valkey)

    async def noticed() -> bool:
        return any(line.startswith("Redis is unavailable") for line in heard)

    await until(noticed)
    own_valkey.start()
    await storage.tournaments.make_ready([match(number) for number in range(30, 40)])
    await until(lambda: has_all(40))
    assert sorted(taken) == list(range(40))
    assert not [record for record in caplog.records if record.exc_info]
    assert "Redis is unavailable" not in caplog.text
    task.cancel()
    await asyncio.wait([task])
    await storage.aclose()


async def test_a_worker_can_be_stopped_while_redis_is_away(own_valkey: EmbeddedValkey) -> None:
    """Neither a stop of the worker nor closing waits for Redis to come back, even with a take under way."""
    storage = await open_storage(own_valkey.url)
    await running_cup(storage)
    killed, taking = asyncio.Event(), asyncio.Event()

    async def host_match(key: MatchKey) -> None:
        taking.set()
        await killed.wait()
        await storage.tournaments.take(key, ANN)

    task = asyncio.create_task(storage.queue.work(host_match, grace=0.1))
    await asyncio.wait_for(taking.wait(), 10)
    await kill(own_valkey)
    killed.set()
    task.cancel()
    async with asyncio.timeout(10):
        await asyncio.wait([task])
        await storage.aclose()
