"""The table by cases: tricks, hearts, moons, and the end of a game. Ids are those of the rule book."""

from __future__ import annotations

import pytest

from referee.rules.cards import card_name, parse_card
from referee.rules.play import Violation
from referee.rules.scoring import points_of
from referee.rules.variant import MoonEffect, Termination
from referee.table.events import DealEnded, GameEnded, KittyTaken
from referee.table.machine import DecisionKind, Need, Table
from referee.table.substitute import substitute_moon, substitute_play
from tests.table.players import (
    FREE,
    NO_PASS,
    cards,
    deal_with,
    decide,
    play,
    play_trick,
    random_game,
    rules,
    table_with,
    text_of,
)


def points(table: Table, seat: int) -> int:
    """Return what the cards that *seat* has taken so far count."""
    return points_of(table.variant.scoring, table.taken[seat])


def after_first_trick(hearts_lead: str, discard: str) -> Table:
    """Return a table at which P1 leads trick two with 5H 6D and more, *discard* having fallen on trick one."""
    table = table_with(rules(**FREE, hearts_lead=hearts_lead), {1: "AC 5H 6D", 2: discard}, void={2: "C"})
    play(table, f"AC {discard}")
    play_trick(table)
    assert table.turn == 1
    return table


@pytest.mark.parametrize(
    ("hearts_lead", "discard", "may_lead_hearts"),
    [
        ("broken_by_heart", "QS", False),  # T37, standard
        ("broken_by_heart_or_qs", "QS", True),  # T37, classic and cancellation
        ("broken_by_heart", "2H", True),  # T38
        ("broken_by_heart_or_qs", "2H", True),
        ("after_trick_1", "2D", True),
        ("after_trick_3", "2H", False),
        ("after_plain_suits_led", "2H", False),
    ],
)
def test_t37_t38_what_breaks_hearts(hearts_lead: str, discard: str, may_lead_hearts: bool) -> None:
    """The queen breaks hearts only where the rules say so; a heart discarded in an earlier trick does."""
    table = after_first_trick(hearts_lead, discard)
    assert bool(table.legal >> parse_card("5H") & 1) is may_lead_hearts
    assert table.legal >> parse_card("6D") & 1
    refusal = table.play(1, parse_card("5H")) if not may_lead_hearts else Violation.HEARTS_CLOSED
    assert refusal is Violation.HEARTS_CLOSED


def test_t39_hearts_open_with_the_fourth_trick() -> None:
    """Trick three is closed though a heart fell; trick four is open."""
    variant = rules(**FREE, hearts_lead="after_trick_3")
    table = table_with(variant, {1: "AC KC QC AD KD 5H", 2: "2H"}, void={2: "C"})
    play(table, "AC 2H")
    play_trick(table)
    play(table, "KC")
    play_trick(table)
    assert table.trick == 3
    assert not table.legal >> parse_card("5H") & 1
    play(table, "AD")
    play_trick(table)
    assert (table.trick, table.turn) == (4, 1)
    assert table.legal >> parse_card("5H") & 1


def test_t41_discards_of_a_suit_do_not_count_as_leads() -> None:
    """Clubs and diamonds led, spades only discarded: hearts stay closed until a spade is led too."""
    variant = rules(**FREE, hearts_lead="after_plain_suits_led")
    table = table_with(variant, {1: "AC AD AS 5H", 2: "3S 4S 5S"}, void={2: "CD"})
    play(table, "AC 3S")
    play_trick(table)
    play(table, "AD 4S")
    play_trick(table)
    assert not table.legal >> parse_card("5H") & 1
    play(table, "AS 5S")
    play_trick(table)
    assert (table.trick, table.turn) == (4, 1)
    assert table.legal >> parse_card("5H") & 1


@pytest.mark.parametrize(
    "hearts_lead", ["broken_by_heart", "broken_by_heart_or_qs", "after_trick_3", "after_plain_suits_led"]
)
def test_t42_nothing_but_hearts_may_be_led_though_closed(hearts_lead: str) -> None:
    """A leader who holds only hearts leads any of them."""
    variant = rules(**FREE, hearts_lead=hearts_lead)
    table = table_with(variant, {1: "AC 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"})
    play(table, "AC")
    play_trick(table)
    assert table.turn == 1
    assert not table.hearts_open
    assert table.legal == table.hands[1]


def test_t44_the_queen_may_be_led_while_hearts_are_closed() -> None:
    """In trick two of `classic`, of QS 9H 4D the queen and the diamond may be led."""
    variant = rules("classic", 4, **FREE)
    table = table_with(variant, {1: "AC QS 9H 4D"})
    play(table, "AC")
    play_trick(table)
    legal = text_of(table.legal)
    assert "QS" in legal
    assert "4D" in legal
    assert "9H" not in legal


def test_t46_hearts_are_closed_again_in_the_next_deal() -> None:
    """What opened hearts in one deal is forgotten in the next, the counts of leads included."""
    for hearts_lead in ("broken_by_heart", "after_plain_suits_led"):
        variant = rules(**FREE, hearts_lead=hearts_lead, deals=2)
        table = Table(variant, first_dealer=3)
        table.deal(deal_with(variant, {}))
        while table.needs is None:
            decide(table)
        assert table.hearts_open
        table.deal(deal_with(variant, {1: "AC 5H 6D"}))
        play(table, "AC")
        play_trick(table)
        assert table.turn == 1
        assert not table.hearts_open
        assert not table.legal >> parse_card("5H") & 1


def test_t47_off_suit_cards_cannot_win() -> None:
    """5D is led, AS AH 2C follow: the leader wins."""
    table = table_with(rules(**FREE), {1: "5D", 2: "AS", 3: "AH", 0: "2C"}, void={2: "D", 3: "D", 0: "D"})
    play(table, "5D AS AH 2C")
    assert (table.turn, table.leader, table.trick) == (1, 1, 2)
    assert table.taken[1] == list(cards("5D AS AH 2C"))


def test_t48_t49_the_highest_of_the_suit_led_wins_and_leads() -> None:
    """5D 9D AH TD: TD wins one point, and its player leads next."""
    table = table_with(rules(**FREE), {3: "5D", 0: "9D", 1: "AH", 2: "TD"}, void={1: "D"}, dealer=2)
    play(table, "5D 9D AH TD")
    assert table.turn == 2
    assert [points(table, seat) for seat in range(4)] == [0, 0, 1, 0]


def moon_table(
    preset: str = "standard", shooter: int = 1, totals: tuple[int, ...] | None = None, **overrides: str
) -> Table:
    """Return a table at which *shooter* has just taken every trick: thirteen clubs against three voids."""
    clubs = "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC"
    table = table_with(rules(preset, 4, **(NO_PASS | overrides)), {shooter: clubs}, totals=totals)
    while table.turn >= 0:
        play(table, card_name(substitute_play(table)))
    return table


def test_t56_a_moon_gives_the_others_26() -> None:
    """All hearts and the queen: nothing for the shooter, 26 for everybody else."""
    ended = moon_table().log[-1]
    assert ended == DealEnded((26, 0, 26, 26), (26, 0, 26, 26), 1, MoonEffect.OTHERS_PLUS)


def test_t57_a_moon_may_be_taken_off_the_shooter() -> None:
    """With `self_minus` the shooter gets -26 and nobody else anything."""
    assert moon_table(moon_effect="self_minus").totals == (0, -26, 0, 0)


def test_t57_the_shooter_chooses() -> None:
    """With the choice, the deal is scored only when the shooter has chosen, and as chosen."""
    table = moon_table("classic")
    assert (table.kind, table.to_act, table.needs) == (DecisionKind.MOON, (1,), None)
    assert table.choose_moon(0, MoonEffect.SELF_MINUS) is Violation.OUT_OF_TURN
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is None
    assert table.totals == (0, -26, 0, 0)
    assert table.choose_moon(1, MoonEffect.SELF_MINUS) is Violation.WRONG_DECISION


def test_t66_a_nonsense_choice_is_refused_and_the_substitute_is_others_plus() -> None:
    """What is no effect changes nothing; the substitute gives the others 26."""
    table = moon_table("classic")
    assert table.choose_moon(1, MoonEffect.SHOOTER_CHOICE) is Violation.NOT_A_MOON_EFFECT
    assert table.kind is DecisionKind.MOON
    assert table.choose_moon(1, substitute_moon(table)) is None
    assert table.totals == (26, 0, 26, 26)


def test_t67_the_game_ends_when_a_total_reaches_the_target() -> None:
    """100/60/50/74 with target 100: over, and P2 has won."""
    table = moon_table(shooter=2, totals=(74, 34, 50, 48))
    assert table.over
    assert table.log[-1] == GameEnded(Termination.TARGET, (4, 2, 1, 3), (100, 60, 50, 74))
    assert (table.kind, table.needs, table.to_act) == (None, None, ())


def test_t70_a_tie_for_the_lowest_total_is_shared_or_played_on() -> None:
    """104/40/40/76: two winners; with `play_on` another deal is needed."""
    shared = moon_table(totals=(78, 40, 14, 50))
    assert shared.log[-1] == GameEnded(Termination.TARGET, (4, 1, 1, 3), (104, 40, 40, 76))
    on = moon_table(totals=(78, 40, 14, 50), tie_for_lowest="play_on")
    assert (on.over, on.needs, on.number) == (False, Need.DEAL, 2)


def cancelling(hands: dict[int, str], dealer: int = 2) -> Table:
    """Return a table for six with two packs, nothing passed, at which the seat after *dealer* leads."""
    return table_with(rules("cancellation", 6, **NO_PASS), hands, dealer=dealer)


def pairs_table() -> Table:
    """Return a table at which P3 can lead two tricks that nobody wins, and then P1 can win one."""
    hands = {3: "JC KD 2S", 4: "JC KD 3S", 5: "TC QD 4S", 0: "TC QD 5S", 1: "9C JD AS", 2: "9C JD 6S"}
    return cancelling(hands)


def test_t74_t81_nobody_wins_a_trick_of_pairs_and_the_leader_leads_again() -> None:
    """JC JC TC TC 9C 9C: set aside; P3 leads again, the kitty stays on the table."""
    table = pairs_table()
    play(table, "JC JC TC TC 9C 9C")
    assert (table.turn, table.trick) == (3, 2)
    assert table.carry == list(cards("JC JC TC TC 9C 9C"))
    assert len(table.kitty) == 2
    assert not table.hearts_open
    assert not any(table.taken)


def test_t83_the_next_winner_takes_what_was_set_aside() -> None:
    """Two tricks without a winner, then P1 wins: three tricks and the kitty are his."""
    table = pairs_table()
    play(table, "JC JC TC TC 9C 9C KD KD QD QD JD JD 2S 3S 4S 5S AS 6S")
    assert table.turn == 1
    assert len(table.taken[1]) == 18 + 2
    assert table.carry == []
    assert table.kitty == ()
    taken = next(entry for entry in table.log if isinstance(entry, KittyTaken))
    assert (taken.seat, len(taken.cards)) == (1, 2)


CANCELLED = [
    ("t73", "JC TC 9C 8C 4C JC", "", 4, 0),
    ("t75", "9C 9C AS KH QD 2D", "5012", None, 0),
    ("t76", "5C KH KH 3C 2C 4D", "452", 3, 2),
]


@pytest.mark.parametrize(("case", "trick", "void", "taker", "cost"), CANCELLED, ids=[row[0] for row in CANCELLED])
def test_t73_t75_t76_equal_cards_cancel(case: str, trick: str, void: str, taker: int | None, cost: int) -> None:
    """The two jacks of clubs are out; off-suit cards cannot win a trick of pairs; cancelled hearts still count."""
    seats = [3, 4, 5, 0, 1, 2]
    hands = dict(zip(seats, trick.split(), strict=True))
    variant = rules("cancellation", 6, **NO_PASS)
    table = table_with(variant, hands, void={int(seat): "C" for seat in void}, dealer=2)
    kitty = points_of(variant.scoring, table.kitty)
    play(table, trick)
    assert table.turn == (3 if taker is None else taker), case
    assert sum(points(table, seat) for seat in range(6)) == (0 if taker is None else cost + kitty)
    assert [seat for seat in range(6) if table.taken[seat]] == ([] if taker is None else [taker])
    assert len(table.carry) == (6 if taker is None else 0)


def test_t86_the_same_players_two_copies_do_not_cancel() -> None:
    """P0 leads QS to trick three, and the other QS to trick five, and takes both tricks."""
    hands = {0: "AC AC AD AD AS AS KS KS QS QS"}
    table = table_with(rules("cancellation", 6, **NO_PASS), hands, dealer=5)
    for card in ("AC", "AC", "QS", "AD", "QS"):
        assert table.turn == 0
        play(table, card)
        play_trick(table)
    assert table.trick == 6
    assert table.taken[0].count(parse_card("QS")) == 2


@pytest.mark.parametrize(("players", "kitties"), [(8, 0), (6, 4), (11, 4)])
def test_t88_without_a_kitty_there_is_no_kitty_event(players: int, kitties: int) -> None:
    """Eight players are dealt both packs whole; with six or eleven the kitty is taken once a deal."""
    table = random_game(rules("cancellation", players, deals=4), 3)
    assert sum(isinstance(entry, KittyTaken) for entry in table.log) == kitties
