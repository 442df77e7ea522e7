"""The work queue: matches to host, carried by Docket. The only module that touches Docket.

Docket carries work; whose match it is, `take` decides. A task holds nothing but a match id, is known by that id (so
adding it twice is adding it once), waits for a free table, takes the match and ends; its loss or its repetition does
no harm. A ready match that is not on the queue for whatever reason is put there again by `requeue_ready`.

Docket is told to be quiet: no standard tasks, no telemetry, results not kept, long intervals. Its log is our own
affair, because during an outage it writes a traceback a second.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta

from docket import Docket, Perpetual, Worker
from docket.execution import Disposition
from redis.exceptions import RedisError

from arena.storage import keys
from arena.storage.ports import Damaged, MatchKey, StorageUnavailable
from arena.storage.redis_store import rows
from arena.storage.redis_store.db import Db, translated

logger = logging.getLogger(__name__)

BATCH = 50
REQUEUE_BATCH = 500
HEARTBEAT = timedelta(seconds=10)
"""Docket's own heartbeat, which serves its displays only; ours are in the fleet."""

RECONNECT_SECONDS = 1.0


async def _host_match_elsewhere(match_id: str) -> None:
    """Stand in for the task where matches are only put on the queue."""
    raise AssertionError(f"match {match_id} reached a process that hosts none")


class DocketQueue:
    """A `WorkQueue`."""

    def __init__(self, url: str, db: Db) -> None:
        self._db = db
        self._docket = Docket(name=keys.QUEUE, url=url, heartbeat_interval=HEARTBEAT, execution_ttl=timedelta(0))
        self._docket.tasks.clear()
        self._docket.register(_host_match_elsewhere, names=["host_match"])
        self._stack = AsyncExitStack()

    async def open(self) -> None:
        """Connect."""
        _quieten()
        with translated():
            await self._stack.enter_async_context(self._docket)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._stack.aclose()

    async def put(self, matches: Sequence[MatchKey]) -> None:
        """Put matches on the queue; those on it already stay where they are."""
        for start in range(0, len(matches), BATCH):
            names = [str(match) for match in matches[start : start + BATCH]]
            with translated():
                if len(names) == 1:
                    # Without the script's text, which a batch sends along.
                    await self._docket.add("host_match", key=names[0])(names[0])
                    continue
                calls = [self._docket.call("host_match", key=name)(name) for name in names]
                added = await self._docket.add_many(calls, chunk_size=BATCH)
            for execution in added:
                if execution.disposition is Disposition.FAILED:
                    with translated():
                        raise execution.schedule_exception or RedisError("the work queue refused a match")

    async def requeue_ready(self, *, older_than: float = 10.0) -> int:
        """Put ready matches on the queue again that were put there *older_than* seconds ago or never."""
        picked = await self._db.script("requeue", [keys.QUEUED], [round(older_than * 1000), REQUEUE_BATCH])
        names = [match.decode(errors="replace") for match in picked]
        found = self._db.damage.readable("match in line", ((name, name) for name in names), rows.match_key)
        await self.put(found)
        return len(found)

    async def pending(self) -> tuple[int, float]:
        """Return how many matches wait on the queue, and how old the oldest is, in seconds."""
        count, age = await self._db.reading_script("pending", [keys.READY], [])
        return int(count), max(int(age), 0) / 1000

    async def work(
        self,
        host_match: Callable[[MatchKey], Awaitable[None]],
        *,
        concurrency: int = 64,
        sweep: Callable[[], Awaitable[object]] | None = None,
        sweep_every: float = 2.0,
        redelivery: float = 6.0,
        grace: float = 1.0,
    ) -> None:
        """Run `host_match` for every match on the queue, at most *concurrency* at once, until cancelled.

        `host_match` waits for a free table, takes the match, starts it and returns; what it raises is logged, and the
        match, if still ready, comes again. *sweep* is run every *sweep_every* seconds by one of all workers.
        Redis' absence is waited out. When cancelled, running calls get *grace* seconds and are then cancelled too.
        A worker that died has its tasks repeated by another after *redelivery* seconds.
        """
        calls = _Calls(host_match)
        self._docket.register(calls.host_match, names=["host_match"])
        if sweep is not None:
            self._docket.register(_sweep_task(sweep, timedelta(seconds=sweep_every)))
        try:
            while True:
                try:
                    await self._run_worker(concurrency, redelivery, calls, grace)
                except Exception:
                    logger.exception("the worker of the queue failed; it starts again")
                await asyncio.sleep(RECONNECT_SECONDS)
        finally:
            self._docket.tasks.clear()
            self._docket.register(_host_match_elsewhere, names=["host_match"])

    async def _run_worker(self, concurrency: int, redelivery: float, calls: _Calls, grace: float) -> None:
        """Run one worker of Docket; on cancellation end it, within about *grace* seconds."""
        async with Worker(
            self._docket,
            # Names a consumer of the stream: with a name used twice a new worker would pass for the dead one.
            name=f"{socket.gethostname()}#{os.getpid()}#{secrets.token_hex(3)}",
            concurrency=concurrency,
            redelivery_timeout=timedelta(seconds=redelivery),
            reconnection_delay=timedelta(seconds=RECONNECT_SECONDS),
            minimum_check_interval=timedelta(milliseconds=250),
            scheduling_resolution=timedelta(seconds=1),
            schedule_automatic_tasks=True,
        ) as worker:
            running = asyncio.create_task(worker.run_forever(), name="queue worker")
            try:
                await asyncio.shield(running)
            except asyncio.CancelledError:
                running.cancel()
                calls.stop_after(grace)
                await asyncio.wait([running])
                raise


class _Calls:
    """The running calls of `host_match`, so that a stop reaches them: Docket waits for its tasks without limit."""

    def __init__(self, host_match: Callable[[MatchKey], Awaitable[None]]) -> None:
        self._host_match = host_match
        self._running: set[asyncio.Task[None]] = set()
        self._stopped = False

    async def host_match(self, match_id: str) -> None:
        """Call `host_match`, and log what it raises."""
        if self._stopped:
            return
        call = asyncio.ensure_future(self._call(rows.match_key(match_id)))
        self._running.add(call)
        call.add_done_callback(self._running.discard)
        await asyncio.wait([call])

    async def _call(self, match: MatchKey) -> None:
        try:
            await self._host_match(match)
        except (StorageUnavailable, Damaged) as error:
            logger.warning("match %s was not started: %s", match, error)
        except Exception:
            logger.exception("match %s was not started", match)

    def stop_after(self, grace: float) -> None:
        """Start no more calls; cancel those that still run after *grace* seconds."""
        self._stopped = True
        asyncio.get_running_loop().call_later(grace, self._cancel)

    def _cancel(self) -> None:
        for call in self._running:
            call.cancel()


def _sweep_task(run: Callable[[], Awaitable[object]], every: timedelta) -> Callable[..., Awaitable[None]]:
    """Return the periodic task: one chain of runs over all workers, which Docket restores if it breaks."""

    async def sweep(perpetual: Perpetual = Perpetual(every=every, automatic=True)) -> None:  # noqa: B008
        try:
            await run()
        except (StorageUnavailable, Damaged) as error:
            logger.warning("the sweep has to wait: %s", error)
        except Exception:
            logger.exception("the sweep failed")

    return sweep


class _NoOutageTracebacks(logging.Filter):
    """Cuts Docket's records about a Redis that is away down to one line without traceback."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let everything pass but that Redis is away, every second; what was caused by Redis, shortened."""
        if record.getMessage().startswith(_OUTAGE):
            return False
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, RedisError) or (error is None and record.exc_info):
            record.msg, record.args, record.exc_info = f"{record.getMessage()} ({error})", (), None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


_OUTAGE = ("Redis is unavailable", "Redis error in cancellation listener")
"""Our own loops say once that storage is away, and when it is back."""

_OUTAGE_FILTER = _NoOutageTracebacks()


def _quieten() -> None:
    """Let Docket say warnings only, and those about Redis in one line. Repeating it changes nothing."""
    logging.getLogger("docket").setLevel(logging.WARNING)
    for name in ("worker", "docket", "strikelist", "dependencies", "_redelivery", "_redis"):
        logging.getLogger(f"docket.{name}").addFilter(_OUTAGE_FILTER)
