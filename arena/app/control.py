"""The API and the scheduler: together the control role, apart the roles web and scheduler."""

from __future__ import annotations

import time
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

import structlog

from arena.app.admin_token import ensure_admin_token
from arena.app.exposure import announced, certificates_of, https, warn_of_exposure
from arena.app.http import MetricsServer
from arena.app.lifecycle import Listening, Stop, bound, bound_port, cancelled, reachable, run_until
from arena.app.metrics import ApiMetrics, LoopLag, SchedulerMetrics, new_registry
from arena.app.pulse import STALE_SECONDS, Pulse
from arena.app.standing import StandingWatch
from arena.config import Config
from arena.service.entries import Entries
from arena.service.faults import Faults
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
from arena.storage.rights import check_rights
from arena.transport.interceptor import EdgeTally
from arena.transport.server import CALLS, serve
from arena.transport.servicer import UseCases
from referee.transport.doors import StreamLimits

END_SECONDS = 0.5


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
        ledgers = Ledgers(storage.tournaments, plans, bounded=True)
        views = Views(storage.tournaments, storage.fleet, ledgers, self.rankings)
        tournaments = TournamentService(rows, now)
        self.use_cases = UseCases(
            people=people,
            tournaments=tournaments,
            entries=Entries(rows, storage.registry, storage.fleet, people, now),
            views=views,
            faults=Faults(tournaments, storage.tournaments, ledgers, people),
            news=self.news,
            version=version("hearts-arena"),
        )


async def run_control(config: Config, stop: Stop, ready: Callable[[Listening], None]) -> None:
    """Run API and scheduler until *stop* asks for an end; call *ready* once the API answers.

    Raises `StorageUnavailable`, `StorageUnfit`, `CannotListen` or `ConfigError` if it cannot start.
    """
    await _run(config, stop, ready, api=True, scheduling=True)


async def run_web(config: Config, stop: Stop, ready: Callable[[Listening], None]) -> None:
    """Run the API alone, as `run_control` does. Several share the callers."""
    await _run(config, stop, ready, api=True, scheduling=False)


async def run_scheduler(config: Config, stop: Stop, ready: Callable[[Listening], None]) -> None:
    """Run the scheduler alone, as `run_control` does; it listens for nothing but metrics. Several do no harm."""
    await _run(config, stop, ready, api=False, scheduling=True)


async def _run(config: Config, stop: Stop, ready: Callable[[Listening], None], *, api: bool, scheduling: bool) -> None:
    registry, certificates = new_registry(), certificates_of(config)
    async with AsyncExitStack() as stack:
        storage = await open_storage(config.redis_url, StorageMetrics(registry), require_aof=config.require_aof)
        stack.push_async_callback(storage.aclose)
        if api:
            await check_rights(storage.client, "api")
        if scheduling:
            await check_rights(storage.client, "scheduler")
        if config.admin_token_file:
            await ensure_admin_token(storage.registry, Path(config.admin_token_file))
        control = Control(storage)
        loops: list[Callable[[], Coroutine[Any, Any, None]]] = [control.news.run, LoopLag(registry).run]
        address = ""
        if api:
            edge = EdgeTally()
            ApiMetrics(edge, registry)
            calls = StreamLimits(config.calls, config.calls_per_address, min(CALLS.waiting, config.calls_per_address))
            server = await bound(lambda: serve(control.use_cases, edge, config.host, config.port, certificates, calls))
            stack.push_async_callback(server.stop, END_SECONDS)
            address = announced(reachable(config.host, server.port), certificates)
        if scheduling:
            standing = StandingWatch(control.rankings, control.scheduler.state, config.standing_series)
            SchedulerMetrics(control.scheduler.state, standing.scores, registry)
            loops += [control.scheduler.run, standing.run]
        pulse = None if scheduling else Pulse(storage.fleet.referees)  # the scheduler asks storage anyway
        if pulse is not None:
            loops.append(pulse.run)
        watch = MetricsServer(registry, lambda: _not_ready(control.scheduler, pulse), https(certificates))
        wanted = config.metrics_port if api else config.scheduler_metrics_port
        port = await bound_port(watch.start, config.host, wanted)
        stack.push_async_callback(watch.stop)
        warn_of_exposure(config)
        ready(Listening(address, reachable(config.host, port)))
        structlog.get_logger("role").info("control_ready", api=address, scheduling=scheduling)
        await cancelled(await run_until(stop, [loop() for loop in loops]))


def _not_ready(scheduler: Scheduler, pulse: Pulse | None) -> str:
    looks = time.monotonic() - scheduler.state.looked < STALE_SECONDS if pulse is None else pulse.heard
    return "" if looks else "storage is away"
