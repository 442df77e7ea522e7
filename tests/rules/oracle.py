"""OpenSpiel's Hearts as an independent opinion on one deal at a time.

Its cards are `rank * 4 + suit` with suits in the order clubs, diamonds, hearts, spades. Its first action is the pass
direction, then it deals card by card to seats 0, 1, 2, 3 in turn, then each seat names its three cards one by one.

What it can be asked: who acts, every legal set, and the points. Its points are those of `black_lady`, or of
`black_lady_jd` with `moon_needs_jd` false: its moon needs hearts and the queen only, always adds 26 to the others, and
the jack's 10 go to who took him. So with other options the points of the very cards taken are compared as those options
would count them, and what the rule set itself makes of them only where it counts alike; what remains (the moon that
needs the jack, the scheme in which two hearts are free) is for the cases and the naive implementation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import pyspiel

from referee.rules.cards import Card, Hand, cards_of
from referee.rules.dealing import DealSource
from referee.rules.presets import resolve, rules_digest, to_json
from referee.rules.scoring import deal_points, shooter
from referee.rules.variant import MoonEffect, PassDirection, Scoring, Variant
from referee.table.events import DealEnded
from referee.table.machine import DecisionKind, Table

_SUITS: Final = (0, 1, 3, 2)
_DIRECTIONS: Final = {PassDirection.NONE: 0, PassDirection.HOLD: 0, PassDirection.LEFT: 1, PassDirection.ACROSS: 2} | {
    PassDirection.RIGHT: 3
}


def to_spiel(card: Card) -> int:
    """Return OpenSpiel's number of *card*."""
    return card % 13 * 4 + _SUITS[card // 13]


def from_spiel(action: int) -> Card:
    """Return the card that OpenSpiel numbers *action*."""
    return Card(_SUITS[action % 4] * 13 + action // 4)


def legal_cards(state: Any) -> list[Card]:  # noqa: ANN401 - the library has no types
    """Return the cards that OpenSpiel allows now, ascending."""
    return sorted(from_spiel(action) for action in state.legal_actions())


def configurations() -> Iterator[tuple[str, Variant]]:
    """Yield each of OpenSpiel's games that plays one of our presets, with that preset."""
    yield "hearts(qs_breaks_hearts=False)", resolve("standard")
    yield "hearts", resolve("classic", players=4)
    for passing in "12":
        for hearts, breaking in (("1", "must_break_hearts=False"), ("2", "qs_breaks_hearts=False")):
            for scoring in "34":
                yield f"hearts({breaking},jd_bonus=True)", resolve(f"hoemke-{passing}2{hearts}{scoring}")


def compare_deals(game: str, variant: Variant, deals: int, seed: int | str) -> Counter[str]:
    """Play *deals* random deals of *variant* beside OpenSpiel's *game*; raise `AssertionError` where they differ.

    Returns how many `deals` there were, how many `moons` by OpenSpiel's reading, and in how many deals the points were
    `scored` by the rule set itself, and not only as OpenSpiel's options count.
    """
    oracle = pyspiel.load_game(game)
    source = DealSource(str(seed).encode(), rules_digest(variant), "oracle", "0")
    counted = as_openspiel_counts(variant)
    random, tally = Random(seed), Counter[str]()
    for number in range(1, deals + 1):
        _compare_deal(oracle, variant, counted, source, number, random, tally)
    return tally


def as_openspiel_counts(variant: Variant) -> Variant:
    """Return *variant* with the scoring that OpenSpiel has in its place."""
    jack = variant.scoring in (Scoring.BLACK_LADY_JD, Scoring.TWO_FREE_DOUBLE_JD)
    changes: dict[str, object] = {"scoring": "black_lady_jd" if jack else "black_lady"}
    changes |= {"moon_needs_jd": False, "moon_effect": "others_plus"}
    options = {name: value for name, value in to_json(variant).items() if name != "preset"}
    return resolve(variant.preset, overrides=options | changes)


def _compare_deal(
    oracle: Any,  # noqa: ANN401
    variant: Variant,
    counted: Variant,
    source: DealSource,
    number: int,
    random: Random,
    tally: Counter[str],
) -> None:
    dealer = number % 4
    table = Table(variant, first_deal=number, first_dealer=dealer)
    dealt = source.deal(variant, number, dealer)
    table.deal(dealt)
    state = oracle.new_initial_state()
    state.apply_action(_DIRECTIONS[table.direction])
    for place in range(52):
        state.apply_action(to_spiel(dealt.hand_orders[place % 4][place // 4]))
    if table.kind is DecisionKind.PASS:
        _pass(state, table, random)
    while table.kind is DecisionKind.PLAY:
        assert state.current_player() == table.turn
        legal = list(cards_of(Hand(table.legal)))
        assert legal == legal_cards(state), f"deal {number}, trick {table.trick}, seat {table.turn}"
        card = random.choice(legal)
        assert table.play(table.turn, card) is None
        state.apply_action(to_spiel(card))
    assert state.is_terminal()
    points = [26 - int(value) for value in state.returns()]
    assert list(deal_points(counted, table.taken, MoonEffect.OTHERS_PLUS)) == points, f"deal {number}"
    moon = shooter(counted, table.taken)
    if table.kind is DecisionKind.MOON:
        assert table.shooter == moon
        assert table.choose_moon(table.to_act[0], MoonEffect.OTHERS_PLUS) is None
    moon_alike = variant.scoring is Scoring.BLACK_LADY or not variant.moon_needs_jd
    alike = variant.scoring is counted.scoring and (moon is None or moon_alike)
    if alike:
        [ended] = [entry for entry in table.log if isinstance(entry, DealEnded)]
        assert list(ended.points) == points, f"deal {number}"
    tally.update(deals=1, moons=moon is not None, scored=alike)


def _pass(state: Any, table: Table, random: Random) -> None:  # noqa: ANN401
    for seat in range(4):
        given: list[Card] = []
        for _ in range(table.variant.pass_count):
            assert state.current_player() == seat
            rest = [card for card in cards_of(table.hands[seat]) if card not in given]
            assert rest == legal_cards(state)
            given.append(random.choice(rest))
            state.apply_action(to_spiel(given[-1]))
        assert table.pass_cards(seat, given) is None
