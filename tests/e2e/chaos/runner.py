"""The runs: one that nothing happens to, then disturbed ones, each compared with it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.referee_service_pb2 import Clock

from tests.e2e.chaos.disturbance import Disturbance, disturb, script
from tests.e2e.cluster import Cluster, cluster

REFEREES = 2
COMMANDS = (
    ("-m", "hearts_bot.bots.random"),
    ("-m", "hearts_bot.bots.cautious"),
    ("-m", "hearts_bot.bots.random"),
    ("-m", "hearts_bot.bots.first_legal"),
    ("-m", "hearts_bot.bots.random"),
)
EVENTS = 3
WITHIN = 3.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a tournament: all that must not depend on how it went."""

    records: bytes
    standings: bytes
    faults: tuple[bytes, ...]
    parked: int


@dataclass(slots=True)
class Run:
    """One disturbed run. `different` names what was not as in the undisturbed one."""

    seed: int
    script: list[Disturbance]
    seconds: float = 0.0
    different: list[str] = field(default_factory=list)


class Chaos:
    """A cluster on which the same tournament is played again and again."""

    def __init__(self, arena: Cluster, bots: list[str]) -> None:
        self.arena = arena
        self._bots = bots
        self.undisturbed = self._played([])
        assert self.undisturbed.faults == (), "a bot was at fault though nothing happened"

    def run(self, seed: int) -> Run:
        """Play with the disturbances of *seed*."""
        drawn = script(Random(seed), len(self.arena.referees), len(self._bots), EVENTS, WITHIN)
        return self.play(drawn, seed)

    def play(self, drawn: Sequence[Disturbance] = (), seed: int = 0) -> Run:
        """Play with the disturbances that were *drawn*."""
        begun = time.monotonic()
        outcome = self._played(drawn)
        run = Run(seed, list(drawn), time.monotonic() - begun)
        for name in ("records", "standings", "faults", "parked"):
            if getattr(outcome, name) != getattr(self.undisturbed, name):
                run.different.append(name)
        return run

    def _played(self, drawn: Sequence[Disturbance]) -> Outcome:
        self.arena.start_tournament(
            self._bots, boards=pb.BOARDS_SINGLE, deals=12, passes=6, window=1000, clock=Clock(decision_millis=20_000)
        )
        disturb(self.arena, drawn)
        ended = self.arena.wait_over(180)
        records, standings = self.arena.results()
        faults = tuple(sorted(fault.SerializeToString(deterministic=True) for fault in self.arena.faults()))
        return Outcome(records, standings, faults, ended.matches_parked)


@contextmanager
def chaos(folder: Path) -> Iterator[Chaos]:
    """Start a cluster with its bots and play the undisturbed tournament."""
    settings = {"ARENA_PARK_AFTER": "100"}
    with cluster(folder, referees=REFEREES, bots=len(COMMANDS), settings=settings, proxied=True) as arena:
        with arena.api() as api:
            bots = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
        for number, command in enumerate(COMMANDS):
            arena.start_bot(f"bot{number}", command, home=number % REFEREES)
        yield Chaos(arena, bots)


def summary(runs: list[Run]) -> str:
    """Return what was done how often, and what came of it."""
    counts = Counter(f"{each.kind:>10} {each.target.partition('-')[0]}" for run in runs for each in run.script)
    lines = [f"{count:5} x {what.strip()}" for what, count in sorted(counts.items())]
    bad = [run for run in runs if run.different]
    seconds = sorted(run.seconds for run in runs)
    lines.append(
        f"{len(runs)} runs, {sum(counts.values())} disturbances, {len(bad)} runs that differ; "
        f"seconds a run: {seconds[len(seconds) // 2]:.1f} in the middle, {seconds[-1]:.1f} at most"
    )
    lines += [
        f"seed {run.seed} differs in {', '.join(run.different)}: {'; '.join(map(str, run.script))}" for run in bad
    ]
    return "\n".join(lines)
