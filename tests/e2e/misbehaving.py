"""One misbehaving bot at a table with three good ones, and what must be the same as without its fault.

What it plays when it behaves is what is substituted for it, and the good bots play by hand and trick alone. So whatever
it does, every card of every record is that of the undisturbed run; only whose decision it was differs, at its own seat.

`python -m tests.e2e.misbehaving` runs every fault at every state of the protocol.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.referee_service_pb2 import Clock

from arena.cli.chaosbot.plan import ANSWERS, DECISIONS, STATES, STREAMS
from referee.table.adjudicate import Decision
from referee.table.check import check
from referee.table.machine import DecisionKind
from tests.e2e.cluster import Cluster, cluster
from tests.e2e.local_run import until
from tests.e2e.steady import LOST

GOOD = ("bot0", "bot1", "bot2")
BAD = "bot3"
STEADY = ("-m", "tests.e2e.steady")
SETTINGS = {"ARENA_ARRIVALS_AT_ONCE": "5000"}
SPEC: dict[str, object] = {
    "preset": "hoemke-3223",  # cards are passed and given back
    "boards": pb.BOARDS_SINGLE,
    "deals": 2,
    "passes": 3,
    "window": 1000,
    "clock": Clock(decision_millis=500, bank_millis=500, network_millis=100, watchdog_millis=5000),
    "ready_millis": 2000,
    "reconnect_grace_millis": 1000,
    "fault_limit": 3,
    "suspend_after": 1000,
}
MOON: Mapping[str, object] = {
    "preset": "hoemke-3222",
    "options": {"moon_effect": "shooter_choice"},
    "deals": 4,
    "passes": 12,
    "seed": "9",
}
"""Matches in one of which the bad bot shoots the moon, which is rare: it does not try."""

NONE: frozenset[str] = frozenset()
OWN = (None, "bot", "forced")


@dataclass(frozen=True, slots=True)
class Case:
    """Options of the bad bot, the kinds of fault that the ledger must name, and those that it may name too."""

    options: str
    must: frozenset[str] = NONE
    may: frozenset[str] = NONE


def case(options: str, must: str = "", may: str = "") -> Case:
    """Return a case; kinds are words."""
    return Case(options, frozenset(must.split()), frozenset(may.split()))


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a process has taken: open files, threads, resident bytes."""

    files: int
    threads: int
    resident: int


def footprint(pid: int) -> Footprint:
    """Return what the process *pid* has taken."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.count(":") == 1
    )
    return Footprint(
        files=sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir()),
        threads=int(status["Threads"]),
        resident=int(status["VmRSS"].split()[0]) * 1024,
    )


class Bench:
    """Three good bots that stay, and one bad bot after the other."""

    def __init__(self, arena: Cluster, rules: Mapping[str, object] | None = None) -> None:
        self._arena = arena
        self._spec = SPEC | dict(rules or {})
        with arena.api() as api:
            bots = api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots
        self._ids = [bot.bot for bot in sorted(bots, key=lambda bot: bot.name)]
        for name in GOOD:
            if name not in arena.processes:
                arena.start_bot(name, STEADY)
        self.undisturbed = self.cards("none")

    @property
    def pid(self) -> int:
        """Return the referee's process."""
        return self._arena.processes["referee-0"].pid

    def cards(self, options: str) -> list[object]:
        """Return the records of a tournament with a bad bot, without what may differ: whose decisions were whose."""
        kind, *rest = options.split()
        self._arena.start_bot(BAD, ("-m", "arena.cli", "chaos-bot", "--fault", kind, *rest))
        self._arena.start_tournament(self._ids, **self._spec)
        self._arena.wait_over(60.0)
        self._arena.kill(BAD)
        return [judged(json.loads(line)) for line in self._arena.results()[0].splitlines()]

    def check(self, each: Case) -> set[str]:
        """Run *each* and compare it with the undisturbed run; return the kinds of fault in the ledger."""
        records = self.cards(each.options)
        faults = self._arena.faults()
        assert {fault.entrant for fault in faults} <= {self.bad}, each
        kinds = {fault.kind for fault in faults}
        assert each.must <= kinds <= each.must | each.may, (each, kinds)
        assert records == self.undisturbed, each
        for name in GOOD:
            assert LOST not in self._arena.log(name), (each, self._arena.log(name)[-500:])
        return kinds

    def recover(self) -> None:
        """Be ready for another case after one that failed."""
        if BAD in self._arena.processes:
            self._arena.kill(BAD)

    @property
    def bad(self) -> int:
        """Return the bad bot's number among the entrants."""
        with self._arena.api() as api:
            row = api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament="cup")).tournament
        return next(entrant.number for entrant in row.entrants if entrant.name == BAD)


def judged(record: dict[str, Any]) -> dict[str, Any]:
    """Return the cards of *record*, once it is right and every good bot has made all its decisions."""
    del record["versions"]  # of a bot that never was at this table there is none
    bad = record["seats"].index(BAD)
    made: list[Decision] = []
    assert not check(record, made.append)
    for deal in record["deals"]:
        sources = deal.pop("sources")
        for name in ("passes", "returns"):
            assert all(source in OWN for seat, source in enumerate(sources[name] or ()) if seat != bad)
        seats = [each.seat for each in made if each.deal == deal["number"] and each.kind is DecisionKind.PLAY]
        assert all(source in OWN for seat, source in zip(seats, sources["plays"], strict=True) if seat != bad)
    return record


def check_back(pid: int, before: Footprint, megabytes: float) -> None:
    """Wait until the process *pid* has its files and threads as *before*, and check that it has not grown by more."""
    slack = 4  # connections to Valkey: their pool grows with the busiest moment so far

    def back() -> bool:
        now = footprint(pid)
        return now.files <= before.files + slack and now.threads <= before.threads + slack

    until(back, 20.0)
    now = footprint(pid)
    assert now.resident - before.resident <= megabytes * 1e6, (before, now)


EXPECTED: Mapping[str, str] = {
    "silent": "timeout",
    "slow": "timeout",
    "illegal": "illegal protocol",
    "not-held": "illegal protocol",
    "wrong-decision": "timeout",
    "garbage": "protocol",
    "huge": "protocol",
    "half": "disconnect",
    "unread": "timeout",
    "flood": "flood",
    "disconnect": "disconnect",
    "version": "disconnect",
    "exit": "disconnect",
}
"""What the ledger may name for each fault; nothing for those that are not here."""


def matrix() -> Iterator[Case]:
    """Yield every fault at every state of the protocol."""
    for kind in (*ANSWERS, *STREAMS):
        states = (*DECISIONS, "opened") if kind == "silent" else DECISIONS if kind in ANSWERS else STATES
        for state in states:
            # A bot that never gets beyond its hello would never be there, so it does after a while.
            early = state in ("hello", "welcome")
            if early and kind in ("exit", "version"):
                continue
            options = f"{kind} --at {state} --delay 1500ms" + (" --times 3" if early else "")
            must = EXPECTED.get(kind, "") if state == "moon" and kind in ANSWERS else ""
            if must.startswith("illegal"):
                must = "protocol"
            yield case(options, must, EXPECTED.get(kind, "") + " disconnect timeout" * (kind in STREAMS))


def main() -> int:
    """Run the matrix, and print a line for each case that was not as it should be."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder), referees=1, bots=4, settings=SETTINGS) as made:
        plain, moons = Bench(made), Bench(made, MOON)
        for each in matrix():
            bench = moons if "--at moon" in each.options else plain
            try:
                print(f"{each.options:50}", " ".join(sorted(bench.check(each))) or "-", flush=True)  # noqa: T201
            except AssertionError as error:
                failed += 1
                print(f"{each.options:50} FAILED: {str(error)[:300]}", flush=True)  # noqa: T201
                bench.recover()
    return failed


if __name__ == "__main__":
    sys.exit(main())
