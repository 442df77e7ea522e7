"""What `arena tournament show` prints of entrants."""

from __future__ import annotations

import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.tournaments.showing import show_tournament


def test_entrants_and_why_they_do_not_play(capsys: pytest.CaptureFixture[str]) -> None:
    """Each is absent, present or withdrawn, with the reason where the arena knows one."""
    why = "it says that it can play with 1 pack, and the rules have 2"
    entrants = [
        pb.Entrant(number=0, bot="b_0", name="here", present=True),
        pb.Entrant(number=1, bot="b_1", name="away"),
        pb.Entrant(number=2, bot="b_2", name="unable", present=True, reason=why),
        pb.Entrant(number=3, bot="b_3", name="gone", withdrawn=True, reason=why),
        pb.Entrant(number=4, bot="b_4", name="left", withdrawn=True),
    ]
    show_tournament(pb.Tournament(tournament="t_1", entrants=entrants))
    lines = [line.split(maxsplit=3)[3].strip() for line in capsys.readouterr().out.splitlines()[-5:]]
    assert lines == ["present", "absent", f"present: {why}", f"withdrawn: {why}", "withdrawn"]
