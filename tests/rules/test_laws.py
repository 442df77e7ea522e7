"""What holds for every rule set, every hand and every way of playing."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import FACES, SUIT_MASKS, Card, Hand, cards_of, suit_of
from referee.rules.dealing import DealSource, pack_of
from referee.rules.play import Violation, law_of
from referee.rules.presets import rules_digest
from referee.rules.scoring import deal_points, scoring_mask, shooter
from referee.rules.variant import MoonEffect, Variant
from tests.rules.driver import Turn, faces, play_deal
from tests.rules.strategies import hands, secrets, variants


@settings(deadline=None)
@given(variants(), hands(packs=2), st.integers(-1, 3), st.integers(1, 17), st.booleans())
def test_there_is_always_a_legal_card_and_legality_is_the_absence_of_violation(
    variant: Variant, held: Hand, led: int, trick: int, hearts_open: bool
) -> None:
    """Legal cards are some of the hand, never none, and exactly those that break no rule."""
    law = law_of(variant)
    legal = law.legal(held, led, trick, hearts_open)
    assert legal
    assert legal & ~held & FACES == 0
    for number in range(52):
        why = law.violation(held, led, trick, hearts_open, Card(number))
        assert (why is None) == bool(legal >> number & 1)
        assert (why is Violation.NOT_IN_HAND) == (not held >> number & 1)
    broken = {law.violation(held, led, trick, hearts_open, card) for card in cards_of(held)}
    assert not broken & set(law.waived(held, led, trick, hearts_open)), "what does not bind forbids nothing"


@settings(deadline=None)
@given(variants(), hands(), st.integers(0, 3), st.integers(2, 17), st.booleans())
def test_following_later_is_the_suit_led_or_anything(
    variant: Variant, held: Hand, led: int, trick: int, hearts_open: bool
) -> None:
    """From trick two on nothing but the suit led binds a seat that follows, in any rule set."""
    in_suit = held & SUIT_MASKS[led]
    assert law_of(variant).legal(held, led, trick, hearts_open) == (in_suit or held & FACES)


@settings(deadline=None)
@given(variants(), secrets(), st.integers(0, 2**32))
def test_any_deal_plays_to_its_end_and_loses_no_card(variant: Variant, secret: bytes, seed: int) -> None:
    """Every trick has a legal play for all; taken and dead cards are the pack; winners hold a lone card of the suit."""
    random = Random(seed)
    dealer = random.randrange(variant.players)
    dealt = DealSource(secret, rules_digest(variant), "t", "b").deal(variant, 1, dealer)

    def choose(turn: Turn) -> Card:
        assert turn.legal
        return random.choice(faces(turn.legal))

    played = play_deal(variant, dealt.hands, dealt.kitty, dealer, choose)
    assert sorted(card for pile in (*played.taken, played.dead) for card in pile) == pack_of(variant)
    for _, trick, won in played.tricks:
        in_suit = [card for card in trick if suit_of(card) == suit_of(trick[0])]
        lone = [card for card in in_suit if trick.count(card) == 1]
        if won < 0:
            assert not lone
            assert variant.cancellation
        else:
            assert trick[won] == max(lone)
    seat = shooter(variant, played.taken)
    moon = MoonEffect.SELF_MINUS
    points = deal_points(variant, played.taken, moon)
    if seat is None and not any(scoring_mask(variant.scoring) >> card & 1 for card in played.dead):
        assert points == deal_points(variant, played.taken, None)
    if seat is not None:
        assert points[seat] <= -variant.moon_value or not variant.moon_value
