"""What holds for every rule set, whoever plays and however: laws of the table, and the numbers of the rule book."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, card_name
from referee.rules.masks import scoring_mask
from referee.rules.play import law_of
from referee.rules.presets import HOEMKE_NAMES
from referee.rules.scoring import deal_points, shooter
from referee.rules.variant import MoonEffect, Scoring, Termination, Variant
from referee.table.events import DealEnded, GameEnded
from referee.table.replay import replay
from tests.rules.strategies import variants
from tests.table.invariants import TWO_FREE_TOTALS, check_state, cost, moon_size
from tests.table.players import ALL_KINDS, cards, random_game, rules, state_of


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(variants(), st.integers(0, 2**32), st.integers(1, 400))
def test_any_rule_set_can_be_played_from_deal_to_deal(variant: Variant, seed: int, decisions: int) -> None:
    """Any prefix of a game under any rule set keeps the invariants and replays."""
    table = random_game(variant, seed, watch=check_state, decisions=decisions)
    assert state_of(replay(variant, table.log)) == state_of(table)


@pytest.mark.parametrize(
    ("preset", "most"), [("standard", 16), ("hoemke-2221", 31), ("hoemke-2222", 14), ("hoemke-1411", 31)]
)
def test_a_game_to_100_cannot_last_longer_than_its_points_allow(preset: str, most: int) -> None:
    """Totals grow by 26, 13 or 29 a deal at least, and at most four of 99 are below the target."""
    for seed in range(12):
        table = random_game(rules(preset), seed)
        assert table.deals_played <= most
        ended = table.log[-1]
        assert isinstance(ended, GameEnded)
        assert ended.termination is Termination.TARGET


@pytest.mark.parametrize("preset", ["hoemke-2223", "hoemke-2224"])
def test_where_scores_can_fall_the_number_of_deals_is_capped(preset: str) -> None:
    """With the jack there is no bound but `max_deals`."""
    table = random_game(rules(preset, target=10_000, max_deals=20), 1)
    ended = table.log[-1]
    assert isinstance(ended, GameEnded)
    assert (ended.termination, table.deals_played) == (Termination.MAX_DEALS, 20)


def test_there_are_256_variants_and_they_differ() -> None:
    """Four places in the rules with four alternatives each make 256 different sets of restrictions, none the same."""
    assert len({rules(name) for name in HOEMKE_NAMES}) == 256
    choices = {(rule.pass_mode, rule.opening_lead, rule.hearts_lead, rule.scoring) for rule in map(rules, HOEMKE_NAMES)}
    assert len(choices) == 256


MOONS = [
    ("hoemke-2221", None, 13),
    ("hoemke-2222", None, 13),
    ("standard", None, 14),
    ("hoemke-2223", None, 15),
    ("hoemke-2224", None, 15),
    ("cancellation", 6, 28),
]


@pytest.mark.parametrize(("preset", "players", "size"), MOONS)
def test_a_moon_is_so_many_cards_and_not_one_less(preset: str, players: int | None, size: int) -> None:
    """All scoring cards in one hand are a moon; each of them missing, or with another seat, there is none."""
    variant = rules(preset, players)
    faces = [Card(card) for card in range(52) if scoring_mask(variant.scoring) >> card & 1]
    pile = cards(" ".join(card_name(face) for face in faces for _ in range(variant.packs)))
    nothing = [()] * (variant.players - 2)
    assert len(pile) == size == moon_size(variant)
    assert shooter(variant, [(), pile, *nothing]) == 1
    for at in range(size):
        rest = pile[:at] + pile[at + 1 :]
        assert shooter(variant, [(), rest, *nothing]) is None
        assert shooter(variant, [(pile[at],), rest, *nothing]) is None
        assert shooter(variant, [rest, (pile[at],), *nothing]) is None


@pytest.mark.parametrize("scoring", list(Scoring))
def test_a_moon_of_four_gives_78_or_takes_26(scoring: Scoring) -> None:
    """Whatever the scheme: 26 for each of three, or 26 off for one."""
    variant = rules(scoring=str(scoring))
    pile = cards(" ".join(card_name(card) for card in cards("QS JD")) + " 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    assert sum(deal_points(variant, [pile, (), (), ()], MoonEffect.OTHERS_PLUS)) == 78
    assert sum(deal_points(variant, [pile, (), (), ()], MoonEffect.SELF_MINUS)) == -26


def test_the_dearest_and_the_cheapest_deals() -> None:
    """Without a moon one seat gets from -10 to 26 with the jack, to 35 with two free hearts, and 28 with honours."""
    hearts = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH"
    for scoring, most in ((Scoring.BLACK_LADY_JD, 26), (Scoring.TWO_FREE_DOUBLE_JD, 35)):
        variant = rules(scoring=str(scoring))
        assert deal_points(variant, [cards(f"{hearts} QS"), cards("JD"), (), ()], None) == (most, -10, 0, 0)
    variant = rules(scoring=str(Scoring.HONOURS_5))
    assert max(deal_points(variant, [cards(hearts[3:]), cards("2H"), (), ()], None)) == 28


@settings(deadline=None)
@given(st.lists(st.integers(0, 3), min_size=13, max_size=13))
def test_two_free_hearts_each_leave_13_to_25(owners: list[int]) -> None:
    """Hearts come to 2 * (13 - the sum of min(2, hearts of a seat)), so the deal is 13, 15, ... or 25."""
    hearts = cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
    piles = [[card for card, owner in zip(hearts, owners, strict=True) if owner == seat] for seat in range(4)]
    total = sum(cost(Scoring.TWO_FREE_DOUBLE_JD, pile) for pile in piles)
    assert total == 2 * (13 - sum(min(2, len(pile)) for pile in piles))
    variant = rules(scoring="two_free_double_jd")
    points = deal_points(variant, [[*piles[0], *cards("QS")], *piles[1:3], [*piles[3], *cards("JD")]], None)
    assert sum(points) == total + 3
    assert sum(points) in TWO_FREE_TOTALS


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_all_that_is_scored_without_a_moon_adds_up(preset: str, players: int) -> None:
    """Deal by deal, over whole games; the numbers themselves are in `invariants.check_total`."""
    variant = rules(preset, players, deals=8)
    table = random_game(variant, 21, watch=check_state)
    assert len([entry for entry in table.log if isinstance(entry, DealEnded)]) == 8


@settings(deadline=None)
@given(st.integers(0, 2**32))
def test_hearts_that_wait_for_suits_are_never_open_before_trick_four(seed: int) -> None:
    """Three leads are needed at least, so this rule is never looser than waiting for three tricks."""
    by_suits, by_count = law_of(rules("hoemke-1241")), law_of(rules("hoemke-1231"))
    rng, leads = Random(seed), [0, 0, 0, 0]
    for trick in range(2, 14):
        leads[rng.randrange(4)] += 1
        assert not by_suits.hearts_open(trick, 0, leads) or by_count.hearts_open(trick, 0, leads)
