"""A whole arena whose roles log in at Redis as users of their own."""

from __future__ import annotations

from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb

from tests.e2e.cluster import cluster

pytestmark = pytest.mark.full


def test_every_role_does_its_work_with_its_own_rights(scratch: Path) -> None:
    """A tournament over two referees is played to its end and deleted, and no role was refused anything."""
    with cluster(scratch, referees=2, bots=5, settings={"ARENA_CAPACITY": "2"}, logins=True) as arena:
        with arena.api() as api:
            ids = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
        for number in range(5):
            arena.start_bot(f"bot{number}", home=number % 2)
        arena.start_tournament(ids, boards=pb.BOARDS_SINGLE, deals=4, passes=2)
        arena.wait_done(2)
        arena.kill("referee-1")  # what it hosted is swept by the other
        arena.start("referee-1")
        assert arena.wait_over().state == pb.TOURNAMENT_STATE_FINISHED
        with arena.api() as api:
            api.ask(api.stub.DeleteTournament, pb.DeleteTournamentRequest(tournament="cup"))
        for name in ("web", "scheduler", *arena.referees):
            assert "permission" not in arena.log(name).lower()
            assert '"level": "error"' not in arena.log(name)
