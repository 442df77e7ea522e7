"""Points, the moon, places, and the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, Hand, card_name
from referee.rules.presets import resolve
from referee.rules.scoring import (
    card_points,
    deal_points,
    game_over,
    harmful_mask,
    places,
    points_of,
    scoring_mask,
    shooter,
)
from referee.rules.variant import MoonEffect, Scoring, Termination, Variant
from tests.rules.driver import cards, faces

HEARTS = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
PLUS, MINUS = MoonEffect.OTHERS_PLUS, MoonEffect.SELF_MINUS


def taken(*piles: str) -> list[list[Card]]:
    """Return the cards taken by each seat."""
    return [cards(pile) for pile in piles]


@pytest.mark.parametrize(
    ("scoring", "pile", "points"),
    [
        pytest.param(Scoring.PLAIN_HEARTS, "2H AH QS JD", 2, id="t50"),
        pytest.param(Scoring.HONOURS_5, "2H 3H 4H 5H 6H 7H 8H 9H TH", 9, id="t51-small"),
        pytest.param(Scoring.HONOURS_5, "JH QH KH AH", 20, id="t51-honours"),
        pytest.param(Scoring.HONOURS_5, "QS JD TH", 1, id="t51-no-queen"),
        pytest.param(Scoring.BLACK_LADY_JD, "JD", -10, id="t52-jack"),
        pytest.param(Scoring.BLACK_LADY_JD, "AH QS JD", 4, id="t52-all-three"),
        pytest.param(Scoring.BLACK_LADY_JD, "2H QS", 14, id="t52-queen"),
        pytest.param(Scoring.TWO_FREE_DOUBLE_JD, "AH", 0, id="first-heart-free"),
        pytest.param(Scoring.TWO_FREE_DOUBLE_JD, "AH 2H", 0, id="second-heart-free"),
        pytest.param(Scoring.TWO_FREE_DOUBLE_JD, "AH 2H 3H", 2, id="third-heart-double"),
        pytest.param(Scoring.TWO_FREE_DOUBLE_JD, HEARTS + " QS", 35, id="dearest"),
        pytest.param(Scoring.TWO_FREE_DOUBLE_JD, "QS JD", 3, id="queen-and-jack"),
        pytest.param(Scoring.BLACK_LADY, "AH QS JD", 14, id="black-lady"),
        pytest.param(Scoring.BLACK_LADY, "AH AH QS QS", 28, id="two-packs"),
        pytest.param(Scoring.BLACK_LADY, "", 0, id="nothing"),
    ],
)
def test_t50_t51_t52_points_of_a_pile(scoring: Scoring, pile: str, points: int) -> None:
    """Each scheme prices hearts, queen and jack in its own way."""
    assert points_of(scoring, cards(pile)) == points


def test_harmful_and_scoring_cards_by_scheme() -> None:
    """The queen is harmful where she counts; the jack counts and is never harmful."""
    for scoring in Scoring:
        harmful = {card_name(card) for card in faces(Hand(harmful_mask(scoring)))}
        counting = {card_name(card) for card in faces(Hand(scoring_mask(scoring)))}
        assert harmful >= set(HEARTS.split())
        assert ("QS" in harmful) == (scoring not in (Scoring.PLAIN_HEARTS, Scoring.HONOURS_5))
        assert counting - harmful == (
            {"JD"} if scoring in (Scoring.BLACK_LADY_JD, Scoring.TWO_FREE_DOUBLE_JD) else set()
        )
        assert counting == {card_name(Card(card)) for card in range(52) if card_points(scoring)[card]}


@pytest.mark.parametrize(
    ("variant", "piles", "moon", "points"),
    [
        pytest.param(resolve("standard"), (HEARTS + " QS", "", "2C", ""), PLUS, (0, 26, 26, 26), id="t56"),
        pytest.param(resolve("classic"), (HEARTS + " QS", "", "2C", ""), MINUS, (-26, 0, 0, 0), id="t57"),
        pytest.param(resolve("hoemke-2223"), (HEARTS + " QS", "JD", "", ""), PLUS, (26, -10, 0, 0), id="t58-no-jack"),
        pytest.param(resolve("hoemke-2223"), (HEARTS + " QS JD", "", "", ""), PLUS, (0, 26, 26, 26), id="t58-jack"),
        pytest.param(resolve("hoemke-2221"), (HEARTS, "QS", "JD", ""), PLUS, (0, 26, 26, 26), id="t59"),
        pytest.param(resolve("hoemke-2222"), ("", HEARTS, "QS", ""), PLUS, (26, 0, 26, 26), id="t60"),
        pytest.param(
            resolve("classic", players=5), (HEARTS + " QS", "", "", "", ""), PLUS, (0, 26, 26, 26, 26), id="t62"
        ),
        pytest.param(
            resolve("cancellation", players=6),
            ("", f"{HEARTS} {HEARTS} QS QS", "", "", "", ""),
            PLUS,
            (26, 0, 26, 26, 26, 26),
            id="t63-plus",
        ),
        pytest.param(
            resolve("cancellation", players=6),
            ("", f"{HEARTS} {HEARTS} QS QS", "", "", "", ""),
            MINUS,
            (0, -26, 0, 0, 0, 0),
            id="t63-minus",
        ),
        pytest.param(
            resolve("cancellation", players=6),
            (f"{HEARTS} {HEARTS} QS", "", "", "", "", ""),
            PLUS,
            (39, 0, 0, 0, 0, 0),
            id="a-dead-queen-and-no-moon",
        ),
        pytest.param(resolve("standard"), (HEARTS, "QS", "", ""), PLUS, (13, 13, 0, 0), id="no-queen-no-moon"),
    ],
)
def test_t56_to_t63_the_moon(variant: Variant, piles: Sequence[str], moon: MoonEffect, points: tuple[int, ...]) -> None:
    """All scoring cards in one hand, told by cards; the effect is flat, whatever the scheme's points."""
    assert deal_points(variant, taken(*piles), moon) == points


@pytest.mark.parametrize(
    ("piles", "moon", "points"),
    [
        ((HEARTS + " QS", "JD", "", ""), PLUS, (0, 16, 26, 26)),
        ((HEARTS + " QS JD", "", "", ""), PLUS, (-10, 26, 26, 26)),
        ((HEARTS + " QS", "JD", "", ""), MINUS, (-26, -10, 0, 0)),
    ],
)
def test_the_jack_keeps_its_worth_where_the_moon_does_not_need_it(
    piles: Sequence[str], moon: MoonEffect, points: tuple[int, ...]
) -> None:
    """Hearts and queen make the moon, and ten come off for whoever took the jack."""
    variant = resolve("hoemke-2223", overrides={"moon_needs_jd": False})
    assert deal_points(variant, taken(*piles), moon) == points


def test_a_jack_that_does_not_count_does_not_come_off() -> None:
    """In a scheme without the jack the option about it changes nothing."""
    variant = resolve("standard", overrides={"moon_needs_jd": False})
    assert deal_points(variant, taken(HEARTS + " QS", "JD", "", ""), PLUS) == (0, 26, 26, 26)


def test_t66_a_moon_without_an_effect_is_the_callers_mistake() -> None:
    """The shooter's choice must have been made before the points are asked for; without a moon none is needed."""
    piles = taken(HEARTS + " QS", "", "", "")
    assert shooter(resolve("classic"), piles) == 0
    for moon in (None, MoonEffect.SHOOTER_CHOICE):
        with pytest.raises(ValueError, match="seat 0 shot the moon"):
            deal_points(resolve("classic"), piles, moon)
    assert deal_points(resolve("classic"), taken("2H", "QS", "", ""), None) == (1, 13, 0, 0)


@pytest.mark.parametrize(
    ("options", "deals_played", "totals", "end"),
    [
        pytest.param({}, 9, (100, 60, 50, 74), Termination.TARGET, id="t67"),
        pytest.param({}, 9, (99, 60, 50, 74), None, id="just-below"),
        pytest.param({}, 9, (104, 40, 40, 76), Termination.TARGET, id="t70-shared"),
        pytest.param({"tie_for_lowest": "play_on"}, 9, (104, 40, 40, 76), None, id="t70-play-on"),
        pytest.param({"tie_for_lowest": "play_on"}, 9, (104, 40, 41, 76), Termination.TARGET, id="play-on-decided"),
        pytest.param({"tie_for_lowest": "play_on"}, 200, (104, 40, 40, 76), Termination.MAX_DEALS, id="play-on-capped"),
        pytest.param({"target": 50}, 4, (50, 0, 0, 2), Termination.TARGET, id="t72-exactly"),
        pytest.param({"target": 150}, 4, (149, 0, 0, 2), None, id="t72-149"),
        pytest.param({"target": 150}, 4, (151, 0, 0, 2), Termination.TARGET, id="t72-151"),
        pytest.param({"max_deals": 10}, 10, (20, 0, 0, 2), Termination.MAX_DEALS, id="cap"),
        pytest.param({"max_deals": 10}, 10, (120, 0, 0, 2), Termination.TARGET, id="cap-and-target"),
        pytest.param({"deals": 2}, 1, (120, 0, 0, 0), None, id="fixed-goes-on"),
        pytest.param({"deals": 2}, 2, (20, 0, 0, 0), Termination.DEALS, id="fixed-ends"),
        pytest.param({"deals": 2, "tie_for_lowest": "play_on"}, 2, (2, 0, 0, 0), Termination.DEALS, id="fixed-shared"),
        pytest.param({"deals": 300}, 200, (20, 0, 0, 0), None, id="fixed-has-no-cap"),
    ],
)
def test_t67_t70_t72_the_end_of_a_game(
    options: dict[str, object], deals_played: int, totals: tuple[int, ...], end: Termination | None
) -> None:
    """A total at or over the target ends it, or the number of deals; a tie may play on up to the cap."""
    assert game_over(resolve("standard", overrides=options), deals_played, totals) is end


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        pytest.param((100, 60, 50, 74), (4, 2, 1, 3), id="t67"),
        pytest.param((104, 40, 40, 76), (4, 1, 1, 3), id="t70"),
        pytest.param((0, 26, 26, 26), (1, 2, 2, 2), id="moon"),
        pytest.param((-2, -2, -2, -2), (1, 1, 1, 1), id="all-equal"),
    ],
)
def test_t67_t70_places(totals: tuple[int, ...], expected: tuple[int, ...]) -> None:
    """The lowest total comes first, and ties share the better place."""
    assert places(totals) == expected


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), min_size=52, max_size=52), st.sampled_from(list(Scoring)))
def test_points_of_a_deal_add_up(owners: list[int], scoring: Scoring) -> None:
    """Without a moon and with no dead card, the points of a deal are the scheme's total."""
    variant = resolve("standard", overrides={"scoring": str(scoring)})
    piles: list[list[Card]] = [[], [], [], []]
    for card, owner in enumerate(owners):
        piles[owner % 4].append(Card(card))
    if shooter(variant, piles) is not None:
        return
    total = sum(deal_points(variant, piles, None))
    fixed = {Scoring.BLACK_LADY: 26, Scoring.PLAIN_HEARTS: 13, Scoring.HONOURS_5: 29, Scoring.BLACK_LADY_JD: 16}
    assert total in ({fixed[scoring]} if scoring in fixed else {13, 15, 17, 19, 21, 23, 25})


def test_every_face_has_a_price_and_nothing_else_has() -> None:
    """Fifty-two in every scheme."""
    assert {len(card_points(scoring)) for scoring in Scoring} == {52}
