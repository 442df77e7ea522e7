"""A referee's side of the use cases, wired as in a process, on real storage."""

from __future__ import annotations

import asyncio

from prometheus_client import CollectorRegistry

from arena.service.admission import Admissions
from arena.service.attendance import Attendance
from arena.service.guests import Guests
from arena.service.hosting import Hosting, HostingConfig
from arena.service.writer import Writer
from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from tests.service.builders import REFEREE, World


class Side:
    """A referee's side, wired, with its loops running. `clock` is its monotonic time."""

    def __init__(self, world: World, capacity: int = 10) -> None:
        storage = world.storage
        self.clock = 1_000.0
        self.attendance = Attendance(lambda: self.clock)
        self.writer = Writer(storage.tournaments, storage.wakeups, self.attendance, park_after=3)
        self.hall = Hall(
            Admissions(storage.registry, storage.visits, REFEREE.id),
            self.writer,
            HallConfig(capacity=capacity),
            HostMetrics(CollectorRegistry()),
        )
        self.hosting = self.hosting_of(self.hall, world)
        self.tasks = [asyncio.create_task(loop) for loop in (self.hall.run(), self.writer.run())]

    def hosting_of(self, hall: Hall, world: World) -> Hosting:
        """Return what takes matches for *hall*."""
        storage = world.storage
        return Hosting(
            hall,
            storage.tournaments,
            storage.fleet,
            storage.wakeups,
            self.writer,
            self.attendance,
            Guests(hall, storage.visits, storage.fleet, storage.wakeups, REFEREE, lambda: self.clock),
            HostingConfig(REFEREE, lease=60),
            monotonic=lambda: self.clock,
        )
