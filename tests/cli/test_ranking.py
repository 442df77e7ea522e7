"""Rankings and progress for people."""

from __future__ import annotations

import io

import pytest
from hearts.v1 import arena_service_pb2 as pb
from rich.console import Console

from arena.cli.demo import _gap
from arena.cli.output import counted, stdout
from arena.cli.ranking import Pace, leaders, legend, ranking, span, standings_json
from tests.cli.calling import assert_golden

STANDINGS = pb.Standings(
    rows=[
        pb.Standing(rank=1, entrant=2, name="counter-1", score=2.0, interval=0.5, deals=1600, faults=0),
        pb.Standing(rank=2, entrant=0, name="counter-2", score=1.75, interval=0.25, deals=1600, faults=3),
        pb.Standing(rank=3, entrant=1, name="[red]cautious-1[/red]", score=-1.0, interval=0.5, deals=1600),
        pb.Standing(rank=4, entrant=3, name="cautious-2", score=-2.75, interval=-1, deals=16),
        pb.Standing(rank=5, entrant=4, name="random", score=0, interval=-1, deals=0),
    ],
    blocks_used=3,
    blocks_total=10,
    canonical_json=b"{}",
)


def shown(renderable: object) -> str:
    """Return what a console without colour shows."""
    out = io.StringIO()
    Console(file=out, width=100).print(renderable)
    return out.getvalue()


def test_ranking_golden() -> None:
    """Names are text, not markup; who has not played has neither rank nor score; remarks have a column."""
    text = shown(ranking(STANDINGS)) + shown(ranking(STANDINGS, {"random": "given up"})) + legend(STANDINGS) + "\n"
    assert_golden("ranking.txt", text)


def test_a_ranking_without_intervals_says_why() -> None:
    """One block tells no interval; dashes without a reason would look like a mistake."""
    one = pb.Standings(rows=[pb.Standing(rank=1, name="a", interval=-1, deals=16)], blocks_used=1, blocks_total=1)
    assert legend(one).endswith("1 of 1 block, too few for an interval")
    assert legend(pb.Standings(blocks_total=10)).endswith("0 of 10 blocks")


@pytest.mark.parametrize(("number", "text"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches")])
def test_numbers_have_their_nouns(number: int, text: str) -> None:
    """One is one thing, everything else is several."""
    assert counted(number, "match") == text
    assert counted(number, "deal") == text.replace("matches", "deals").replace("match", "deal")


def test_leaders() -> None:
    """The best in one line, without those who have not played."""
    assert leaders(STANDINGS, 2) == "1. counter-1 +2.00 ±0.50; 2. counter-2 +1.75 ±0.25"
    assert leaders(pb.Standings(rows=[pb.Standing(rank=1, name="a", interval=-1)])) == ""


def test_standings_json() -> None:
    """Rows as on the wire; the canonical bytes are not in it."""
    value = standings_json(STANDINGS)
    assert set(value) == {"rows", "blocks_used", "blocks_total"}


@pytest.mark.parametrize(
    ("seconds", "text"), [(0, "0:00"), (7.4, "0:07"), (750, "12:30"), (11_045, "3:04:05"), (-1, "0:00")]
)
def test_span(seconds: float, text: str) -> None:
    """Times are minutes and seconds, with hours where there are any."""
    assert span(seconds) == text


def test_pace() -> None:
    """Rate and time left are those since the watching began, so that a resumed run does not count what it found."""
    clock = iter([100.0, 110.0, 120.0])
    pace = Pace(lambda: next(clock))
    assert pace.line(pb.Tournament(matches_done=50, matches_total=100, deals_done=800)) == "50/100 matches, 800 deals"
    line = pace.line(pb.Tournament(matches_done=60, matches_total=100, deals_done=960))
    assert line == "60/100 matches, 960 deals, 16 deals/s, 0:40 left"
    line = pace.line(pb.Tournament(matches_done=98, matches_total=100, matches_parked=2, deals_done=1568))
    assert line == "98/100 matches, 1568 deals, 38 deals/s, 0:01 left, 2 parked"


def test_gaps_are_taken_at_their_narrowest() -> None:
    """The weakest of the better kind against the best of the worse one; unknown intervals are never clear."""
    rows = [
        pb.Standing(name="counter-1", score=2.0, interval=0.5),
        pb.Standing(name="counter-2", score=1.75, interval=0.25),
        pb.Standing(name="cautious-1", score=1.0, interval=0.25),
        pb.Standing(name="cautious-2", score=0.5, interval=0.25),
        pb.Standing(name="random-1", score=0.75, interval=0.25),
        pb.Standing(name="random-node", score=-9, interval=-1),
    ]
    standings = pb.Standings(rows=rows)
    assert _gap(standings, "counter", "cautious") == ("counter-2", "cautious-1", 0.75, 0.5, True)
    assert _gap(standings, "cautious", "random") == ("cautious-2", "random-1", -0.25, 0.5, False)
    rows[2].interval = -1
    assert _gap(pb.Standings(rows=rows), "counter", "cautious")[3:] == (-1.0, False)


@pytest.mark.parametrize("name", ["NO_COLOR", None])
def test_colour_is_for_terminals(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    """Away from a terminal, or where it is not wanted, there are no escape codes."""
    for variable in ("FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(variable, raising=False)
    if name:
        monkeypatch.setenv(name, "1")
    stdout().print(ranking(STANDINGS))
    assert "\x1b" not in capsys.readouterr().out
