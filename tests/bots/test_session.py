"""Frames in and out without a network: batching, several tables, failing bots."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NoReturn

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot import Bot, Card, DealResult, MatchResult, MoonEffect, View, parse
from hearts_bot import session as session_module
from hearts_bot.bots.first_legal import FirstLegal
from hearts_bot.session import Session
from hearts_bot.table import BotFailed

from referee.rules.presets import resolve
from tests.bots.local import opened, wire

STANDARD = resolve("standard")


class Broken(Bot):
    """Fails at everything."""

    def play(self, view: View) -> NoReturn:
        """Fail."""
        raise RuntimeError("no play")

    def pass_cards(self, view: View) -> NoReturn:
        """Fail."""
        raise RuntimeError("no pass")

    def give_back(self, view: View) -> NoReturn:
        """Fail."""
        raise RuntimeError("no return")

    def moon(self, view: View) -> NoReturn:
        """Fail."""
        raise RuntimeError("no moon")

    def match_started(self, view: View) -> NoReturn:
        """Fail."""
        raise RuntimeError("no start")

    def deal_over(self, view: View, result: DealResult) -> NoReturn:
        """Fail."""
        raise RuntimeError("no deal")

    def match_over(self, view: View, result: MatchResult) -> NoReturn:
        """Fail."""
        raise RuntimeError("no match")


class Stray(Bot):
    """Plays QS, whatever is legal."""

    def play(self, view: View) -> Card:
        """Return QS."""
        del view
        return parse("QS")[0]


class Listener(Bot):
    """Plays the last legal card and keeps what it is told."""

    heard: list[object] = []  # noqa: RUF012 - shared by all tables on purpose

    def play(self, view: View) -> Card:
        """Return the last legal card."""
        return view.legal[-1]

    def moon(self, view: View) -> MoonEffect:
        """Take the points off."""
        return "self_minus"

    def match_started(self, view: View) -> None:
        """Keep the seat."""
        self.heard.append(("started", view.seat))

    def deal_over(self, view: View, result: DealResult) -> None:
        """Keep the result, and the last trick."""
        self.heard.append(("deal", result, view.tricks[-1].winner if view.tricks else None))

    def match_over(self, view: View, result: MatchResult) -> None:
        """Keep the result."""
        self.heard.append(("match", result))


def seats(*handles: int) -> pb.PlayResponse:
    """Return a frame that opens seats."""
    return pb.PlayResponse(opened=[opened(STANDARD, 0, seat=handle) for handle in handles])


def ask(seat: int, decision: int, kind: pb.DecisionKind.ValueType, legal: str = "", hand: str = "") -> pb.SeatUpdate:
    """Return an update with an open decision."""
    update = pb.SeatUpdate(seat=seat, decision=decision, kind=kind)
    update.legal.extend(wire(parse(legal)))  # type: ignore[arg-type]
    if hand:
        update.deal.number = 1
        update.deal.hand.extend(wire(parse(hand)))  # type: ignore[arg-type]
    return update


PLAY, PASS = pb.DECISION_KIND_PLAY, pb.DECISION_KIND_PASS
RETURN, MOON = pb.DECISION_KIND_RETURN, pb.DECISION_KIND_MOON


def names(cards: Sequence[int]) -> str:
    """Return the names of cards from the wire."""
    return " ".join(Card(card - 1).name for card in cards)


def test_one_frame_is_answered_by_one_frame() -> None:
    """All decisions of a frame, at whatever tables, are answered together, in order."""
    session = Session(FirstLegal)
    (request,) = session.handle(seats(5, 9))
    assert [ready.seat for ready in request.ready] == [5, 9]
    updates = [
        ask(9, 1, PLAY, "4C 9C"),
        ask(5, 1, PASS, hand="QS 2C 3C 4C"),
        pb.SeatUpdate(seat=5),
        ask(5, 2, PLAY, "AH"),
    ]
    (request,) = session.handle(pb.PlayResponse(updates=updates))
    assert [(a.seat, a.decision, names([a.card] if a.card else a.cards)) for a in request.actions] == [
        (9, 1, "4C"),
        (5, 1, "2C 3C 4C"),
        (5, 2, "AH"),
    ]
    assert session.decisions == 3


def test_nothing_is_answered_with_nothing() -> None:
    """A heartbeat, or news without a decision, gets no request."""
    session = Session(FirstLegal)
    list(session.handle(seats(5)))
    assert list(session.handle(pb.PlayResponse())) == []
    assert list(session.handle(pb.PlayResponse(updates=[pb.SeatUpdate(seat=5)]))) == []


def test_a_slow_bot_sends_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bot has thought for a while, the answers so far are not held back for the rest of the frame."""
    monkeypatch.setattr(session_module, "FLUSH_SECONDS", -1.0)
    session = Session(FirstLegal)
    list(session.handle(seats(5)))
    frames = list(session.handle(pb.PlayResponse(updates=[ask(5, 1, PLAY, "4C"), ask(5, 2, PLAY, "5C")])))
    assert [[action.decision for action in frame.actions] for frame in frames] == [[1], [2]]
    assert session.decisions == 2


def test_a_failing_bot_answers_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    """Each failure is reported with its traceback, and a safe answer goes out."""
    session = Session(Broken)
    with caplog.at_level(logging.ERROR):
        list(session.handle(seats(5)))
        updates = [
            ask(5, 1, PASS, hand="2C 3C 4C 5C"),
            ask(5, 2, RETURN, "4D 5D"),
            ask(5, 3, PLAY, "6D 7D"),
            ask(5, 4, MOON),
        ]
        updates[3].score.points.extend([0, 26, 26, 26])
        (request,) = session.handle(pb.PlayResponse(updates=updates))
        list(session.handle(pb.PlayResponse(closed=[pb.SeatClosed(seat=5)])))
    passed, returned, played, moon = request.actions
    assert names(passed.cards) == "2C 3C 4C"
    assert (names([returned.card]), names([played.card]), moon.moon) == ("4D", "6D", pb.MOON_EFFECT_OTHERS_PLUS)
    words = ("start", "pass", "return", "play", "moon", "deal", "match")
    assert len(caplog.records) == len(words)
    for word, record in zip(words, caplog.records, strict=True):
        assert record.exc_info is not None
        assert str(record.exc_info[1]) == f"no {word}"
    assert "Broken.play failed at seat 5, deal 1, decision 3: playing 6D, the first legal card" in caplog.text


@pytest.mark.parametrize("kind", [PASS, RETURN, PLAY, MOON])
def test_a_strict_session_stops_at_the_first_failure(kind: pb.DecisionKind.ValueType) -> None:
    """With strictness a failure is raised, with its cause."""
    session = Session(Broken, strict=True)
    with pytest.raises(BotFailed, match="match_started failed at seat 5") as caught:
        list(session.handle(seats(5)))
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(BotFailed, match="decision 1"):
        list(session.handle(pb.PlayResponse(updates=[ask(5, 1, kind, "4C", hand="4C 5C 6C")])))


class Cheat(Bot):
    """Plays and passes what it does not have."""

    def play(self, view: View) -> Card:
        """Return the ace of hearts."""
        return Card(51)

    def pass_cards(self, view: View) -> Sequence[Card]:
        """Return one card three times."""
        return [view.hand[0]] * 3


@pytest.mark.parametrize("kind", [PASS, PLAY])
def test_illegal_answers_are_caught_where_the_bot_is_debugged(kind: pb.DecisionKind.ValueType) -> None:
    """A strict session says which cards are allowed; otherwise the referee will say it."""
    question = pb.PlayResponse(updates=[ask(5, 1, kind, "4C 5C", hand="4C 5C 6C")])
    strict, lenient = Session(Cheat, strict=True), Session(Cheat)
    list(strict.handle(seats(5)))
    with pytest.raises(BotFailed) as caught:
        list(strict.handle(question))
    assert "4C 5C" in str(caught.value.__cause__)
    list(lenient.handle(seats(5)))
    (request,) = lenient.handle(question)
    assert len(request.actions) == 1


def test_no_card_at_all_is_a_failure_too(caplog: pytest.LogCaptureFixture) -> None:
    """A bot that returns None gets the first legal card."""

    class Forgetful(Bot):
        """Forgets to return."""

        def play(self, view: View) -> Card:
            """Return nothing."""
            return None  # type: ignore[return-value]

    session = Session(Forgetful)
    list(session.handle(seats(5)))
    (request,) = session.handle(pb.PlayResponse(updates=[ask(5, 1, PLAY, "4C 5C")]))
    assert names([request.actions[0].card]) == "4C"
    assert "TypeError" in caplog.text


def test_a_bot_is_told_how_deals_and_matches_end() -> None:
    """A new bot for each seat is told of the start, each deal's result while the view still shows it, and the end."""
    Listener.heard = []
    session = Session(Listener)
    list(session.handle(seats(5)))
    update = pb.SeatUpdate(seat=5)
    update.deal.number = 1
    update.deal.hand.extend(wire(parse("5C")))  # type: ignore[arg-type]
    update.play.leader = 1
    update.plays.extend(wire(parse("2C 3C 4C 5C")))  # type: ignore[arg-type]
    update.score.points.extend([26, 0, 26, 26])
    update.score.totals.extend([26, 0, 26, 26])
    update.score.moon, update.score.shooter = pb.MOON_EFFECT_OTHERS_PLUS, 1
    list(session.handle(pb.PlayResponse(updates=[update])))
    closed = pb.SeatClosed(
        seat=5, reason=pb.CLOSE_REASON_FINISHED, totals=[26, 0, 26, 26], places=[2, 1, 2, 2], faults=1
    )
    list(session.handle(pb.PlayResponse(closed=[closed])))
    totals = (26, 0, 26, 26)
    assert Listener.heard == [
        ("started", 5),
        ("deal", DealResult(totals, totals, 1), 0),
        ("match", MatchResult("finished", totals, (2, 1, 2, 2), 1)),
    ]
    assert session.tables == {}
    assert session.matches == 1


def test_the_moon_is_chosen() -> None:
    """The bot's word becomes the wire's value."""
    session = Session(Listener)
    list(session.handle(seats(5)))
    (request,) = session.handle(pb.PlayResponse(updates=[ask(5, 1, MOON)]))
    assert request.actions[0].moon == pb.MOON_EFFECT_SELF_MINUS


def test_seats_outlive_a_stream_and_lost_ones_are_forgotten() -> None:
    """A seat that is sent again keeps its bot; one that is not is dropped at the reconnect after."""
    session = Session(FirstLegal)
    list(session.handle(seats(5, 6)))
    bot = session.tables[5].bot
    again = pb.PlayResponse(welcome=pb.Welcome(), opened=[opened(STANDARD, 0, seat=5)])
    again.opened[0].snapshot = True
    (request,) = session.handle(again)
    assert [ready.seat for ready in request.ready] == [5]
    assert session.tables[5].bot is bot
    list(session.handle(again))
    assert set(session.tables) == {5}


def test_a_new_seat_is_never_taken_for_an_old_one() -> None:
    """A seat that is opened, not sent again, gets a bot of its own, whatever its handle."""
    session = Session(FirstLegal)
    list(session.handle(seats(5)))
    bot = session.tables[5].bot
    list(session.handle(seats(5)))
    assert session.tables[5].bot is not bot


def test_what_it_does_not_know_is_ignored(caplog: pytest.LogCaptureFixture) -> None:
    """Unknown seats and unknown kinds of decision get no answer and do no harm."""
    session = Session(FirstLegal)
    list(session.handle(seats(5)))
    strange = pb.SeatUpdate(seat=5, decision=1, kind=77)  # type: ignore[arg-type]
    assert list(session.handle(pb.PlayResponse(updates=[strange, ask(99, 1, PLAY, "2C")]))) == []
    assert "kind 77" in caplog.text
    assert "seat 99" in caplog.text


def test_a_refused_play_is_told_with_its_card(caplog: pytest.LogCaptureFixture) -> None:
    """The log has trick, card and what was allowed, as long as the decision is the one that is refused."""
    session = Session(Stray)
    list(session.handle(seats(5)))
    list(session.handle(pb.PlayResponse(updates=[ask(5, 3, PLAY, "4C 9C", hand="4C 9C QS")])))
    for decision in (3, 2):
        refusal = pb.Rejection(seat=5, decision=decision, reason="MUST_FOLLOW_SUIT", text="follow", rule=14)
        list(session.handle(pb.PlayResponse(rejections=[refusal])))
    assert "refused at seat 5, deal 1, trick 1, decision 3: QS: MUST_FOLLOW_SUIT (R14): follow; allowed: 4C 9C; a" in (
        caplog.text
    )
    assert "refused at seat 5, deal 1, decision 2: MUST_FOLLOW_SUIT (R14): follow; a substitute" in caplog.text


def test_refusals_and_notices_are_shown(caplog: pytest.LogCaptureFixture) -> None:
    """What the referee objects to stands in the log, with where and why."""
    session = Session(FirstLegal)
    list(session.handle(seats(5)))
    refusal = pb.Rejection(seat=5, decision=3, reason="MUST_FOLLOW_SUIT", text="the suit led must be followed", rule=14)
    notice = pb.Notice(code="TIMEOUT", text="no answer in time", seat=5)
    with caplog.at_level(logging.INFO):
        frame = pb.PlayResponse(rejections=[refusal], notices=[notice], draining=pb.Draining(remaining_millis=1500))
        list(session.handle(frame))
    assert "refused at seat 5, deal 0, decision 3: MUST_FOLLOW_SUIT (R14): the suit led must be followed" in caplog.text
    assert "at seat 5: TIMEOUT no answer in time" in caplog.text
    assert "goes away in 1.5 s" in caplog.text
