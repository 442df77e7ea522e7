"""Whole games at random, under every kind of rule set: what holds at every step, and that the log is the truth."""

from __future__ import annotations

import pytest

from referee.rules.cards import Hand, cards_of
from referee.table.events import DealEnded, GameEnded, PlayBegan
from referee.table.machine import Table
from referee.table.replay import ReplayError, replay
from tests.table.invariants import check_state
from tests.table.players import ALL_KINDS, decide, random_game, rules, source_of, state_of, supply


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_random_games_keep_the_invariants_and_replay(preset: str, players: int) -> None:
    """At every step the cards are the pack and the legal set is the law's; the log replays to an equal table."""
    variant = rules(preset, players, deals=4)
    for seed in range(3):
        table = random_game(variant, seed, watch=check_state)
        assert isinstance(table.log[-1], GameEnded)
        assert state_of(replay(variant, table.log)) == state_of(table)


@pytest.mark.parametrize("preset", ["standard", "hoemke-1211"])
def test_games_to_a_target_end(preset: str) -> None:
    """Points add up to the totals, and the game ends with the first deal that takes a total to the target."""
    variant = rules(preset)
    for seed in range(5):
        table = random_game(variant, seed)
        totals = [0] * 4
        ends = [entry for entry in table.log if isinstance(entry, DealEnded)]
        for end in ends:
            assert max(totals) < 100
            totals = [had + got for had, got in zip(totals, end.points, strict=True)]
            assert list(end.totals) == totals
        assert max(totals) >= 100
        assert table.deals_played == len(ends)
        assert {sum(end.points) for end in ends if end.shooter is None} == {26 if preset == "standard" else 13}


def test_a_game_goes_on_from_a_checkpoint() -> None:
    """A table that starts after deal 2 with its totals plays what the first table plays from there."""
    variant, source = rules(deals=4), source_of(rules(deals=4), 9)
    whole = Table(variant, first_dealer=1)
    while whole.deals_played < 2 or whole.needs is None:
        if not supply(whole, source):
            decide(whole)
    half = Table(variant, first_deal=3, first_dealer=3, totals=whole.totals, deals_played=2)
    start = len(whole.log)
    for table in (whole, half):
        while not table.over:
            if not supply(table, source):
                decide(table)
    assert half.log == whole.log[start:]
    assert state_of(replay(variant, half.log, deals_played=2)) == state_of(half)


def test_a_log_that_no_table_writes_is_refused() -> None:
    """An entry that is wrong, out of place, forbidden or missing is named by its index."""
    table = random_game(rules(deals=1), 2)
    began = next(index for index, entry in enumerate(table.log) if isinstance(entry, PlayBegan))
    lead = table.log[began + 1]
    broken = [
        ([], 0),
        (table.log[1:], 0),
        ([*table.log[: began + 1], lead, lead], began + 2),
        ([*table.log[:began], PlayBegan(9, None)], began),
        ([*table.log[:2], table.log[0]], 2),
        (table.log[:-1], len(table.log) - 1),
        ([*table.log, table.log[-1]], len(table.log)),
    ]
    for log, index in broken:
        with pytest.raises(ReplayError) as caught:
            replay(table.variant, log)
        assert caught.value.index == index


def test_hands_are_masks_of_what_was_dealt() -> None:
    """The secret event tells the hands in the order dealt; the table holds the same cards."""
    variant = rules("cancellation", 7)
    table = Table(variant, first_dealer=0)
    dealt = source_of(variant, 4).deal(variant, 1, 0)
    table.deal(dealt)
    assert table.hands == list(dealt.hands)
    assert [sorted(order) for order in dealt.hand_orders] == [list(cards_of(Hand(hand))) for hand in table.hands]
