"""Several referees on one Valkey: bots are invited to where they are needed, and any of them may go."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.referee_service_pb2 import Clock

from tests.e2e.cluster import RANDOM, Cluster, cluster

pytestmark = pytest.mark.full

SPEC = {"boards": pb.BOARDS_SINGLE, "deals": 8, "passes": 3, "window": 1000}
BOTS = 6
NODE = Path(__file__).parents[2] / "sample_bots" / "node"
IN_NODE = ("-c", f"import os; os.execvp('node', ['node', {str(NODE / 'random.js')!r}])")


def begin(arena: Cluster, *, homes: int, first: Sequence[str] = RANDOM) -> None:
    """Start all bots, at home at the first *homes* referees in turn, and a tournament. *first* is the first bot."""
    with arena.api() as api:
        ids = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
    for number in range(len(ids)):
        arena.start_bot(f"bot{number}", RANDOM if number else first, home=number % homes)
    arena.start_tournament(ids, **SPEC)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Give records and standings as one referee alone produces them."""
    with cluster(tmp_path_factory.mktemp("one"), referees=1, bots=BOTS) as arena:
        begin(arena, homes=1)
        arena.wait_over()
        return arena.results()


def test_bots_are_invited_to_where_they_are_needed(scratch: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """Bots at home at different referees meet, every referee hosts matches, and the results are the same."""
    with cluster(scratch, referees=3, bots=BOTS, settings={"ARENA_CAPACITY": "2"}) as arena:
        begin(arena, homes=3)
        arena.wait_over()
        assert arena.results() == undisturbed
        for name in arena.referees:
            samples = arena.metrics(name)
            assert samples['referee_matches_total{termination="deals"}'] > 0
            assert sum(value for key, value in samples.items() if key.startswith("referee_faults_total")) == 0
            assert samples["referee_sessions"] >= 4


def test_one_is_killed_and_one_goes_away(scratch: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """What a dead referee hosted goes on elsewhere; one that is stopped hands its bots and its matches over."""
    with cluster(scratch, referees=3, bots=BOTS) as arena:
        begin(arena, homes=1)
        arena.wait_done(5)
        arena.kill("referee-0")  # the home of all
        arena.wait_done(15)
        assert arena.stop("referee-1") == 0
        arena.wait_over()
        assert arena.results() == undisturbed
        assert any("bot_invited" in arena.log(name) for name in arena.referees)


def test_a_referee_that_comes_back(scratch: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """Killed, frozen and started again referees play their part."""
    with cluster(scratch, referees=2, bots=BOTS) as arena:
        begin(arena, homes=2)
        arena.wait_done(3)
        arena.kill("referee-0")
        arena.start("referee-0")
        arena.wait_done(10)
        arena.send("referee-1", signal.SIGSTOP)
        arena.wait_done(16)
        arena.send("referee-1", signal.SIGCONT)
        arena.wait_over()
        assert arena.results() == undisturbed


@pytest.mark.skipif(not (NODE / "node_modules").exists(), reason="needs Node, and npm ci in sample_bots/node")
def test_a_bot_without_a_kit_among_the_others(scratch: Path) -> None:
    """The bot in JavaScript goes where it is invited, and comes back when its home goes away, at no cost in results."""
    found, said = [], ""
    for referees in (1, 3):
        (scratch / str(referees)).mkdir()
        with cluster(scratch / str(referees), referees=referees, bots=BOTS) as arena:
            begin(arena, homes=referees, first=IN_NODE)
            if referees > 1:
                arena.wait_done(6)
                arena.kill("referee-0")  # its home
                arena.wait_done(14)
                assert arena.stop("referee-1") == 0
            arena.wait_over()
            assert arena.faults() == []
            found.append(arena.results())
            said = arena.log("bot0")
    assert found[0] == found[1]
    assert said.count("playing as bot0") > 2


def test_a_frozen_referee_costs_no_bot_a_fault(scratch: Path) -> None:
    """Stopped for longer than a decision may take, again and again, a referee takes the time upon itself."""
    with cluster(scratch, referees=1, bots=4) as arena:
        with arena.api() as api:
            ids = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
        for number in range(4):
            arena.start_bot(f"bot{number}")
        clock = Clock(decision_millis=800, network_millis=50, watchdog_millis=5000)
        arena.start_tournament(ids, boards=pb.BOARDS_SINGLE, deals=16, passes=60, window=1000, clock=clock)
        for done in (2, 10, 20):
            arena.wait_done(done)
            arena.send("referee-0", signal.SIGSTOP)
            time.sleep(1.5)  # the length of the stop is what is tested; nothing is waited for
            arena.send("referee-0", signal.SIGCONT)
        arena.wait_over()
        assert arena.faults() == []


def test_a_redis_that_lost_its_latest_writes(scratch: Path, undisturbed: tuple[bytes, bytes]) -> None:
    """A Redis that comes back as it was some seconds ago, as after a failover: what it forgot is played again."""
    with cluster(scratch, referees=2, bots=BOTS) as arena:
        begin(arena, homes=2)
        arena.wait_done(8)
        shutil.copytree(
            scratch / "data", scratch / "earlier", ignore=shutil.ignore_patterns("*.sock", "*.pid", "*lock*")
        )
        arena.wait_done(25)
        arena.kill_valkey()
        shutil.copytree(scratch / "earlier", scratch / "data", dirs_exist_ok=True)
        arena.valkey.start()
        arena.wait_over()
        assert arena.results() == undisturbed
        assert arena.faults() == []
