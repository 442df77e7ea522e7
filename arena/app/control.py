"""The control role: the API and the scheduler."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from importlib.metadata import version

import structlog

from arena.app.http import MetricsServer
from arena.app.lifecycle import Listening, Stop, bound, bound_port, cancelled, reachable, run_until
from arena.app.metrics import ControlMetrics, LoopLag, new_registry
from arena.app.standing import StandingWatch
from arena.config import Config
from arena.service.entries import Entries
from arena.service.ledgers import Ledgers
from arena.service.news import News
from arena.service.people import People
from arena.service.planning import Plans
from arena.service.rows import Rows
from arena.service.scheduler import Scheduler
from arena.service.standings import Rankings
from arena.service.tournaments import TournamentService
from arena.service.views import Views
from arena.storage.connect import Storage, open_storage
from arena.storage.instrumented import StorageMetrics
from arena.transport.interceptor import EdgeTally
from arena.transport.server import serve
from arena.transport.servicer import UseCases

END_SECONDS = 0.5
STALE_SECONDS = 5.0
"""A scheduler that has not looked for so long is not ready."""


class Control:
    """All use cases over one storage, wired, with the scheduler beside them.

    *now* returns seconds since the epoch, *monotonic* seconds.
    """

    def __init__(
        self,
        storage: Storage,
        now: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.news = News(storage.wakeups)
        self.rankings = Rankings(storage.tournaments, plans := Plans(), monotonic)
        rows = Rows(storage.tournaments, storage.wakeups)
        people = People(storage.registry, storage.wakeups, now)
        self.scheduler = Scheduler(
            rows,
            storage.fleet,
            storage.queue,
            Ledgers(storage.tournaments, plans),
            self.news,
            now=now,
            monotonic=monotonic,
        )
        # Readers have ledgers of their own: the scheduler forgets those of tournaments that are over.
        views = Views(storage.tournaments, storage.fleet, Ledgers(storage.tournaments, plans), self.rankings)
        self.use_cases = UseCases(
            people=people,
            tournaments=TournamentService(rows, now),
            entries=Entries(rows, storage.registry, people, now),
            views=views,
            news=self.news,
            version=version("hearts-arena"),
        )


async def run_control(config: Config, stop: Stop, ready: Callable[[Listening], None]) -> None:
    """Run until *stop* asks for an end; call *ready* once the API answers.

    Raises `StorageUnavailable`, `StorageUnfit` or `AddressInUse` if it cannot start.
    """
    registry = new_registry()
    async with AsyncExitStack() as stack:
        storage = await open_storage(config.redis_url, StorageMetrics(registry), require_aof=config.require_aof)
        stack.push_async_callback(storage.aclose)
        control, edge = Control(storage), EdgeTally()
        standing = StandingWatch(control.rankings, control.scheduler.state, config.standing_series)
        ControlMetrics(control.scheduler.state, edge, standing.scores, registry)
        server = await bound(lambda: serve(control.use_cases, edge, config.host, config.port))
        stack.push_async_callback(server.stop, END_SECONDS)
        watch = MetricsServer(registry, lambda: _not_ready(control.scheduler))
        port = await bound_port(watch.start, config.host, config.metrics_port)
        stack.push_async_callback(watch.stop)
        ready(Listening(reachable(config.host, server.port), reachable(config.host, port)))
        structlog.get_logger("role").info("control_ready", port=server.port)
        loops = (control.news.run(), control.scheduler.run(), standing.run(), LoopLag(registry).run())
        await cancelled(await run_until(stop, loops))


def _not_ready(scheduler: Scheduler) -> str:
    return "" if time.monotonic() - scheduler.state.looked < STALE_SECONDS else "storage is away"
