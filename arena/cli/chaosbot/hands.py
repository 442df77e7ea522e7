"""What a bot knows of its seats, the moves that it makes when it behaves, and the wrong ones.

It plays what the referee would play for it: the lowest legal card, the highest cards to pass. So a game in which
substitutes were played for it is card for card the game in which it behaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from hearts.v1 import referee_service_pb2 as pb

KINDS: Final = {
    pb.DECISION_KIND_PASS: "pass",
    pb.DECISION_KIND_RETURN: "return",
    pb.DECISION_KIND_PLAY: "play",
    pb.DECISION_KIND_MOON: "moon",
}
PACK: Final = range(1, 53)
NO_MOON: Final = 7
NEIGHBOURS: Final = (-3, -2, -1, 1, 2, 3)
FAR: Final = 100_000


def _height(card: int) -> tuple[int, int]:
    return (card - 1) % 13, (card - 1) // 13


class Hand:
    """One seat."""

    def __init__(self, opened: pb.SeatOpened) -> None:
        self._count = opened.rules.pass_count
        self._cards: list[int] = []

    def hear(self, update: pb.SeatUpdate) -> None:
        """Take in what happened."""
        if update.HasField("deal"):
            self._cards = list(update.deal.hand)
        if update.HasField("passed"):
            self._change(update.passed.gave, update.passed.received)
        if update.HasField("returned"):
            self._change((update.returned.gave,), (update.returned.received,))
        if update.HasField("pool"):
            self._change((), update.pool.received)
        self._change(update.plays, ())

    def _change(self, gone: Sequence[int], come: Sequence[int]) -> None:
        for card in gone:
            if card in self._cards:
                self._cards.remove(card)
        self._cards += come

    def answer(self, update: pb.SeatUpdate) -> pb.Action:
        """Return a good answer to the decision in *update*."""
        action = pb.Action(seat=update.seat, decision=update.decision)
        if update.kind == pb.DECISION_KIND_PASS:
            _set_cards(action, sorted(self._cards, key=_height, reverse=True)[: self._count])
        elif update.kind == pb.DECISION_KIND_RETURN:
            _set_card(action, max(update.legal, key=_height))
        elif update.kind == pb.DECISION_KIND_MOON:
            action.moon = pb.MOON_EFFECT_OTHERS_PLUS
        else:
            _set_card(action, min(update.legal, key=_height))
        return action

    def wrong(self, kind: str, update: pb.SeatUpdate, rng: Random) -> list[pb.Action] | None:
        """Return what a bot with the fault *kind* sends to *update* at once, or None if it can do nothing wrong."""
        good = self.answer(update)
        actions: list[pb.Action] | None = None
        match kind:
            case "silent" | "slow":
                actions = []
            case "illegal":
                bad = self._illegal(update, rng)
                actions = None if bad is None else [bad]
            case "not-held":
                actions = [self._not_held(update, rng)]
            case "wrong-decision":
                actions = [_changed(good, decision=good.decision + FAR)]
            case "foreign-seat":
                actions = [*(_changed(good, seat=good.seat + step) for step in NEIGHBOURS), good]
            case "twice":
                actions = [good, self._not_held(update, rng)]
            case "early":
                actions = [good, _changed(good, decision=good.decision + 1)]
        return actions

    def _illegal(self, update: pb.SeatUpdate, rng: Random) -> pb.Action | None:
        action = pb.Action(seat=update.seat, decision=update.decision)
        if update.kind == pb.DECISION_KIND_PASS:
            _set_cards(action, self._cards[: self._count + 1])
        elif update.kind == pb.DECISION_KIND_MOON:
            action.moon = NO_MOON  # type: ignore[assignment]  # that is the point
        else:
            others = [card for card in self._cards if card not in update.legal]
            if not others:
                return None
            _set_card(action, rng.choice(others))
        return action

    def _not_held(self, update: pb.SeatUpdate, rng: Random) -> pb.Action:
        action = pb.Action(seat=update.seat, decision=update.decision)
        card = rng.choice([card for card in PACK if card not in self._cards])
        if update.kind == pb.DECISION_KIND_PASS:
            _set_cards(action, [card, *self._cards[: self._count - 1]])
        elif update.kind == pb.DECISION_KIND_MOON:
            action.moon = NO_MOON  # type: ignore[assignment]  # that is the point
        else:
            _set_card(action, card)
        return action


def _changed(action: pb.Action, *, seat: int = 0, decision: int = 0) -> pb.Action:
    copy = pb.Action()
    copy.CopyFrom(action)
    copy.seat, copy.decision = seat or action.seat, decision or action.decision
    return copy


def _set_card(action: pb.Action, card: int) -> None:
    action.card = card  # type: ignore[assignment]  # an enum's value is its number


def _set_cards(action: pb.Action, cards: Sequence[int]) -> None:
    action.cards.extend(cards)  # type: ignore[arg-type]
