"""The sweep as the log tells it."""

from __future__ import annotations

from structlog.testing import capture_logs

from arena.service.sweeping import sweep
from arena.storage.connect import Storage
from tests.storage.builders import BEN, PARK_AFTER, match, referee, running_cup
from tests.support.waiting import until


async def test_a_lost_referee_is_a_line_of_the_log(storage: Storage) -> None:
    """Who reads the log learns which referee died, where it was, and what became of its matches; once."""
    await running_cup(storage)
    await storage.fleet.beat(referee(BEN), lease=0.01)
    assert await storage.tournaments.take(match(), BEN) is not None
    with capture_logs() as lines:

        async def told() -> bool:
            await sweep(storage.fleet, lease=0.3, park_after=PARK_AFTER)
            return bool(lines)

        await until(told)
        await sweep(storage.fleet, lease=0.3, park_after=PARK_AFTER)
    assert lines == [
        {
            "event": "referee_lost",
            "log_level": "warning",
            "referee": BEN,
            "address": referee(BEN).address,
            "put_back": 1,
            "parked": 0,
        }
    ]
