"""What holds at every step of every game, asked in the plainest way, for tests that play.

Nothing here asks the code under test how it came to its state: tricks, takers and points are told again from the log,
by the words of the rule book.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from referee.rules.cards import Card, card_name, cards_of
from referee.rules.dealing import pack_of
from referee.rules.play import law_of
from referee.rules.variant import MoonEffect, Scoring, Variant
from referee.table.events import DealEnded, DealStarted, KittyTaken, PassDone, PlayBegan, PoolDealt, ReturnsDone
from referee.table.machine import DecisionKind, Need, Table

FIXED_TOTALS = {Scoring.BLACK_LADY: 26, Scoring.PLAIN_HEARTS: 13, Scoring.HONOURS_5: 29, Scoring.BLACK_LADY_JD: 16}
"""Points of one pack, the moon left aside."""
TWO_FREE_TOTALS = range(13, 26, 2)
"""Points of one pack where each of four seats has two hearts free."""


def check_state(table: Table) -> None:
    """Assert what holds now: cards conserved, something legal, all told alike; and a deal just scored scored right."""
    if table.needs is Need.DEAL or table.over:
        check_score(table)
        return
    lying = (table.turn - table.leader) % table.players if table.turn >= 0 else 0
    on_table = [card for card in table.log[len(table.log) - lying :] if isinstance(card, int)]
    assert len(on_table) == lying
    where = Counter(card for hand in table.hands for card in cards_of(hand))
    where.update(card for pile in table.taken for card in pile)
    where.update(table.carry)
    where.update(table.kitty)
    where.update(on_table)
    if table.needs is Need.POOL:
        where.update(table.surrendered)
    assert where == Counter(pack_of(table.variant))
    if table.kind is DecisionKind.PLAY:
        if table.trick == 1 and not on_table:
            check_passes(table)
        led = on_table[0] // 13 if on_table else -1
        hand = table.hands[table.turn]
        assert table.legal == law_of(table.variant).legal(hand, led, table.trick, table.hearts_open)
        assert table.legal
        assert table.to_act == (table.turn,)
    else:
        assert (table.turn, table.legal) == (-1, 0)
        assert (table.kind is None) == (table.needs is not None)
        assert bool(table.to_act) == (table.kind is not None)


def check_score(table: Table) -> None:
    """Assert that the last deal, if there was one, was taken and scored as its plays say."""
    if not table.log:
        return
    variant, deal = table.variant, table.log[table.deal_start :]
    (ended,) = (entry for entry in deal if isinstance(entry, DealEnded))
    taken, dead = piles(table)
    assert [Counter(pile) for pile in table.taken] == [Counter(pile) for pile in taken]
    assert Counter([*table.carry, *table.kitty]) == Counter(dead)
    started = deal[0]
    assert isinstance(started, DealStarted)
    assert ended.totals == tuple(had + got for had, got in zip(started.totals, ended.points, strict=True))
    needed = moon_cards(variant)
    shooters = [
        seat
        for seat, pile in enumerate(taken)
        if len([c for c in pile if card_name(c) in needed]) == moon_size(variant)
    ]
    assert shooters == ([] if ended.shooter is None else [ended.shooter])
    if ended.shooter is None:
        assert ended.moon is None
        assert ended.points == tuple(cost(variant.scoring, pile) for pile in taken)
        check_total(variant, ended.points, dead)
    else:
        assert ended.moon is not None
        check_moon(variant, ended, taken)


def check_total(variant: Variant, points: Sequence[int], dead: Sequence[Card]) -> None:
    """Assert that the points without a moon add up to what the scheme's pack holds less what is dead."""
    if variant.scoring in FIXED_TOTALS:
        assert sum(points) == FIXED_TOTALS[variant.scoring] * variant.packs - cost(variant.scoring, dead)
    elif variant.players == 4 and not dead:
        assert sum(points) in TWO_FREE_TOTALS


def check_moon(variant: Variant, ended: DealEnded, taken: Sequence[Sequence[Card]]) -> None:
    """Assert that the moon gives its value to all others, or takes it off the shooter, and the jack as he may."""
    others, own = (variant.moon_value, 0) if ended.moon is MoonEffect.OTHERS_PLUS else (0, -variant.moon_value)
    expected = [own if seat == ended.shooter else others for seat in range(variant.players)]
    jacks = [0] * variant.players
    if variant.scoring.endswith("_jd") and not variant.moon_needs_jd:
        jacks = [10 * [card_name(card) for card in pile].count("JD") for pile in taken]
    assert list(ended.points) == [points - jack for points, jack in zip(expected, jacks, strict=True)]
    assert variant.moon_effect in (ended.moon, MoonEffect.SHOOTER_CHOICE)


def moon_cards(variant: Variant) -> set[str]:
    """Return the names of the cards that a shooter must have taken."""
    names = {rank + "H" for rank in "23456789TJQKA"}
    if variant.scoring not in (Scoring.PLAIN_HEARTS, Scoring.HONOURS_5):
        names.add("QS")
    if variant.scoring.endswith("_jd") and variant.moon_needs_jd:
        names.add("JD")
    return names


def moon_size(variant: Variant) -> int:
    """Return how many cards make the moon, copies counted."""
    return len(moon_cards(variant)) * variant.packs


def cost(scoring: Scoring, pile: Sequence[Card]) -> int:
    """Return the points of a pile by the names of its cards."""
    names = [card_name(card) for card in pile]
    hearts = [name[0] for name in names if name[1] == "H"]
    queen = 0 if scoring in (Scoring.PLAIN_HEARTS, Scoring.HONOURS_5) else 13 * names.count("QS")
    jack = -10 * names.count("JD") if scoring.endswith("_jd") else 0
    if scoring is Scoring.TWO_FREE_DOUBLE_JD:
        return 2 * max(0, len(hearts) - 2) + queen + jack
    return sum(5 if scoring is Scoring.HONOURS_5 and rank in "JQKA" else 1 for rank in hearts) + queen + jack


def piles(table: Table) -> tuple[list[list[Card]], list[Card]]:
    """Return what each seat took in the last deal and what is dead, told from the plays alone.

    Asserts on the way that a trick's winner holds the highest card of the suit led that lies in it once, and that a
    trick without one has none.
    """
    deal = table.log[table.deal_start :]
    started = deal[0]
    assert isinstance(started, DealStarted)
    (began,) = (entry for entry in deal if isinstance(entry, PlayBegan))
    plays = [entry for entry in deal if isinstance(entry, int)]
    taken: list[list[Card]] = [[] for _ in range(table.players)]
    carry, kitty, leader = list[Card](), list(started.kitty), began.leader
    kitties = [entry for entry in deal if isinstance(entry, KittyTaken)]
    for start in range(0, len(plays), table.players):
        trick = plays[start : start + table.players]
        names = [card_name(card) for card in trick]
        lone = [name for name in names if name[1] == names[0][1] and names.count(name) == 1]
        carry += trick
        if lone:
            best = max(lone, key=lambda name: "23456789TJQKA".index(name[0]))
            leader = (leader + names.index(best)) % table.players
            taken[leader] += carry + kitty
            assert kitties == [KittyTaken(leader, started.kitty)] or not kitty
            carry, kitty = [], []
        else:
            assert table.variant.packs == 2
    assert bool(kitties) == (bool(started.kitty) and not kitty)
    return taken, carry + kitty


def check_passes(table: Table) -> None:
    """Assert that what was passed in the last deal went where it should: the hands are whole at the first play."""
    deal = table.log[table.deal_start :]
    started = deal[0]
    assert isinstance(started, DealStarted)
    hands = [Counter(hand) for hand in started.hands]
    step = {"left": 1, "right": -1, "across": table.players // 2}.get(started.direction.value, 0)
    for entry in deal:
        match entry:
            case PassDone(_, passes):
                for seat, gift in enumerate(passes):
                    hands[seat] -= Counter(gift)
                    if started.direction.value != "pool":
                        hands[(seat + step) % table.players] += Counter(gift)
            case PoolDealt(_, dealt):
                for seat, share in enumerate(dealt):
                    hands[seat] += Counter(share)
            case ReturnsDone(_, returns):
                for seat, card in enumerate(returns):
                    hands[seat] -= Counter([card])
                    hands[(seat - step) % table.players] += Counter([card])
            case PlayBegan():
                assert hands == [Counter(cards_of(hand)) for hand in table.hands]
