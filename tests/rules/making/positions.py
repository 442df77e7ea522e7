"""The vectors of play: what may be played from a hand, who opens, who wins a trick, when hearts are open.

Every option that has a say in it occurs with every value, and every restriction both binds and gives way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from referee.rules.cards import SUITS, cards_of, hand_of
from referee.rules.play import law_of
from referee.rules.presets import resolve, to_json
from referee.rules.tricks import winner
from referee.rules.variant import FirstTrickPenalty, HeartsLead, LeadEscape, OpeningLead, Scoring, Variant
from tests.rules.making.text import Case, cards, document, names

_OPENING: Final = (
    "4C 9C 3D TS 2H",
    "4C 4D TS 2H",
    "2C JD QS 5H 8S",
    "2C 3C AS KH",
    "2D 2S 9C QS",
    "QS KS 4H 9H",
    "QS JD 3H",
    "QS 3H AH",
    "JD QD AH",
    "2H 3H AH",
)
_FIRST_TRICK: Final = (
    ("C", "QS 5H 9D"),
    ("C", "QS JD 4H 5H"),
    ("C", "QS 2H 3H 4H"),
    ("C", "2H 3H TH"),
    ("C", "3C 7C QS 2H"),
    ("S", "QS 5S 2H"),
    ("S", "QS 5D 2H"),
    ("D", "JD QS 2H"),
)
_LATER_LEADS: Final = ("5H 6D", "QS 9H 4D", "QS 5H 9H", "5H 9H", "QS", "JD 5H", "QS KS 2H")
_LATER_FOLLOWS: Final = (("C", "QS 5H 9D"), ("H", "2H QS AC"), ("S", "QS AS 2D"), ("D", "2C QS AH"))
_TRICKS: Final = (
    (False, "5D AS AH 2C"),
    (False, "5D 9D AH TD"),
    (False, "2S QS KS AS"),
    (False, "2C 2D 2S 2H"),
    (False, "3C 4C 5C 6C 7C 8C 9C"),
    (True, "JC TC 9C 8C 4C JC"),
    (True, "JC JC TC TC 9C 9C"),
    (True, "9C 9C AS KH QD 2D"),
    (True, "5C KH KH 3C 2C 4D"),
    (True, "AC KC AC KC 2C 3D 3D"),
    (True, "QS AS AS KS KS 2S QS 5H"),
    (True, "4D 4D 2H 2H 3C 3C AS AS KC KC QC"),
    (True, "2H AH KH AH 3S 3S 4S 4S 5S"),
)
_SEEN: Final = (
    "2C 5C KC 9C",
    "2C 5C KC 4H",
    "2C 5C KC QS",
    "2C 3C 4C 5C | 6C 7C 8C 9D",
    "2C 3C 4C 5C | 6D 7D 8D 9D | 2S 3S 4S 5S",
    "2C 3C 4C 5C | 6D 7D 8D 9D | TC JC QC KC | TD JD QD KD",
    "2C 3C 4C 5C | 6C 7C 8C 9C | TC JC QC KC | AC 2D 3D 4D",
    "2C 3C 4C 5C | 6D 2S 3S 4S | TC 5S 6S 7S",
    "2C 3C 4C 2H | 6D 7D 8D 9D | TD JD QD KD",
)
"""Tricks played before, with four players."""
_DEALS: Final = (
    ("2H 3C 4C", "2D 2S 4S", "5C 6C 7C", "2C 8C 9C"),
    ("3C 4C 5C", "2H 3H 4H", "5D 6D 7D", "2C 2D 2S"),
    ("2C 3H 4H", "3C 5H 6H", "2D 7H 8H", "2S 9H TH"),
)


def _rule_sets() -> dict[str, Variant]:
    found = {f"classic-{players}": resolve("classic", players=players) for players in range(3, 8)}
    found |= {f"cancellation-{players}": resolve("cancellation", players=players) for players in range(6, 12)}
    for scoring in Scoring:
        for opening in OpeningLead:
            found[f"{opening}, {scoring}"] = resolve(
                "standard", overrides={"opening_lead": opening.value, "scoring": scoring.value}
            )
        for penalty in FirstTrickPenalty:
            found[f"{penalty}, {scoring}"] = resolve(
                "standard", overrides={"first_trick_penalty": penalty.value, "scoring": scoring.value}
            )
    for escape in LeadEscape:
        found[escape.value] = resolve("standard", overrides={"lead_escape": escape.value})
    for hearts in HeartsLead:
        found[hearts.value] = resolve("standard", overrides={"hearts_lead": hearts.value})
    return {"standard": resolve("standard")} | found


RULE_SETS: Final = _rule_sets()


def _position(rules: str, hand_text: str, led: str | None, trick: int, *, hearts_open: bool) -> Case:
    law, hand = law_of(RULE_SETS[rules]), hand_of(cards(hand_text))
    suit = -1 if led is None else SUITS.index(led)
    refused: list[dict[str, Any]] = []
    for card in dict.fromkeys(cards(hand_text)):
        why = law.violation(hand, suit, trick, hearts_open, card)
        if why is not None:
            refused.append({"card": names([card])[0], "reason": why.name, "rule": why.rule.value})
    return {
        "rules": rules,
        "trick": trick,
        "led": led,
        "hearts_open": hearts_open,
        "hand": hand_text.split(),
        "legal": names(cards_of(law.legal(hand, suit, trick, hearts_open))),
        "refused": refused,
        "waived": [why.name for why in law.waived(hand, suit, trick, hearts_open)],
    }


def _positions() -> Iterator[Case]:
    for scoring in Scoring:
        for opening in OpeningLead:
            # What no seat can hold that has the lead under these rules is left out.
            held = {OpeningLead.LOW_CLUB: "2C", OpeningLead.SHOW_2C_ANY_NONSCORING: "2C"}.get(opening, "")
            twos = opening is OpeningLead.FIRST_PLAIN_TWO
            for hand in _OPENING:
                if held in hand and (not twos or any(two in hand for two in ("2C", "2D", "2S"))):
                    yield _position(f"{opening}, {scoring}", hand, None, 1, hearts_open=False)
        for penalty in FirstTrickPenalty:
            for led, hand in _FIRST_TRICK:
                yield _position(f"{penalty}, {scoring}", hand, led, 1, hearts_open=False)
    for escape in LeadEscape:
        for hand in _LATER_LEADS:
            for hearts_open in (False, True):
                yield _position(escape.value, hand, None, 2, hearts_open=hearts_open)
    for suit, hand in _LATER_FOLLOWS:
        yield _position("standard", hand, suit, 2, hearts_open=False)
    yield _position("classic-5", "3C 4C QS", None, 1, hearts_open=False)
    yield _position("classic-7", "QS 2H 3H 4H 5H 6H 7H", "C", 1, hearts_open=False)
    two_packs: tuple[tuple[str, str | None, int], ...] = (
        ("QS 3H 7D", None, 1),
        ("QS QS 3H", None, 1),
        ("QS 5H 9D", "C", 1),
        ("7C 7C QS 5H", "C", 4),
        ("QS QS 5H 5H", None, 3),
        ("5H 5H AH", None, 3),
    )
    for hand, lead, trick in two_packs:
        yield _position("cancellation-8", hand, lead, trick, hearts_open=False)


def _openers() -> Iterator[Case]:
    for opening in OpeningLead:
        rules = f"{opening}, {Scoring.BLACK_LADY}"
        law = law_of(RULE_SETS[rules])
        for texts in _DEALS:
            for dealer in range(4):
                leader = law.opener([hand_of(cards(text)) for text in texts], dealer)
                yield {
                    "rules": rules,
                    "dealer": dealer,
                    "hands": [text.split() for text in texts],
                    "leader": leader,
                    "shows": "2C" if law.shows_two_of_clubs else None,
                }


def _tricks() -> Iterator[Case]:
    for cancellation, text in _TRICKS:
        place = winner(cards(text), cancellation)
        yield {"cancellation": cancellation, "cards": text.split(), "winner": None if place < 0 else place}


def _hearts() -> Iterator[Case]:
    for rule in HeartsLead:
        law = law_of(RULE_SETS[rule.value])
        for text in _SEEN:
            tricks = [cards(trick) for trick in text.split("|")]
            leads = [sum(trick[0] // 13 == suit for trick in tricks) for suit in range(4)]
            played = hand_of({card for trick in tricks for card in trick})
            yield {
                "rules": rule.value,
                "tricks": [names(trick) for trick in tricks],
                "open": law.hearts_open(len(tricks) + 1, played, leads),
            }


def build() -> str:
    """Return the text of the file."""
    return document(
        {"format": "hearts-positions", "version": 1},
        rule_sets={name: to_json(variant) for name, variant in RULE_SETS.items()},
        positions=_positions(),
        openers=_openers(),
        tricks=_tricks(),
        hearts=_hearts(),
    )
