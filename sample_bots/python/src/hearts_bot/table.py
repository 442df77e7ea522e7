"""One seat at one table: what arrives goes into the view, what is asked goes to the bot.

Whatever the author's code does, every decision is answered: an exception, or an answer that is no card, is reported
on standard error, and a safe answer is given instead.
"""

from __future__ import annotations

import logging
from typing import Final

from hearts.v1 import referee_service_pb2 as pb

from hearts_bot.bot import Bot, DealResult, MatchResult
from hearts_bot.cards import Card
from hearts_bot.view import View

log = logging.getLogger("hearts_bot")

_MOON: Final = {"others_plus": pb.MOON_EFFECT_OTHERS_PLUS, "self_minus": pb.MOON_EFFECT_SELF_MINUS}
_REASONS: Final = {
    pb.CLOSE_REASON_FINISHED: "finished",
    pb.CLOSE_REASON_CANCELLED: "cancelled",
    pb.CLOSE_REASON_VOIDED: "voided",
}
_PLAY: Final = pb.DECISION_KIND_PLAY


class BotFailed(Exception):
    """The author's code failed, and failures are not to be forgiven (`--strict`)."""


class SeatTable:
    """A bot in its seat. With *strict*, failures of the bot raise `BotFailed`, and its answers are checked first."""

    __slots__ = ("_strict", "bot", "played", "seat", "view")

    def __init__(self, bot: Bot, opened: pb.SeatOpened, *, strict: bool = False) -> None:
        self.bot = bot
        self.seat = opened.seat
        self.view = View(opened)
        self.played = 0
        """The last card that was sent to be played, as on the wire; for reports."""
        self._strict = strict

    def start(self) -> None:
        """Let the bot get ready."""
        try:
            self.bot.match_started(self.view)
        except Exception as error:
            self._failed("match_started", error, "going on")

    def update(self, update: pb.SeatUpdate, request: pb.PlayRequest) -> None:
        """Note what *update* tells, and add the answer to *request* if it asks for a decision."""
        view = self.view
        view.note(update)
        if update.decision:
            if update.kind == _PLAY:
                try:
                    card = self.bot.play(view)
                    if self._strict:
                        self._check(card)
                    number = card + 1
                except Exception as error:
                    self._failed("play", error, f"playing {view.legal[0]}, the first legal card")
                    number = update.legal[0]
                self.played = number
                action = request.actions.add()
                action.card = number  # type: ignore[assignment]  # an open enum is an integer
                action.seat = self.seat
                action.decision = update.decision
            else:
                self._answer(update, request)
        if update.HasField("score"):
            self._deal_over(update.score)

    def close(self, closed: pb.SeatClosed) -> None:
        """Tell the bot that the match is over."""
        reason = _REASONS.get(closed.reason, "unknown")
        result = MatchResult(reason, tuple(closed.totals), tuple(closed.places), closed.faults)
        try:
            self.bot.match_over(self.view, result)
        except Exception as error:
            self._failed("match_over", error, "going on")

    def _answer(self, update: pb.SeatUpdate, request: pb.PlayRequest) -> None:
        if update.kind == pb.DECISION_KIND_PASS:
            fill = self._fill_pass
        elif update.kind == pb.DECISION_KIND_RETURN:
            fill = self._fill_return
        elif update.kind == pb.DECISION_KIND_MOON:
            fill = self._fill_moon
        else:
            log.warning("seat %d: a decision of kind %d, which this kit does not know: not answered", *self._at(update))
            return
        action = request.actions.add()
        action.seat = self.seat
        action.decision = update.decision
        fill(action)

    def _fill_pass(self, action: pb.Action) -> None:
        view = self.view
        try:
            cards = list(self.bot.pass_cards(view))
            if self._strict:
                self._check_pass(cards)
            action.cards.extend([card + 1 for card in cards])  # type: ignore[misc]
        except Exception as error:
            first = view.hand[: view.rules.pass_count]
            self._failed("pass_cards", error, f"passing {' '.join(map(str, first))}, the first cards of the hand")
            action.ClearField("cards")
            action.cards.extend([card + 1 for card in first])  # type: ignore[misc]

    def _fill_return(self, action: pb.Action) -> None:
        view = self.view
        try:
            card = self.bot.give_back(view)
            if self._strict:
                self._check(card)
            action.card = card + 1  # type: ignore[assignment]
        except Exception as error:
            self._failed("give_back", error, f"giving back {view.legal[0]}, the first card allowed")
            action.card = view.legal[0] + 1  # type: ignore[assignment]

    def _fill_moon(self, action: pb.Action) -> None:
        try:
            action.moon = _MOON[self.bot.moon(self.view)]
        except Exception as error:
            self._failed("moon", error, "choosing others_plus")
            action.moon = pb.MOON_EFFECT_OTHERS_PLUS

    def _deal_over(self, score: pb.DealScore) -> None:
        shooter = score.shooter if score.moon else None
        try:
            self.bot.deal_over(self.view, DealResult(tuple(score.points), tuple(score.totals), shooter))
        except Exception as error:
            self._failed("deal_over", error, "going on")

    def _check(self, card: Card) -> None:
        if card not in self.view.legal:
            raise ValueError(f"{card!r} is not allowed here; allowed: {' '.join(map(str, self.view.legal))}")

    def _check_pass(self, cards: list[Card]) -> None:
        view = self.view
        wanted, hand = view.rules.pass_count, view.hand
        if len(cards) != wanted or any(cards.count(card) > hand.count(card) for card in cards):
            raise ValueError(f"{cards!r} cannot be passed: choose {wanted} cards of {' '.join(map(str, hand))}")

    def _at(self, update: pb.SeatUpdate) -> tuple[int, int]:
        return self.seat, update.kind

    def _failed(self, method: str, error: Exception, instead: str) -> None:
        view = self.view
        name = type(self.bot).__name__
        where = f"{name}.{method} failed at seat {self.seat}, deal {view.deal}, decision {view.decision}"
        if self._strict:
            raise BotFailed(where) from error
        log.error("%s: %s", where, instead, exc_info=error)
