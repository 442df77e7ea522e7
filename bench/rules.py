"""How many deals a second the rules and the table make, beside OpenSpiel's Hearts.

Both play whole deals of Hearts for four in this process, every decision at random, passing included.
OpenSpiel's state is a C++ object driven through its Python interface, and it is measured twice: as its own examples
drive it, the cards drawn one by one from `chance_outcomes` and actions by `random.choice`; and `predealt`, given a
pack shuffled outside and driven as tightly as we drive our table. The second is faster than any table in plain Python;
both figures are given, so that nobody mistakes one for the other.
They take turns in short slices of CPU time, because a shared machine drifts: only their ratios mean anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import cycle
from random import Random
from time import process_time
from typing import Final

import pyspiel

from referee.rules.cards import Card, cards_of, hand_of
from referee.rules.dealing import Dealt, deal_out, pack_of
from referee.rules.options import MOST
from referee.rules.presets import resolve
from referee.table.machine import DecisionKind, Table

SLICE: Final = 0.25
"""Seconds of one turn; short against the drift of the machine, long against a deal."""

OPENSPIEL_DIRECTIONS: Final = (1, 3, 2, 0)
"""Left, right, across and hold, as OpenSpiel numbers them."""


def _ours(rng: Random) -> Callable[[], None]:
    """Return a function that plays one deal at a table."""
    variant = resolve("standard", overrides={"deals": MOST})
    table = Table(variant, first_dealer=0)
    pack = pack_of(variant)
    draw = rng.random

    def one_deal() -> None:
        table.log.clear()
        rng.shuffle(pack)
        orders = deal_out(pack, 4, table.dealer, 13)
        table.deal(Dealt(tuple(map(hand_of, orders)), orders, ()))
        if table.kind is DecisionKind.PASS:
            for seat in range(4):
                table.pass_cards(seat, rng.sample(cards_of(table.hands[seat]), 3))
        play = table.play
        while table.turn >= 0:
            legal = table.legal
            for _ in range(int(draw() * legal.bit_count())):
                legal &= legal - 1
            play(table.turn, Card((legal & -legal).bit_length() - 1))

    return one_deal


def _openspiel(rng: Random) -> Callable[[], None]:
    """Return a function that plays one deal of OpenSpiel's Hearts as OpenSpiel's examples do."""
    game = pyspiel.load_game("hearts")

    def one_deal() -> None:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights=weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))

    return one_deal


def _openspiel_predealt(rng: Random) -> Callable[[], None]:
    """Return a function that plays one deal of OpenSpiel's Hearts with as little Python as possible."""
    game = pyspiel.load_game("hearts")
    pack = list(range(52))
    directions = cycle(OPENSPIEL_DIRECTIONS)
    draw = rng.random

    def one_deal() -> None:
        state = game.new_initial_state()
        apply, legal_actions = state.apply_action, state.legal_actions
        apply(next(directions))
        rng.shuffle(pack)
        for card in pack:
            apply(card)
        while not state.is_terminal():
            legal = legal_actions()
            apply(legal[int(draw() * len(legal))])

    return one_deal


def measure(seconds: float) -> dict[str, float]:
    """Return deals per second of each, measured over about *seconds* each."""
    players = {
        "rules.deals_per_s": _ours(Random(1)),
        "rules.openspiel_deals_per_s": _openspiel(Random(1)),
        "rules.openspiel_predealt_deals_per_s": _openspiel_predealt(Random(1)),
    }
    deals, spent = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for one_deal in players.values():
        one_deal()
    while min(spent.values()) < seconds:
        for name, one_deal in players.items():
            start = now = process_time()
            while now - start < SLICE:
                for _ in range(20):
                    one_deal()
                deals[name] += 20
                now = process_time()
            spent[name] += now - start
    return {name: deals[name] / spent[name] for name in players}


if __name__ == "__main__":
    print(json.dumps(measure(3.0), indent=2))
