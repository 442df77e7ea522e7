"""How fast every variant is, per card played, beside the standard one.

All presets at all table sizes are played by one driver, decisions at random, passing, pools, returns and moons
included. The standard game takes a turn beside each, because a shared machine drifts.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from random import Random
from time import process_time
from typing import Final

from referee.rules.cards import Card, cards_of, hand_of
from referee.rules.dealing import Dealt, deal_out, pack_of
from referee.rules.options import MOST
from referee.rules.presets import resolve
from referee.rules.variant import MoonEffect, Variant
from referee.table.machine import DecisionKind, Need, Table

TURN: Final = 0.03
"""Seconds of one turn of a variant."""

ENDLESS: Final = {"deals": MOST, "target": None}


def variants() -> Iterator[tuple[str, Variant]]:
    """Yield every preset at every table size, with a name."""
    for digits in product("1234", repeat=4):
        name = f"hoemke-{''.join(digits)}"
        yield name, resolve(name, overrides=ENDLESS)
    for preset, sizes in (("classic", range(3, 8)), ("cancellation", range(6, 12))):
        for players in sizes:
            yield f"{preset} {players}", resolve(preset, players=players, overrides=ENDLESS)


class Player:
    """A table that plays deal after deal."""

    def __init__(self, variant: Variant, seed: int) -> None:
        self.rng = Random(seed)
        self.table = Table(variant, first_dealer=0)
        self._pack = pack_of(variant)

    def one_deal(self) -> int:
        """Play one deal, and return how many cards were played."""
        table, rng, variant = self.table, self.rng, self.table.variant
        table.log.clear()
        rng.shuffle(self._pack)
        orders = deal_out(self._pack, variant.players, table.dealer, variant.hand_size)
        kitty = tuple(self._pack[variant.players * variant.hand_size :])
        table.deal(Dealt(tuple(map(hand_of, orders)), orders, kitty))
        if table.kind is DecisionKind.PASS:
            for seat in range(variant.players):
                table.pass_cards(seat, rng.sample(cards_of(table.hands[seat]), variant.pass_count))
        if table.needs is Need.POOL:
            cards = list(table.surrendered)
            rng.shuffle(cards)
            table.pool([cards[at :: variant.players] for at in range(variant.players)])
        if table.kind is DecisionKind.RETURN:
            for seat in range(variant.players):
                table.return_card(seat, rng.choice(table.received(seat)))
        draw, play = rng.random, table.play
        while table.turn >= 0:
            legal = table.legal
            for _ in range(int(draw() * legal.bit_count())):
                legal &= legal - 1
            play(table.turn, Card((legal & -legal).bit_length() - 1))
        if table.kind is DecisionKind.MOON and table.shooter is not None:
            table.choose_moon(table.shooter, MoonEffect.OTHERS_PLUS)
        return variant.players * variant.hand_size


def _turn(player: Player, seconds: float) -> tuple[int, float]:
    cards, start = 0, process_time()
    now = start
    while now - start < seconds:
        for _ in range(5):
            cards += player.one_deal()
        now = process_time()
    return cards, now - start


def measure(turns: int = 3) -> dict[str, float]:
    """Return the slowest variant's cards a second as a share of the standard game's; its name goes to stderr."""
    standard = Player(resolve("standard", overrides=ENDLESS), 1)
    standard.one_deal()
    slowest, name = float("inf"), ""
    for label, variant in variants():
        player = Player(variant, 1)
        player.one_deal()
        shares = []
        for _ in range(turns):
            cards, spent = _turn(player, TURN)
            base_cards, base_spent = _turn(standard, TURN)
            shares.append(cards / spent / (base_cards / base_spent))
        share = sorted(shares)[turns // 2]
        if share < slowest:
            slowest, name = share, label
    sys.stderr.write(f"the slowest variant: {name}\n")
    return {"rules.slowest_variant_share": slowest}


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
