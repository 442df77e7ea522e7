"""The view: tracking a deal from what the wire tells, under every kind of rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot import Card, View, parse
from hearts_bot.bots.random import RandomBot
from hearts_bot.rules import Rules, winner
from hearts_bot.table import SeatTable

from referee.rules.cards import HEARTS, cards_of
from referee.rules.cards import Card as RefereeCard
from referee.rules.presets import resolve
from referee.rules.scoring import card_points, points_of, scoring_mask
from referee.rules.tricks import winner as referee_winner
from referee.rules.variant import KittyView, Scoring, Variant
from referee.table.events import KittyTaken
from referee.table.machine import DecisionKind, Table
from tests.bots.local import LocalMatch, opened, rule_set, source_of, wire
from tests.e2e.variants.catalogue import CANCELLATION, CLASSIC, OTHERS, Entry

KINDS = (
    *(Entry(f"hoemke-{digits}", 4) for digits in ("1144", "2233", "3321", "4412")),
    *(*CLASSIC, *CANCELLATION, *OTHERS),
)
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def shortened(kind: Entry, deals: int) -> Variant:
    """Return the rules of *kind* with so many deals a match."""
    return replace(kind.variant(), deals=deals, target=None)


def agree(table: Table, seat: SeatTable) -> None:
    """Hold what the kit shows at *seat* against what the referee's table knows."""
    view = seat.view
    position = view.position
    assert view.deal == table.number
    assert view.dealer == table.dealer
    assert view.direction == table.direction.value
    assert view.totals == table.totals
    assert view.hand == numbers(cards_of(table.hands[position]))
    if table.kind is DecisionKind.PLAY:
        assert view.kind == "play"
        assert view.trick_leader == table.leader
        assert len(view.tricks) == table.trick - 1
        assert list(view.legal) == [card for card in range(52) if table.legal >> card & 1]
    assert numbers(view.carried) == numbers(table.carry)
    hidden = len(next((entry.cards for entry in table.log[table.deal_start :] if isinstance(entry, KittyTaken)), ()))
    open_kitty = table.variant.kitty_view is KittyView.ALL
    for other in range(view.players):
        sees_all = other == position or view.kitty_taker != other or open_kitty
        missing = 0 if sees_all else hidden
        assert len(table.taken[other]) - len(view.taken[other]) == missing
        if not missing:
            assert numbers(sorted(view.taken[other])) == numbers(sorted(table.taken[other]))
            assert view.points[other] == points_of(table.variant.scoring, table.taken[other])
        for suit in view.voids[other]:
            # A suit that was not followed is not held. Passing is over by then, so it does not come back.
            assert not any(card // 13 == suit for card in cards_of(table.hands[other]))
    elsewhere = [card for other, hand in enumerate(table.hands) if other != position for card in cards_of(hand)]
    seen = view.kitty_taker == position or (open_kitty and view.kitty_taker is not None)
    unseen_kitty = [] if seen else list(kitty_of(table))
    assert sorted(view.unseen) == sorted(elsewhere + unseen_kitty)


def numbers(cards: Iterable[int]) -> tuple[int, ...]:
    """Return *cards* as they are, with one type for those of the kit and of the referee."""
    return tuple(cards)


def kitty_of(table: Table) -> tuple[int, ...]:
    """Return the kitty of the current deal, wherever it is."""
    for entry in table.log[table.deal_start :]:
        if isinstance(entry, KittyTaken):
            return entry.cards
    return table.kitty


@each_kind
def test_the_view_agrees_with_the_table_at_every_decision(kind: Entry) -> None:
    """Hands, tricks, voids, piles and unseen cards are those of the referee, in every deal of a match."""
    variant = shortened(kind, 4)
    bots = [RandomBot() for _ in range(variant.players)]
    LocalMatch(variant, source_of(variant, 11), bots, watch=agree).run()


@each_kind
def test_a_snapshot_is_enough(kind: Entry) -> None:
    """A bot that starts in the middle of a deal sees the same as one that was there, and plays the same."""
    variant = shortened(kind, 4)

    def restart(table: Table, seat: SeatTable) -> None:
        position = seat.view.position
        if (sum(hand.bit_count() for hand in table.hands) + position) % 7:
            return
        fresh = SeatTable(RandomBot(), opened(variant, position), strict=True)
        update = match.update(position, since=table.deal_start)
        update.snapshot = True
        request = pb.PlayRequest()
        fresh.update(update, request)
        agree(table, fresh)
        assert fresh.view.passed == seat.view.passed
        assert fresh.view.received == seat.view.received
        again = pb.PlayRequest()
        seat.update(update, again)  # the bot that was there is sent the snapshot after a reconnect
        agree(table, seat)
        assert request == again

    match = LocalMatch(variant, source_of(variant, 12), [RandomBot() for _ in range(variant.players)], watch=restart)
    match.run()


def test_the_view_agrees_where_nobody_wins_a_trick() -> None:
    """Sixty deals of six players: the same leader goes on, cards are carried, and a kitty waits for its taker."""
    variant = resolve("cancellation", players=6, overrides={"deals": 60})
    seen = set()

    def watch(table: Table, seat: SeatTable) -> None:
        agree(table, seat)
        view = seat.view
        tricks = view.tricks
        for number, trick in enumerate(tricks):
            if trick.winner is None:
                seen.add("kitty waits" if number == 0 and view.kitty_taker is None else "carried")
                assert trick.leader == (tricks[number + 1].leader if tricks[number + 1 :] else view.trick_leader)

    LocalMatch(variant, source_of(variant, 2), [RandomBot() for _ in range(6)], watch=watch).run()
    assert "carried" in seen


def test_the_same_seed_gives_the_same_plays_whatever_came_before() -> None:
    """A match that goes on from its third deal is played like the third deal of the whole match."""
    variant = resolve("standard", overrides={"deals": 4})
    whole = LocalMatch(variant, source_of(variant, 5), [RandomBot() for _ in range(4)]).run()
    rest = LocalMatch(variant, source_of(variant, 5), [RandomBot() for _ in range(4)], first_deal=3)
    rest.table.deals_played = 2
    rest.run()
    assert rest.plays == whole.plays[104:]
    other = LocalMatch(variant, source_of(variant, 5), [RandomBot() for _ in range(4)], seeds=(1, 2, 3, 4)).run()
    assert other.plays != whole.plays


def test_random_is_one_generator_per_decision() -> None:
    """Asking twice within a decision goes on with the same generator; the next decision has its own."""
    view = View(opened(resolve("standard"), 0))
    update = pb.SeatUpdate(seat=100, decision=1, kind=pb.DECISION_KIND_PASS)
    view.note(update)
    first = view.random
    assert view.random is first
    drawn = first.random()
    view.note(update)
    assert view.random is not first
    assert view.random.random() == drawn


def test_voids_and_tricks_of_a_known_deal() -> None:
    """Who played what follows from the leader; a card of another suit shows a void."""
    view = View(opened(resolve("standard"), 2))
    update = pb.SeatUpdate(seat=102)
    update.deal.number = 4
    update.deal.hand.extend(wire(parse("5C 6C 7C")))  # type: ignore[arg-type]
    update.play.leader = 1
    update.plays.extend(wire(parse("2C 5C AC QS 3D")))  # type: ignore[arg-type]
    view.note(update)
    (trick,) = view.tricks
    assert trick.winner == 3
    assert [trick.card_of(position).name for position in range(4)] == ["QS", "2C", "5C", "AC"]
    assert view.trick == parse("3D")
    assert view.trick_leader == 3
    assert view.voids == [{0}, set(), set(), set()]
    assert view.points == (0, 0, 0, 13)
    assert view.hand == parse("6C 7C")


def test_a_trick_nobody_wins_is_carried_to_the_next_winner() -> None:
    """The same leader leads again, and the next winner collects both tricks."""
    view = View(opened(resolve("cancellation", players=6), 0))
    update = pb.SeatUpdate(seat=100)
    update.play.leader = 3
    update.plays.extend(wire(parse("JC JC TC TC 9C 9C")))  # type: ignore[arg-type]
    view.note(update)
    assert view.tricks[0].winner is None
    assert view.trick_leader == 3
    assert len(view.carried) == 6
    update = pb.SeatUpdate(seat=100)
    update.plays.extend(wire(parse("5H KH KH 3H 2C 4D")))  # type: ignore[arg-type]
    view.note(update)
    assert view.tricks[1].winner == 3
    assert len(view.taken[3]) == 12
    assert view.points[3] == 4


@pytest.mark.parametrize("scoring", list(Scoring))
def test_prices_are_those_of_the_rules(scoring: Scoring) -> None:
    """Every card costs what the rules of the scheme say, and a moon needs as many cards."""
    variant = resolve("standard", overrides={"scoring": scoring.value})
    rules = Rules.from_wire(rule_set(variant))
    assert rules.prices == card_points(scoring)
    assert rules.moon_cards == scoring_mask(scoring).bit_count()
    hearts = [Card(HEARTS * 13 + rank) for rank in range(13)]
    for count in range(14):
        expected = points_of(scoring, [RefereeCard(card) for card in hearts[:count]])
        assert rules.points_of(hearts[:count]) == expected


@pytest.mark.parametrize(
    "text", ["5D 9D AH TD", "5D AS AH 2C", "JC TC 9C 8C 4C JC", "JC JC TC TC 9C 9C", "9C 9C AS KH QD 2D", "5C KH KH 2C"]
)
@pytest.mark.parametrize("cancellation", [False, True])
def test_winners_are_those_of_the_rules(text: str, cancellation: bool) -> None:
    """The kit and the referee name the same winner."""
    cards = parse(text)
    assert winner(cards, cancellation) == referee_winner([RefereeCard(card) for card in cards], cancellation)


def test_receivers() -> None:
    """Left is the next position, and who passes to nobody has no receiver."""
    rules = Rules.from_wire(rule_set(resolve("standard")))
    assert [rules.receiver(3, direction) for direction in ("left", "right", "across")] == [0, 2, 1]
    assert [rules.receiver(3, direction) for direction in ("hold", "none", "pool")] == [None] * 3


def test_cards_read_and_print_by_name() -> None:
    """A card is its number, prints as its name, and is read from it; anything else is refused by name."""
    deck = [Card(number) for number in range(52)]
    assert all(low < high for low, high in pairwise(deck))
    assert parse(" ".join(map(str, deck))) == tuple(deck)
    assert f"{deck[36]} {deck[36]!r}" == "QS QS"
    with pytest.raises(ValueError, match="'1S' is not a card"):
        parse("QS 1S")
    with pytest.raises(ValueError, match="52 is no card"):
        Card(52)
