"""Wire messages as JSON."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.plain import number, plain, word, words


def test_a_tournament_as_json() -> None:
    """Enums are short words, times are texts, integers numbers, unset messages null, and nothing is left out."""
    spec = pb.TournamentSpec(name="cup", options={"target": "50"}, boards=pb.BOARDS_BALANCED)
    tournament = pb.Tournament(
        tournament="t_1",
        spec=spec,
        state=pb.TOURNAMENT_STATE_RUNNING,
        deals_done=2**40,
        create_time=Timestamp(seconds=1_800_000_000),
        entrants=[pb.Entrant(number=0, name="a")],
    )
    shown = plain(tournament)
    assert shown["state"] == "running"
    assert shown["deals_done"] == 2**40
    assert shown["create_time"] == "2027-01-15T08:00:00Z"
    assert shown["start_time"] is None
    assert shown["rules"] is None
    assert shown["entrants"] == [
        {"number": 0, "bot": "", "name": "a", "withdrawn": False, "present": False, "reason": ""}
    ]
    assert isinstance(shown["spec"], dict)
    assert shown["spec"]["options"] == {"target": "50"}
    assert shown["spec"]["boards"] == "balanced"
    assert set(shown) == {field.name for field in pb.Tournament.DESCRIPTOR.fields}


def test_numbers_and_repeated_numbers() -> None:
    """Numbers in lists stay numbers."""
    assert plain(pb.Match(seating=[2, 0], totals=[-5, 10]))["totals"] == [-5, 10]
    assert plain(pb.Standing(score=-0.5))["score"] == -0.5


def test_what_is_not_known_and_what_is_deprecated() -> None:
    """A number that may be missing is null and not 0 then; a field that is kept for old programs only is left out."""
    shown = plain(pb.Standing(clean_score=0.0))
    assert shown["score_clean"] is None
    assert "clean_score" not in shown
    assert plain(pb.Standing(score_clean=0.0))["score_clean"] == 0.0


def test_enum_words_there_and_back() -> None:
    """A short word names a value; a value of a newer server is its number."""
    role = pb.Role.DESCRIPTOR
    assert words(role) == ["admin", "organiser", "owner", "bot", "reader"]
    assert [number(role, text) for text in words(role)] == [1, 2, 3, 4, 5]
    assert number(role, "king") is None
    assert word(role, 99) == "99"
