"""Says of a position which cards may be played, and of the others, or of one in question, by which rule not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.cli.rulebook.position import SUIT_NAMES
from referee.rules.book import Rule
from referee.rules.cards import SUITS, card_name, cards_of
from referee.rules.play import Violation, law_of
from referee.rules.presets import to_json

if TYPE_CHECKING:
    from arena.cli.plain import Plain
    from arena.cli.rulebook.position import Position
    from referee.rules.cards import Card, Hand

_WAIVED: Final = {
    Violation.OPENING_LEAD: (Rule.ALWAYS_A_CARD, "the hand holds nothing that the opening lead asks for"),
    Violation.MUST_FOLLOW_SUIT: (Rule.FOLLOWING_SUIT, "the hand has no card of the suit led"),
    Violation.NO_PENALTY_ON_FIRST_TRICK: (Rule.ALWAYS_A_CARD, "the hand could play nothing but harmful cards"),
    Violation.HEARTS_CLOSED: (Rule.NOTHING_BUT_HEARTS, "hearts are closed, but the hand has nothing else to lead"),
}
"""What it means that a restriction does not bind, and the rule that says so."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the law of play says at a position, of its hand and of the card in question, if there is one."""

    position: Position
    card: Card | None
    legal: Hand
    violation: Violation | None
    """Why *card* may not be played."""
    refused: dict[Card, Violation]
    """The cards of the hand that may not be played, and why."""
    waived: tuple[Violation, ...]
    """The restrictions that do not bind this hand."""

    def lines(self) -> list[str]:
        """Return the verdict for people."""
        position = self.position
        lines = [
            f"position  {position.variant.preset}, {position.variant.players} players: {_situation(position)}",
            f"hand      {_names(position.hand)}",
            f"legal     {_names(self.legal)}",
        ]
        waived = [f"  {_cited(*_WAIVED[why])}" for why in self.waived]
        if self.card is not None:
            name = card_name(self.card)
            if self.violation is not None:
                return [*lines, *_refusal(name, self.violation)]
            return [*lines, f"{name} may be played", *waived]
        for why in dict.fromkeys(self.refused.values()):
            names = " ".join(card_name(card) for card, other in self.refused.items() if other is why)
            lines += _refusal(names, why)
        return [*lines, *waived]

    def as_json(self) -> dict[str, Plain]:
        """Return the verdict for scripts."""
        position = self.position
        return {
            "rules": to_json(position.variant),
            "trick": position.trick,
            "led": SUITS[position.led] if position.led >= 0 else None,
            "hearts_open": position.hearts_open if position.hearts_matter else None,
            "hand": [card_name(card) for card in cards_of(position.hand)],
            "legal": [card_name(card) for card in cards_of(self.legal)],
            "refused": [
                {"card": card_name(card), "reason": why.name, "rule": why.rule.value}
                for card, why in self.refused.items()
            ],
            "card": None if self.card is None else card_name(self.card),
            "may_be_played": None if self.card is None else self.violation is None,
            "violation": None if self.violation is None else _violation_json(self.violation),
            "waived": [why.name for why in self.waived],
        }


def judge(position: Position, card: Card | None) -> Verdict:
    """Return what the law of play says at *position*, and of *card* if it is one."""
    law = law_of(position.variant)
    here = position.hand, position.led, position.trick, position.hearts_open
    reasons = ((held, law.violation(*here, held)) for held in dict.fromkeys(cards_of(position.hand)))
    refused = {held: why for held, why in reasons if why is not None}
    violation = None if card is None else law.violation(*here, card)
    return Verdict(position, card, law.legal(*here), violation, refused, law.waived(*here))


def _refusal(names: str, why: Violation) -> list[str]:
    rule = why.rule
    return [f"{names} may not be played: {why.value}", f"  {rule.label} {rule.title} ({why.name}), see {rule.link}"]


def _situation(position: Position) -> str:
    trick = f"trick {position.trick}"
    if position.led >= 0:
        return f"{trick}, {SUIT_NAMES[position.led]} led"
    if position.trick == 1:
        return f"{trick}, the opening lead"
    return f"{trick}, to lead, hearts {'open' if position.hearts_open else 'closed'}"


def _names(hand: Hand) -> str:
    return " ".join(card_name(card) for card in cards_of(hand))


def _cited(rule: Rule, text: str) -> str:
    return f"{rule.label} {rule.title}: {text}"


def _violation_json(violation: Violation) -> Plain:
    rule = violation.rule
    return {
        "name": violation.name,
        "rule": rule.value,
        "title": rule.title,
        "text": violation.value,
        "link": rule.link,
    }
