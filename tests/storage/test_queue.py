"""The queue brings every ready match to a host, whatever gets lost on the way."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from arena.storage import keys
from arena.storage.connect import Storage
from arena.storage.instrumented import usage
from arena.storage.ports import MatchKey, TournamentState
from arena.storage.redis_store import RedisTournaments
from arena.storage.redis_store.db import Db
from arena.storage.redis_store.rows import match_key
from tests.storage.builders import ANN, CUP, PARK_AFTER, cup, match, running_cup
from tests.support.waiting import until

HANGING_WORKER = """
import asyncio, sys
from arena.storage.connect import open_storage

async def main():
    storage = await open_storage(sys.argv[1])

    async def host_match(key):
        print("waiting", flush=True)
        await asyncio.Event().wait()

    await storage.queue.work(host_match)

asyncio.run(main())
"""


@asynccontextmanager
async def working(
    storage: Storage, host_match: Callable[[MatchKey], Awaitable[None]], *, redelivery: float = 6.0
) -> AsyncIterator[asyncio.Task[None]]:
    """Run a worker of the queue for as long as the block lasts."""
    task = asyncio.create_task(storage.queue.work(host_match, redelivery=redelivery, grace=0.1))
    try:
        yield task
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class Host:
    """Takes the matches that come, and notes their numbers."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self.taken: list[int] = []

    async def host_match(self, key: MatchKey) -> None:
        """Take a match."""
        if await self._storage.tournaments.take(key, ANN):
            self.taken.append(key.number)

    async def has(self, count: int) -> bool:
        """Tell whether so many matches were taken."""
        return len(self.taken) >= count


def test_a_match_id_is_read_as_written() -> None:
    """A match's id on the queue names the match, even if the tournament's id has a dot."""
    key = match(17)
    assert match_key(str(key)) == key


async def test_every_ready_match_reaches_a_host_once(storage: Storage) -> None:
    """All ready matches come, in batches or alone, each once."""
    host = Host(storage)
    await running_cup(storage, ready=120)
    async with working(storage, host.host_match):
        await storage.tournaments.make_ready([match(120)])
        await until(lambda: host.has(121))
    assert sorted(host.taken) == list(range(121))
    assert await storage.queue.pending() == (0, 0.0)


async def test_putting_a_match_on_the_queue_again_changes_nothing(storage: Storage) -> None:
    """A match has one task however often it is put on the queue."""
    await running_cup(storage, ready=60)
    assert await storage.queue.requeue_ready(older_than=0) == 60
    assert await storage.queue.requeue_ready() == 0
    assert await storage.client.xlen(f"{keys.QUEUE}:stream") == 60


async def test_pending_counts_and_ages(storage: Storage) -> None:
    """Ready matches are pending until they are taken, and the oldest gets older."""
    assert await storage.queue.pending() == (0, 0.0)
    await running_cup(storage, ready=3)

    async def aged() -> bool:
        count, age = await storage.queue.pending()
        assert count == 3
        return age > 0.02

    await until(aged)
    await storage.tournaments.take(match(0), ANN)
    assert (await storage.queue.pending())[0] == 2


async def test_a_match_lost_between_ready_and_queue_is_put_there(storage: Storage) -> None:
    """When the process dies after the script and before the queue, the next requeue makes it good."""
    await running_cup(storage, ready=0)

    async def lose(matches: object) -> None:
        """Put nothing anywhere."""

    assert await RedisTournaments(Db(storage.client), lose).make_ready([match(n) for n in range(70)]) == 70
    host = Host(storage)
    async with working(storage, host.host_match):
        assert await storage.queue.requeue_ready(older_than=0) == 70
        await until(lambda: host.has(70))
    assert sorted(host.taken) == list(range(70))


async def test_a_released_match_comes_again(storage: Storage) -> None:
    """A match that is handed back, also by the sweep, goes to a host again."""
    await running_cup(storage)
    attempts: list[int] = []

    async def give_back(key: MatchKey) -> None:
        taken = await storage.tournaments.take(key, ANN)
        if taken is not None:
            attempts.append(taken.attempt)
            if taken.attempt < 3:
                await storage.tournaments.release(key, taken.attempt, park_after=0)

    async def thrice() -> bool:
        # The match comes back while its task still runs, so its place on the queue has to be made good.
        await storage.queue.requeue_ready(older_than=0.2)
        return attempts == [1, 2, 3]

    async with working(storage, give_back):
        await until(thrice)


async def test_what_the_queue_dropped_in_a_pause_comes_after_it(storage: Storage) -> None:
    """A match that met a paused tournament is ready still and comes when it runs again."""
    host = Host(storage)
    await running_cup(storage, ready=3)
    await storage.tournaments.change(cup(TournamentState.PAUSED), expect=TournamentState.RUNNING)

    async def dropped() -> bool:
        return await storage.client.xlen(f"{keys.QUEUE}:stream") == 0

    async with working(storage, host.host_match):
        await until(dropped)
        assert host.taken == []
        await storage.tournaments.change(cup(), expect=TournamentState.PAUSED)
        await until(lambda: host.has(3))


async def test_a_failing_host_does_not_end_the_worker(storage: Storage, caplog: pytest.LogCaptureFixture) -> None:
    """What `host_match` raises is logged with the match, and others go on."""
    host = Host(storage)
    await running_cup(storage)

    async def fail_once(key: MatchKey) -> None:
        if key.number == 0:
            raise RuntimeError("no room")
        await host.host_match(key)

    async with working(storage, fail_once):
        await storage.tournaments.make_ready([match(1)])
        await until(lambda: host.has(1))
    assert "match t_cup.0 was not started" in caplog.text


async def test_a_cancelled_worker_ends_soon_and_loses_nothing(storage: Storage) -> None:
    """A stop does not wait for tables to become free, and the matches that waited are still ready."""
    await running_cup(storage, ready=5)
    waiting = asyncio.Event()

    async def wait_for_a_table(key: MatchKey) -> None:
        waiting.set()
        await asyncio.Event().wait()

    async with asyncio.timeout(5):
        async with working(storage, wait_for_a_table):
            await waiting.wait()
    assert (await storage.queue.pending())[0] == 5
    host = Host(storage)
    async with working(storage, host.host_match):
        await storage.queue.requeue_ready(older_than=0)
        await until(lambda: host.has(5))


async def test_the_work_of_a_killed_worker_is_repeated(storage: Storage, redis_url: str) -> None:
    """A worker killed with -9 while it holds a task leaves the task to another."""
    await running_cup(storage)
    command = [sys.executable, "-c", HANGING_WORKER, redis_url]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as worker:  # noqa: ASYNC220
        assert worker.stdout is not None
        assert await asyncio.to_thread(worker.stdout.readline) == b"waiting\n"
        worker.send_signal(signal.SIGKILL)
    host = Host(storage)
    async with working(storage, host.host_match, redelivery=1.0):
        await until(lambda: host.has(1))


async def test_the_sweep_runs_again_and_again(storage: Storage) -> None:
    """The periodic sweep is run by the worker without anybody's asking, and survives its own failure."""
    times = 0

    async def sweep() -> None:
        nonlocal times
        times += 1
        await storage.fleet.sweep(lease=1.0, park_after=PARK_AFTER)
        if times == 1:
            raise RuntimeError("a bad day")

    async def nothing(key: MatchKey) -> None:
        """Host nothing."""

    async def thrice() -> bool:
        return times >= 3

    task = asyncio.create_task(storage.queue.work(nothing, sweep=sweep, sweep_every=0.05, grace=0.1))
    await until(thrice)
    task.cancel()
    await asyncio.wait([task])


async def test_a_match_costs_few_commands(storage: Storage) -> None:
    """From planned to done a match costs about 55 commands, those inside scripts included, in fewer than 8 reads."""
    host = Host(storage)
    await running_cup(storage, ready=0)

    async def host_match(key: MatchKey) -> None:
        await host.host_match(key)
        await storage.tournaments.commit(key, 1, b"r" * 60, b"z" * 3000, 16)

    async with working(storage, host_match):
        # The first hundred open the connections.
        await storage.tournaments.make_ready([match(number) for number in range(100)])
        await until(lambda: host.has(100))
        before = await usage(storage.client)
        await storage.tournaments.make_ready([match(number) for number in range(100, 200)])
        await until(lambda: host.has(200))
        spent = await usage(storage.client) - before
    assert spent.commands / 100 < 65
    assert spent.reads / 100 < 8
    assert (await storage.tournaments.progress(CUP)).done >= 190
