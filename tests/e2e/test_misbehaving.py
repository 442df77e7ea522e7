"""Whatever one bot does, the three others at its table play, keep their time and end as if it behaved."""

from __future__ import annotations

from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.referee_service_pb2 import Clock

from tests.e2e.cluster import TOURNAMENT, cluster
from tests.e2e.misbehaving import BAD, GOOD, MOON, SETTINGS, Bench, case, check_back, footprint

pytestmark = [pytest.mark.full, pytest.mark.timeout(600)]

CASES = (
    case("silent", "timeout"),
    case("silent --at opened", "timeout"),
    case("slow --delay 3s --after 9 --times 1", "timeout"),
    case("illegal", "illegal"),
    case("not-held --at return", "illegal"),
    case("wrong-decision --at play", "timeout"),
    case("foreign-seat"),
    case("twice"),
    case("early"),
    case("garbage --at play --after 3", "protocol"),
    case("huge --at pass", "protocol"),
    case("half --at play", "disconnect"),
    case("unread --at return --delay 1500ms", "timeout", "disconnect"),
    case("flood --at play --after 5", "flood", "disconnect"),
    case("disconnect --at hello --times 2"),
    case("disconnect --at welcome --times 2"),
    case("disconnect --at opened", "disconnect"),
    case("disconnect --at pass", "disconnect"),
    case("disconnect --at play --after 20", "disconnect"),
    case("disconnect --at deal-end", "", "disconnect"),
    case("storm --at play --times 1", "", "disconnect"),
    case("twin --times 3", "", "disconnect"),
    case("version --at play --after 9", "disconnect"),
    case("exit --at play --after 30", "disconnect"),
    case("fork --times 1 --delay 500ms"),
)
MOONS = (
    case("silent --at moon", "timeout"),
    case("illegal --at moon", "protocol"),
    case("exit --at moon", "disconnect"),
)
MEGABYTES = 20.0
"""What the referee may have grown by: a heap is never returned whole."""


def test_three_good_bots_and_one_bad(scratch: Path) -> None:
    """Each fault: the same cards, no time lost, the right name in the ledger; and the referee is back where it was."""
    with cluster(scratch, referees=1, bots=4, settings=SETTINGS) as arena:
        bench, moons = Bench(arena), Bench(arena, MOON)
        bench.check(case("disconnect --at play --times 2"))  # what is made once has been made
        before = footprint(bench.pid)
        for each in CASES:
            bench.check(each)
        for each in MOONS:
            moons.check(each)
        check_back(bench.pid, before, MEGABYTES)


def test_one_that_does_not_read(scratch: Path) -> None:
    """A bot that leaves unread what it is sent has its stream ended, which the ledger calls a stall."""
    settings = SETTINGS | {"ARENA_UNREAD_BYTES": "1024", "ARENA_STALL_SECONDS": "0.3"}
    clock = Clock(decision_millis=5000, network_millis=100, watchdog_millis=9000)
    with cluster(scratch, referees=1, bots=4, settings=settings) as arena:
        bench = Bench(arena, {"clock": clock, "passes": 8, "fault_limit": 1})
        bench.check(case("unread --at pass --delay 3s", "stall", "timeout"))


@pytest.mark.parametrize("options", ["silent", "silent --at play --after 3"])
def test_a_mute_bot_never_outranks_a_random_one(scratch: Path, options: str) -> None:
    """What is substituted for a bot is no bad play, but a bot that does not play comes last, in every tournament."""
    spec = {
        "boards": pb.BOARDS_SINGLE,
        "deals": 4,
        "passes": 4,
        "window": 1000,
        "fault_limit": 2,
        "suspend_after": 1000,
    }
    clock = Clock(decision_millis=500, network_millis=100, watchdog_millis=5000)
    kind, *rest = options.split()
    with cluster(scratch, referees=1, bots=4) as arena:
        with arena.api() as api:
            ids = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
        for name in GOOD:
            arena.start_bot(name)
        for seed in ("a", "b", "c"):
            arena.start_bot(BAD, ("-m", "arena.cli", "chaos-bot", "--fault", kind, *rest))
            arena.start_tournament(ids, **spec, clock=clock, reconnect_grace_millis=500, seed=seed)
            arena.wait_over()
            arena.kill(BAD)
            with arena.api() as api:
                request = pb.GetStandingsRequest(tournament=TOURNAMENT)
                rows = api.ask(api.stub.GetStandings, request).standings.rows
            (mute,) = (row for row in rows if row.name == BAD)
            assert (mute.rank, mute.deals) == (4, 16)
            assert all(row.score > mute.score for row in rows if row.name != BAD)
