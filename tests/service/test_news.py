"""Wakeups wake, but whoever causes many of them makes nobody work without a rest."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest
from prometheus_client import CollectorRegistry

from arena.app.lifecycle import cancelled
from arena.service import topics
from arena.service.admission import Admissions
from arena.service.fitness import Fitness
from arena.service.guests import Guests
from arena.service.news import REST, SHORTEST, News, rest_after
from arena.storage.connect import Storage, open_storage
from arena.storage.instrumented import StorageMetrics
from arena.storage.ports import Referee, Role
from referee.host.session import Greeting
from tests.service.builders import ADMIN, REFEREE, world_on
from tests.service.side import Side

WAKEUPS = 300


@pytest.mark.parametrize(("spent", "rest"), [(0.0, SHORTEST), (0.1, REST * 0.1), (60.0, 1.0)])
def test_rests(spent: float, rest: float) -> None:
    """A rest is a multiple of the work before it, within limits."""
    assert rest_after(spent, 1.0) == pytest.approx(rest)


def telling(side: Side, storage: Storage, news: News) -> Awaitable[None]:
    """Tell bots of tournaments that they cannot play."""
    return Fitness(side.hall, side.attendance, storage.tournaments).tell_for_ever(news)


def rechecking(side: Side, storage: Storage, news: News) -> Awaitable[None]:
    """End what was let in by tokens that are good no more."""
    return side.hosting.end_revoked(news, Admissions(storage.registry, storage.visits, REFEREE.id))


def answering(side: Side, storage: Storage, news: News) -> Awaitable[None]:
    """Send bots where they are called."""
    other = Referee(REFEREE.id, REFEREE.address, 1)
    return Guests(side.hall, storage.visits, storage.fleet, storage.wakeups, other).answer_for_ever(news)


@pytest.mark.parametrize(
    ("loop", "operation", "topic"),
    [
        (telling, "tournaments.tournaments_in", topics.TOURNAMENTS),
        (answering, "visits.calls", topics.TOURNAMENTS),
        (rechecking, "registry.token", topics.TOKENS),
    ],
)
async def test_many_wakeups_are_little_work(
    redis_url: str, loop: Callable[[Side, Storage, News], Awaitable[None]], operation: str, topic: str
) -> None:
    """Hundreds of wakeups in a row make a referee look a few times only."""
    registry = CollectorRegistry()
    storage = await open_storage(redis_url, StorageMetrics(registry))
    world = world_on(storage)
    side, news = Side(world), News(storage.wakeups)
    (bot,) = await world.bots(1)
    _, secret = await world.control.use_cases.people.create_token(ADMIN, Role.BOT, bot.id)
    await side.hall.admit(Greeting(secret))

    def looks() -> float:
        return registry.get_sample_value("arena_storage_seconds_count", {"operation": operation}) or 0.0

    begun = time.monotonic()
    task = asyncio.ensure_future(loop(side, storage, news))
    try:
        for _ in range(WAKEUPS):
            news.tell(topic)
            await storage.client.ping()
        most = (time.monotonic() - begun) / SHORTEST + 2
        assert looks() <= most
    finally:
        await cancelled([task, *side.tasks])
        await storage.aclose()
