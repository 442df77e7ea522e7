"""The sample bots: legal under every kind of rules, repeatable, and as strong as they claim to be."""

from __future__ import annotations

import pytest
from hearts.v1 import referee_service_pb2 as pb
from hearts_bot import Bot, View, parse
from hearts_bot.bots.cautious import Cautious
from hearts_bot.bots.counter import Counter, best_pass, moon_shooter, suit_cost
from hearts_bot.bots.counting import Count
from hearts_bot.bots.first_legal import FirstLegal
from hearts_bot.bots.random import RandomBot
from hearts_bot.cards import Card
from hearts_bot.table import SeatTable

from referee.rules.presets import resolve
from referee.rules.variant import Variant
from referee.table.machine import Table
from tests.bots.local import LocalMatch, opened, source_of, wire
from tests.bots.strength import compare
from tests.bots.test_view import KINDS

BOTS = (FirstLegal, RandomBot, Cautious, Counter)
SCHEMES = ("hoemke-2221", "hoemke-2222", "hoemke-2223", "hoemke-2224")


def variant_of(preset: str, players: int, deals: int = 3) -> Variant:
    """Return a rule set with so many deals."""
    return resolve(preset, players=players, overrides={"deals": deals})


@pytest.mark.parametrize(("preset", "players"), KINDS)
def test_every_bot_plays_every_kind_of_rules_and_never_fails(preset: str, players: int) -> None:
    """All bots at one table: no exception, nothing illegal, and the same match again gives the same plays."""
    variant = variant_of(preset, players)
    plays = []
    for _ in range(2):
        bots: list[Bot] = [BOTS[seat % len(BOTS)]() for seat in range(players)]
        plays.append(LocalMatch(variant, source_of(variant, 3), bots, strict=True).run().plays)
    assert plays[0] == plays[1]


@pytest.mark.parametrize("bot", BOTS)
def test_a_restarted_bot_decides_the_same(bot: type[Bot]) -> None:
    """What a bot answers follows from the deal so far and its seed alone."""
    variant = variant_of("classic", 5)

    def restart(table: Table, seat: SeatTable) -> None:
        update = match.update(seat.view.position, since=table.deal_start)
        update.snapshot = True
        answers = [pb.PlayRequest(), pb.PlayRequest()]
        fresh = SeatTable(bot(), opened(variant, seat.view.position), strict=True)
        for one, request in zip((fresh, seat), answers, strict=True):
            one.update(update, request)
        assert answers[0] == answers[1]

    match = LocalMatch(variant, source_of(variant, 4), [bot() for _ in range(5)], watch=restart)
    match.run()


def test_the_counter_beats_the_cautious_and_that_beats_random() -> None:
    """Each gap is clear of its error already in two hundred deals."""
    variant = variant_of("standard", 4, deals=4)
    for better, worse in ((Counter, Cautious), (Cautious, RandomBot)):
        gap = compare(better, worse, variant, boards=10)
        assert gap.deals == 240
        assert gap.difference > 2 * gap.error, f"{better.__name__} against {worse.__name__}: {gap}"


@pytest.mark.full
@pytest.mark.parametrize("preset", SCHEMES)
def test_the_counter_is_better_under_every_scoring(preset: str) -> None:
    """Its weights hold for other prices of the cards too."""
    gap = compare(Counter, Cautious, variant_of(preset, 4, deals=4), boards=25)
    assert gap.difference > 2 * gap.error, str(gap)


def view_of(hand: str, plays: str = "", *, leader: int = 0, preset: str = "standard") -> View:
    """Return what position 0 sees with *hand* left, after *plays*; the hand as dealt is what it takes to get there."""
    rules, played = opened(resolve(preset), 0), parse(plays)
    update = pb.SeatUpdate(seat=100)
    update.play.leader = leader
    update.plays.extend(wire(played))  # type: ignore[arg-type]
    onlooker = View(rules)
    onlooker.note(update)
    own = [trick.card_of(0) for trick in onlooker.tricks]
    update.deal.number = 1
    update.deal.hand.extend(wire([*own, *parse(hand)]))  # type: ignore[arg-type]
    view = View(rules)
    view.note(update)
    return view


def test_counting_knows_winners_and_voids() -> None:
    """A card that nothing beats wins for sure; a suit not followed is not held; a seat that has played cannot beat."""
    view = view_of("KC 3D", "2C AC 5C 6D AD 4D QD KD", leader=0)
    count = Count(view)
    assert count.chance(Card(11)) == 1.0  # the ace of clubs is gone
    assert count.height(Card(11)) == 1.0
    assert count.void[0][3] == 1.0
    assert count.void[0][1] < 1.0
    assert count.share[0][3] == 0.0
    assert not Count(view_of("3D", "9D", leader=3)).beats(parse("3D")[0])


def test_the_counter_ducks_a_trick_with_the_queen() -> None:
    """It plays under the winner when the queen lies on the table, however high its card below is."""
    view = view_of("9C 2C AC", "TC QS 3C", leader=1)
    update = pb.SeatUpdate(seat=100, decision=1, kind=pb.DECISION_KIND_PLAY)
    update.legal.extend(wire(parse("2C 9C AC")))  # type: ignore[arg-type]
    view.note(update)
    assert Counter().play(view) in parse("2C 9C")
    assert Cautious().play(view).name == "9C"


def test_a_guarded_queen_is_kept_and_a_bare_one_passed() -> None:
    """With low spades the queen is a weapon; without them she is a burden."""
    bare = view_of("QS 2C 3C 5C 4C 3D 2D 4D 5D 2H 3H 4H 5H")
    guarded = view_of("QS 2S 3S 4S 5S 2C TC KC AC 2D QD KD AD")
    assert parse("QS")[0] in best_pass(bare)
    assert parse("QS")[0] not in best_pass(guarded)


def test_the_best_pass_is_the_best_of_all() -> None:
    """Judging suit by suit finds the same cost as trying all combinations."""
    from itertools import combinations

    view = view_of("QS 8S KS 2C TC KC AC 2D QD KD 3H JH AH")

    def cost(kept: list[Card]) -> float:
        return sum(suit_cost(view, suit, [card for card in kept if card.suit == suit]) for suit in range(4))

    passed = best_pass(view)
    assert len(set(passed)) == 3
    every = [[card for card in view.hand if card not in three] for three in combinations(view.hand, 3)]
    assert cost([card for card in view.hand if card not in passed]) == pytest.approx(min(map(cost, every)))


def test_a_moon_in_sight_is_noticed() -> None:
    """One other seat with most of the points is a shooter; points in two piles are no moon."""
    plays = "2C 3C 4C AC AS QS 2S 3S AH 2H 3H 4H"
    alone = view_of("2D", plays)
    assert alone.points[3] == 17
    assert moon_shooter(alone) == 3
    shared = view_of("2D", plays + " 5H KH 6H 7H")
    assert shared.points[0] == 4
    assert moon_shooter(shared) is None
    assert moon_shooter(view_of("2D", plays[:11])) is None
