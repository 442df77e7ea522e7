"""What a seat sees, and that nothing else reaches it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee.rules.cards import Card, Hand, cards_of
from referee.rules.passing import pass_giver
from referee.rules.variant import MoonEffect, PassDirection, Variant
from referee.table.events import (
    CardReturned,
    CardsPassed,
    DealEnded,
    DealStarted,
    Entry,
    KittyTaken,
    MoonChosen,
    PassDone,
    PoolDealt,
    ReturnsDone,
)
from referee.table.machine import DecisionKind, Table
from referee.table.observe import PassReceived, PoolReceived, ReturnReceived, SeatDealStarted, observe
from tests.table.players import ALL_KINDS, cards, decide, random_game, rules, source_of, supply, table_with


def test_a_card_comes_back_from_the_seat_that_one_passed_to() -> None:
    """Who passes left gives a card back to the right, and gets one from the left."""
    table = Table(rules("hoemke-3233"), first_dealer=0)
    supply(table, source_of(table.variant, 1))
    while table.kind is not DecisionKind.PLAY:
        decide(table)
    done = next(entry for entry in table.log if isinstance(entry, ReturnsDone))
    for seat in range(4):
        seen = [entry for entry in observe(table.log, seat, table.variant) if isinstance(entry, ReturnReceived)]
        assert seen == [ReturnReceived(done.returns[seat], done.returns[(seat + 1) % 4])]
        assert seen[0].received in (table.passes[seat] or ())


def test_the_pool_is_seen_by_what_one_gave_and_got() -> None:
    """With a pool nothing is seen until it is dealt back."""
    variant = rules("hoemke-4233", deals=1)
    table = random_game(variant, 1)
    pool = next(entry for entry in table.log if isinstance(entry, PoolDealt))
    for seat in range(4):
        seen = observe(table.log, seat, variant)
        assert not any(isinstance(entry, PassReceived) for entry in seen)
        assert PoolReceived(pool.passes[seat], tuple(sorted(pool.dealt[seat]))) in seen


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_observations_of_pieces_add_up(preset: str, players: int) -> None:
    """A log observed piece by piece gives what it gives at once: each entry tells all that is needed."""
    variant = rules(preset, players, deals=3)
    log = random_game(variant, 7).log
    for seat in range(players):
        pieces = [seen for entry in log for seen in observe([entry], seat, variant)]
        assert pieces == observe(log, seat, variant)


def other_cards(rng: Random, count: int) -> tuple[Card, ...]:
    """Return some cards, whatever they are."""
    return tuple(Card(number) for number in rng.sample(range(52), count))


def scrambled(entry: Entry, seat: int, variant: Variant, rng: Random) -> Entry:
    """Return *entry* with everything that is hidden from *seat* replaced by something else."""
    players = range(variant.players)

    def hide(shares: tuple[tuple[Card, ...], ...], *known: int) -> tuple[tuple[Card, ...], ...]:
        return tuple(shares[at] if at in known else other_cards(rng, len(shares[at])) for at in players)

    world = entry
    match entry:
        case DealStarted():
            world = replace(entry, hands=hide(entry.hands, seat), kitty=other_cards(rng, len(entry.kitty)))
        case PassDone(direction, passes):
            giver = seat if direction is PassDirection.POOL else pass_giver(variant.players, direction, seat)
            world = PassDone(direction, hide(passes, seat, giver))
        case ReturnsDone(direction, returns):
            back = (seat + variant.pass_offset(direction)) % variant.players
            world = ReturnsDone(direction, tuple(returns[at] if at in (seat, back) else Card(at) for at in players))
        case PoolDealt(passes, dealt):
            world = PoolDealt(hide(passes, seat), hide(dealt, seat))
        case KittyTaken(taker, taken) if taker != seat:
            world = KittyTaken(taker, other_cards(rng, len(taken)))
        case CardsPassed(giver, given) if giver != seat:
            world = CardsPassed(rng.choice(players), other_cards(rng, len(given)))
        case CardReturned(giver, _) if giver != seat:
            world = CardReturned(rng.choice(players), Card(rng.randrange(52)))
    return world


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_logs_that_differ_only_in_what_is_hidden_look_the_same(preset: str, players: int) -> None:
    """Every hidden field of every entry replaced by something else: not one observation changes."""
    variant = rules(preset, players, deals=4)
    log, rng = random_game(variant, 11).log, Random(1)
    for seat in range(players):
        world = [scrambled(entry, seat, variant, rng) for entry in log]
        assert world != log
        assert observe(world, seat, variant) == observe(log, seat, variant)


def test_nothing_of_the_seats_future_is_in_its_observation() -> None:
    """While others are still to pass, a seat sees its hand and nothing more."""
    table = table_with(rules(), {0: "AS KS QS"})
    table.pass_cards(0, cards("AS KS QS"))
    for seat in range(4):
        (seen,) = observe(table.log, seat, table.variant)
        assert isinstance(seen, SeatDealStarted)
        assert seen.hand == cards_of(Hand(table.hands[seat]))


def test_the_score_is_seen_by_all() -> None:
    """Points, totals and what a moon did are public; the shooter's choice is told by them and by nothing else."""
    ended = DealEnded((26, 0, 26, 26), (26, 0, 26, 26), 1, MoonEffect.OTHERS_PLUS)
    log: list[Entry] = [MoonChosen(1, MoonEffect.OTHERS_PLUS), ended]
    for seat in range(4):
        assert observe(log, seat, rules("classic", 4)) == [ended]
