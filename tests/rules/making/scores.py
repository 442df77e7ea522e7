"""The vectors of scores: what the cards taken cost, moons of every kind, and the end of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.rules.presets import resolve, to_json
from referee.rules.scoring import deal_points, game_over, places, shooter
from referee.rules.variant import MoonEffect, Scoring, Variant
from tests.rules.making.text import Case, cards, document

_HEARTS: Final = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
_LOW: Final = "2H 3H 4H 5H 6H 7H"
_HIGH: Final = "8H 9H TH JH QH KH AH"
_ONE_PACK: Final = (
    ("2H AH QS JD", _LOW[3:], _HIGH[:-3], ""),
    (_LOW, "8H 9H TH JH", "QH KH AH", "QS JD"),
    ("2H", "3H 4H", "5H 6H 7H QS", _HIGH + " JD"),
    (_HEARTS, "QS", "JD", ""),
    (_HEARTS + " QS", "JD", "", ""),
    ("", _HEARTS + " QS JD", "", ""),
    (_HEARTS[:-3], "AH QS JD", "", "2C 3C"),
    ("", "QS " + _HEARTS[:-3], "AH", "JD"),
)
_TWO_PACKS: Final = (
    (f"{_HEARTS} QS", f"{_HEARTS} QS", "", "", "", ""),
    ("", f"{_HEARTS} QS {_HEARTS} QS", "", "", "", ""),
    ("", "", f"{_HEARTS} QS {_HEARTS[:-3]} QS", "", "", ""),
    (f"{_HEARTS} {_HEARTS}", "QS QS", "JD", "JD", "", ""),
)
"""What each seat took. In the third a heart is dead, so that it is no moon."""
_ENDS: Final[tuple[tuple[dict[str, object], int, tuple[int, ...]], ...]] = (
    ({"target": 100}, 5, (100, 60, 50, 74)),
    ({"target": 100}, 5, (99, 60, 50, 74)),
    ({"target": 100}, 9, (104, 40, 40, 76)),
    ({"target": 100, "tie_for_lowest": "play_on"}, 9, (104, 40, 40, 76)),
    ({"target": 100, "tie_for_lowest": "play_on", "max_deals": 9}, 9, (104, 40, 40, 76)),
    ({"target": 100, "max_deals": 9}, 9, (99, -40, 40, 76)),
    ({"target": 100, "max_deals": 9}, 9, (100, -40, 40, 76)),
    ({"target": 50}, 3, (50, 1, 2, 25)),
    ({"deals": 4}, 3, (200, 1, 2, 3)),
    ({"deals": 4}, 4, (26, 26, 26, 26)),
    ({"deals": 4}, 4, (-10, 5, 5, 30)),
)


def _rules(packs: int, scoring: Scoring, **others: object) -> Variant:
    preset, players = ("standard", 4) if packs == 1 else ("cancellation", 6)
    return resolve(preset, players=players, overrides={"scoring": scoring.value} | others)


def _score(variant: Variant, took: tuple[str, ...], moon: MoonEffect) -> Case:
    taken = [cards(text) for text in took]
    seat = shooter(variant, taken)
    rules = to_json(variant)
    return {
        "rules": {name: rules[name] for name in ("players", "packs", "scoring", "moon_needs_jd", "moon_value")},
        "taken": [text.split() for text in took],
        "shooter": seat,
        "moon": None if seat is None else moon.value,
        "points": deal_points(variant, taken, moon),
    }


def _scores() -> Iterator[Case]:
    effects = (MoonEffect.OTHERS_PLUS, MoonEffect.SELF_MINUS)
    for packs, piles in ((1, _ONE_PACK), (2, _TWO_PACKS)):
        for scoring in Scoring:
            for needs_jd in (True, False):
                variant = _rules(packs, scoring, moon_needs_jd=needs_jd)
                for took in piles:
                    moon = shooter(variant, [cards(text) for text in took]) is not None
                    yield from (_score(variant, took, effect) for effect in (effects if moon else effects[:1]))
    for effect in effects:
        yield _score(_rules(1, Scoring.BLACK_LADY, moon_value=52), (_HEARTS + " QS", "", "", ""), effect)


def _ends() -> Iterator[Case]:
    for overrides, played, totals in _ENDS:
        variant = resolve("standard", overrides=overrides)
        rules = to_json(variant)
        end = game_over(variant, played, totals)
        yield {
            "rules": {name: rules[name] for name in ("target", "deals", "max_deals", "tie_for_lowest")},
            "deals_played": played,
            "totals": totals,
            "termination": None if end is None else end.value,
            "places": None if end is None else places(totals),
        }


def build() -> str:
    """Return the text of the file."""
    return document({"format": "hearts-scores", "version": 1}, scores=_scores(), ends=_ends())
