"""The referee role: hosts matches that it takes from the queue."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import AsyncExitStack
from functools import partial

import structlog

from arena.app.exposure import announced, certificates_of, https, warn_of_exposure
from arena.app.http import MetricsServer
from arena.app.lifecycle import Listening, Stop, bound, bound_port, cancelled, reachable, run_until
from arena.app.metrics import LoopLag, WriterMetrics, new_registry
from arena.config import Config
from arena.service import topics
from arena.service.admission import Admissions
from arena.service.attendance import Attendance
from arena.service.fitness import Fitness
from arena.service.guests import Guests
from arena.service.hosting import Hosting, HostingConfig
from arena.service.news import News
from arena.service.people import new_id
from arena.service.sweeping import sweep
from arena.service.writer import Writer
from arena.storage.connect import Storage, open_storage
from arena.storage.instrumented import StorageMetrics
from arena.storage.ports import Referee, RefereeId
from arena.storage.rights import check_rights
from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from referee.transport.doors import StreamLimits
from referee.transport.server import serve

QUEUE_TASKS = 64
"""Matches that wait at once for a free table or for their bots; the rest waits on the queue, for any referee."""

SWEEP_SECONDS = 1.0
END_SECONDS = 1.0

GC_THRESHOLDS = (20_000, 50, 50)
"""A thousand tables are a million objects that live for minutes. With Python's own thresholds the collector goes
through them all the time, in vain: a fifth of the referee's time, and pauses that bots would notice."""


class _Parts:
    """What a referee consists of, wired, but for its address, which is known once it listens."""

    def __init__(self, config: Config, storage: Storage, metrics: HostMetrics) -> None:
        self.storage = storage
        self.ident = RefereeId(new_id("r"))
        self.attendance = Attendance()
        self.admissions = Admissions(storage.registry, storage.visits, self.ident)
        self.news = News(storage.wakeups, (topics.TOKENS, topics.CALLS, topics.TOURNAMENTS))
        self.writer = Writer(storage.tournaments, storage.wakeups, self.attendance, park_after=config.park_after)
        limits = HallConfig(
            capacity=config.capacity,
            max_tables=config.tables_per_session,
            max_open=config.open_decisions,
            checkpoint=config.checkpoint_seconds,
            heartbeat=config.heartbeat_seconds,
            sessions_per_bot=config.sessions_per_bot,
            arrival_rate=config.arrivals_per_second,
            arrival_burst=config.arrivals_at_once,
            waste_rate=config.spare_messages_per_second,
            waste_burst=config.spare_messages_at_once,
            unread_bytes=config.unread_bytes,
            stall=config.stall_seconds,
        )
        self.streams = StreamLimits(
            config.streams, config.streams_per_address, config.streams_waiting, config.message_bytes
        )
        self.hall = Hall(self.admissions, self.writer, limits, metrics)
        self.fitness = Fitness(self.hall, self.attendance, storage.tournaments)

    def hosting(self, address: str, config: Config) -> tuple[Hosting, Guests]:
        """Return what takes matches, known under *address*, and what sends and receives guests."""
        storage, referee = self.storage, Referee(self.ident, address, config.capacity)
        guests = Guests(self.hall, storage.visits, storage.fleet, storage.wakeups, referee)
        hosting = Hosting(
            self.hall,
            storage.tournaments,
            storage.fleet,
            storage.wakeups,
            self.writer,
            self.attendance,
            guests,
            HostingConfig(referee, config.lease_seconds),
        )
        return hosting, guests


async def run_referee(config: Config, stop: Stop, ready: Callable[[Listening], None]) -> None:
    """Run until *stop* asks for an end; call *ready* once bots can connect.

    Raises `StorageUnavailable`, `StorageUnfit`, `CannotListen` or `ConfigError` if it cannot start.
    """
    registry, certificates = new_registry(), certificates_of(config)
    async with AsyncExitStack() as stack:
        storage = await open_storage(config.redis_url, StorageMetrics(registry), require_aof=config.require_aof)
        stack.push_async_callback(storage.aclose)
        await check_rights(storage.client, "referee")
        parts = _Parts(config, storage, HostMetrics(registry))
        WriterMetrics(parts.writer, registry)
        server = await bound(lambda: serve(parts.hall, config.host, config.referee_port, certificates, parts.streams))
        stack.push_async_callback(server.stop, END_SECONDS)
        here = announced(reachable(config.host, server.port), certificates)
        address = announced(config.advertise, certificates) if config.advertise else here
        warn_of_exposure(config, address)
        hosting, guests = parts.hosting(address, config)
        watch = MetricsServer(registry, lambda: _not_ready(hosting, parts.hall), https(certificates))
        port = await bound_port(watch.start, config.host, config.referee_metrics_port)
        stack.push_async_callback(watch.stop)
        swept = partial(sweep, storage.fleet, lease=config.lease_seconds, park_after=config.park_after)
        work = storage.queue.work(
            hosting.host_match, concurrency=min(QUEUE_TASKS, config.capacity), sweep=swept, sweep_every=SWEEP_SECONDS
        )
        loops = (
            parts.hall.run(),
            parts.writer.run(),
            parts.news.run(),
            hosting.beat_for_ever(),
            hosting.end_revoked(parts.news, parts.admissions),
            guests.answer_for_ever(parts.news),
            parts.fitness.tell_for_ever(parts.news),
            LoopLag(registry).run(),
            work,
        )
        gc.collect()
        gc.freeze()  # what is there now stays for good
        gc.set_threshold(*GC_THRESHOLDS)
        ready(Listening(here, reachable(config.host, port)))
        structlog.get_logger("role").info("referee_ready", address=address, referee=parts.ident)
        tasks = await run_until(stop, loops)
        await cancelled(tasks[-1:])  # take nothing more; the others go on while the tables end
        await stop.within_grace(_drain(hosting, stop.grace))
        await cancelled(tasks)


async def _drain(hosting: Hosting, grace: float) -> None:
    await hosting.drain(grace)
    await hosting.leave()


def _not_ready(hosting: Hosting, hall: Hall) -> str:
    if hall.draining:
        return "draining"
    return "" if hosting.heard else "storage is away"
