"""Worlds that differ only in cards hidden from a seat: it is told the same, whatever the rules and however long."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.variant import Variant
from referee.table.observe import observe
from tests.rules.strategies import variants
from tests.table.players import ALL_KINDS, rules
from tests.table.worlds import differing, other_faces, told_at_random

POOL: dict[str, Any] = {"pass_mode": "pool"}


def compare(variant: Variant, seed: int, most: int) -> set[str] | None:
    """Tell a story in two worlds that a seat cannot tell apart; return what differs in them, None without a second."""
    rng = Random(seed)
    story, faces, seen = told_at_random(variant, rng, most)
    seat = rng.randrange(variant.players)
    world = other_faces(story, faces, seen[seat], rng)
    if world is None:
        return None
    one, other = story.told(faces), story.told(world)
    assert one is not None
    assert other is not None
    assert one.log != other.log
    assert observe(one.log, seat, variant) == observe(other.log, seat, variant)
    assert one.hands[seat] == other.hands[seat]
    assert (one.turn != seat) or one.legal == other.legal
    assert one.received(seat) == other.received(seat)
    return differing(one, other)


@settings(deadline=None)
@given(variants(), st.integers(0, 2**32), st.integers(1, 120))
def test_hidden_cards_do_not_change_what_a_seat_sees(variant: Variant, seed: int, most: int) -> None:
    """Any rule set, any piece of a deal, any seat."""
    compare(variant, seed, most)


@pytest.mark.parametrize(
    ("variant", "kinds"),
    [
        *((rules(preset, players, deals=1), set()) for preset, players in ALL_KINDS),
        (rules("standard", deals=1), {"CardsPassed", "PassDone"}),
        (rules("hoemke-3233", deals=1), {"CardsPassed", "PassDone", "CardReturned", "ReturnsDone"}),
        (rules("hoemke-4433", deals=1), {"CardsPassed", "PassDone", "PoolDealt"}),
        (rules("cancellation", 6, deals=1), {"CardsPassed", "PassDone", "KittyTaken"}),
        (rules("cancellation", 7, kitty_view="all", deals=1, **POOL), {"CardsPassed", "PoolDealt"}),
    ],
)
def test_every_hidden_entry_comes_to_differ(variant: Variant, kinds: set[str]) -> None:
    """The worlds compared differ in each kind of entry that hides something, so the law above is not empty."""
    found, worlds = set[str](), 0
    for seed in range(60):
        differs = compare(variant, seed, 1 + seed % 6 * 12)
        worlds += differs is not None
        found |= differs or set()
    assert worlds >= 20
    assert found >= kinds
