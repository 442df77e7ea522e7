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
from hearts_bot.cards import CARDS, Card
from hearts_bot.table import SeatTable

from referee.rules.cards import Card as RefereeCard
from referee.rules.cards import hand_of
from referee.rules.dealing import DealSource, Dealt
from referee.rules.presets import resolve
from referee.rules.variant import Variant
from referee.table.machine import DecisionKind, Table
from tests.bots.local import LocalMatch, opened, source_of, wire
from tests.bots.strength import compare
from tests.bots.test_view import each_kind, shortened
from tests.e2e.variants.catalogue import Entry

BOTS = (FirstLegal, RandomBot, Cautious, Counter)
SIZES = (("classic", 3, 40), ("classic", 5, 20), ("classic", 7, 12), ("cancellation", 6, 20), ("cancellation", 11, 8))
SCHEMES = ("hoemke-2221", "hoemke-2222", "hoemke-2223", "hoemke-2224")


def variant_of(preset: str, players: int, deals: int = 3) -> Variant:
    """Return a rule set with so many deals."""
    return resolve(preset, players=players, overrides={"deals": deals})


@each_kind
def test_every_bot_plays_every_kind_of_rules_and_never_fails(kind: Entry) -> None:
    """All bots at one table: no exception, nothing illegal, and the same match again gives the same plays."""
    variant = shortened(kind, 3)
    plays = []
    for _ in range(2):
        bots: list[Bot] = [BOTS[seat % len(BOTS)]() for seat in range(variant.players)]
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


class MoonDeal(DealSource):
    """A deal in which position 0 wins all tricks with its highest cards."""

    def deal(self, variant: Variant, number: int, dealer: int) -> Dealt:
        """Return it."""
        mine = parse("AC AS KS QS AH KH QH JH TH 9H 8H 7H 6H")
        rest = [card for card in CARDS if card not in mine]
        hands = [[RefereeCard(card) for card in cards] for cards in (mine, *(rest[seat::3] for seat in range(3)))]
        return Dealt(tuple(map(hand_of, hands)), tuple(map(tuple, hands)), ())


@pytest.mark.parametrize("bot", BOTS)
def test_every_bot_decides_what_its_moon_shall_do(bot: type[Bot]) -> None:
    """Who has taken all is asked, in the last of its decisions, and what it answers is what happens."""

    class Shooter(bot):  # type: ignore[misc,valid-type]
        def play(self, view: View) -> Card:
            return max(view.legal, key=lambda card: card.rank)

    variant = resolve("classic", players=4, overrides={"deals": 1, "pass_mode": "none"})
    asked: list[str] = []

    def watch(table: Table, seat: SeatTable) -> None:
        if table.kind is DecisionKind.MOON:
            asked.append(seat.bot.moon(seat.view))

    bots: list[Bot] = [Shooter(), *(RandomBot() for _ in range(3))]
    match = LocalMatch(variant, MoonDeal(b"", "", "moon", "1"), bots, watch=watch).run()
    assert len(asked) == 1
    assert match.points == [(0, 26, 26, 26) if asked[0] == "others_plus" else (-26, 0, 0, 0)]


def test_the_counter_beats_the_cautious_and_that_beats_random() -> None:
    """Each gap is clear of its error already in two hundred deals."""
    variant = variant_of("standard", 4, deals=4)
    for better, worse in ((Counter, Cautious), (Cautious, RandomBot)):
        gap = compare(better, worse, variant, boards=10)
        assert gap.deals == 240
        assert gap.difference > 2 * gap.error, f"{better.__name__} against {worse.__name__}: {gap}"


@pytest.mark.full
@pytest.mark.parametrize(("preset", "players", "boards"), SIZES)
def test_thinking_pays_at_every_table_size(preset: str, players: int, boards: int) -> None:
    """The counter is better than the random bot by far, and no worse than the cautious one, wherever they sit."""
    variant = variant_of(preset, players, deals=2)
    over_random = compare(Counter, RandomBot, variant, boards=boards // 4)
    assert over_random.difference > 2 * over_random.error, str(over_random)
    over_cautious = compare(Counter, Cautious, variant, boards=boards)
    assert over_cautious.difference > -2 * over_cautious.error, str(over_cautious)


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


def test_a_card_that_cancels_ducks() -> None:
    """With two packs the second king of a trick is no winner, so the cautious bot is rid of it."""
    view = view_of("2C KC AC", "TC KC QS 3C", leader=4, preset="cancellation")
    update = pb.SeatUpdate(seat=100, decision=1, kind=pb.DECISION_KIND_PLAY)
    update.legal.extend(wire(parse("2C KC AC")))  # type: ignore[arg-type]
    view.note(update)
    assert Cautious().play(view).name == "KC"
    assert not Count(view).beats(parse("KC")[0])


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


def test_any_card_of_the_moon_elsewhere_ends_it() -> None:
    """Hearts that cost nothing yet stop the moon all the same, and so does the jack of diamonds where he is needed."""
    plays = "2C 3C 4C AC AS QS 2S 3S AH 2H 3H 4H KH 8H 9H TH"
    assert moon_shooter(view_of("2D", plays, preset="hoemke-2224")) == 3
    free = view_of("2D", plays + " 5H QH 3D 2C", preset="hoemke-2224")
    assert free.points[0] == 0
    assert moon_shooter(free) is None
    assert moon_shooter(view_of("2D", plays + " 3D JD 4D 5D", preset="hoemke-2224")) is None


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
