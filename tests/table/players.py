"""Tables for tests: hands as wished for, scripted plays, and whole games at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from referee.rules.cards import Card, Hand, card_name, cards_of, hand_of, parse_card
from referee.rules.dealing import DealSource, Dealt, pack_of
from referee.rules.masks import harmful_mask
from referee.rules.play import Violation
from referee.rules.presets import resolve, rules_digest
from referee.rules.scoring import points_of
from referee.rules.variant import MoonEffect, Variant
from referee.table.events import DealStarted
from referee.table.machine import DecisionKind, Need, Table
from referee.table.substitute import substitute_moon, substitute_pass, substitute_play, substitute_return

ALL_KINDS = (
    ("standard", 4),
    ("classic", 3),
    ("classic", 5),
    ("classic", 6),
    ("classic", 7),
    ("cancellation", 6),
    ("cancellation", 8),
    ("cancellation", 11),
    ("hoemke-1144", 4),
    ("hoemke-2233", 4),
    ("hoemke-3321", 4),
    ("hoemke-4412", 4),
)
"""Presets and numbers of players in which every option value of the presets occurs."""


FREE: dict[str, Any] = {"pass_mode": "none", "opening_lead": "eldest_any_nonpenalty", "first_trick_penalty": "allowed"}
"""Overrides with which any trick can be the first one."""
NO_PASS: dict[str, Any] = {"pass_mode": "none"}


def rules(preset: str = "standard", players: int | None = None, **overrides: object) -> Variant:
    """Return the rule set *preset* with *overrides*."""
    return resolve(preset, players=players, overrides=overrides)


def cards(text: str) -> tuple[Card, ...]:
    """Return the cards named in *text*."""
    return tuple(parse_card(name) for name in text.split())


def text_of(faces: int) -> str:
    """Return the names of the cards in a mask."""
    return " ".join(card_name(card) for card in cards_of(Hand(faces)))


def deal_with(variant: Variant, hands: Mapping[int, str], *, void: Mapping[int, str] | None = None) -> Dealt:
    """Return a deal in which seats hold at least the cards given, and none of the suits they are *void* in.

    The rest of the pack goes, card by card, to the seat with the most room that may hold it.
    """
    suits = {seat: ["CDSH".index(suit) for suit in names] for seat, names in (void or {}).items()}
    orders = [list(cards(hands.get(seat, ""))) for seat in range(variant.players)]
    left = Counter(pack_of(variant)) - Counter(card for order in orders for card in order)
    kitty: list[Card] = []
    # Suits that some seat may not hold are the hardest to place.
    banned = Counter(suit for names in suits.values() for suit in names)
    for card in sorted(left.elements(), key=lambda card: -banned[card // 13]):
        seats = [
            seat
            for seat in range(variant.players)
            if len(orders[seat]) < variant.hand_size and card // 13 not in suits.get(seat, [])
        ]
        (orders[max(seats, key=lambda seat: -len(orders[seat]))] if seats else kitty).append(card)
    assert len(kitty) == variant.kitty_size, "these hands cannot be dealt"
    return Dealt(tuple(map(hand_of, orders)), tuple(map(tuple, orders)), tuple(kitty))


def table_with(
    variant: Variant,
    hands: Mapping[int, str],
    *,
    void: Mapping[int, str] | None = None,
    dealer: int = 0,
    number: int = 1,
    totals: Sequence[int] | None = None,
) -> Table:
    """Return a table to which `deal_with` has been dealt."""
    table = Table(variant, first_deal=number, first_dealer=dealer, totals=totals)
    table.deal(deal_with(variant, hands, void=void))
    return table


def play(table: Table, text: str) -> None:
    """Let the seats play the cards named in *text*, in turn; every one must be legal."""
    for card in cards(text):
        assert table.play(table.turn, card) is None, f"{card_name(card)} of {text}"


def play_trick(table: Table) -> None:
    """Finish the trick with substitute cards."""
    trick = table.trick
    while table.turn >= 0 and table.trick == trick:
        assert table.play(table.turn, substitute_play(table)) is None


def source_of(variant: Variant, seed: int) -> DealSource:
    """Return the cards of a game that *seed* stands for."""
    return DealSource(seed.to_bytes(8, "big"), rules_digest(variant), "test", "1")


def supply(table: Table, source: DealSource) -> bool:
    """Give *table* the cards that it needs, if any; return whether it needed some."""
    if table.needs is Need.DEAL:
        table.deal(source.deal(table.variant, table.number, table.dealer))
    elif table.needs is Need.POOL:
        table.pool(source.pool(table.variant, table.number, table.dealer, table.surrendered))
    else:
        return False
    return True


def decide(table: Table, rng: Random | None = None) -> Violation | None:
    """Make one open decision, at random, or the substitute for it."""
    match table.kind:
        case DecisionKind.PLAY:
            card = substitute_play(table) if rng is None else rng.choice(cards_of(Hand(table.legal)))
            return table.play(table.turn, card)
        case DecisionKind.PASS:
            seat = table.to_act[0] if rng is None else rng.choice(table.to_act)
            held = cards_of(table.hands[seat])
            some = substitute_pass(table, seat) if rng is None else rng.sample(held, table.variant.pass_count)
            return table.pass_cards(seat, some)
        case DecisionKind.RETURN:
            seat = table.to_act[0] if rng is None else rng.choice(table.to_act)
            return table.return_card(
                seat, substitute_return(table, seat) if rng is None else rng.choice(table.received(seat))
            )
        case DecisionKind.MOON:
            effects = (MoonEffect.OTHERS_PLUS, MoonEffect.SELF_MINUS)
            return table.choose_moon(table.to_act[0], substitute_moon(table) if rng is None else rng.choice(effects))
    raise AssertionError(f"nothing is to be decided: {table.needs}, over {table.over}")


def random_game(
    variant: Variant, seed: int, *, watch: Callable[[Table], None] | None = None, decisions: int | None = None
) -> Table:
    """Return a table after a random game, or after so many *decisions* of it; *watch* is shown every state."""
    rng, source = Random(seed), source_of(variant, seed)
    table = Table(variant, first_dealer=source.dealer(variant))
    made = 0
    while not table.over and made != decisions:
        if not supply(table, source):
            assert decide(table, rng) is None
            made += 1
        if watch is not None:
            watch(table)
    return table


def state_of(table: Table) -> dict[str, object]:
    """Return a copy of everything that *table* holds, for comparison."""
    slots = [slot for kind in type(table).__mro__ for slot in getattr(kind, "__slots__", ()) if slot != "_law"]
    return {slot: copied(getattr(table, slot)) for slot in slots}


def copied(value: object) -> object:
    """Return a copy of *value*, lists in lists included; all else that a table holds cannot change."""
    return [copied(item) for item in value] if isinstance(value, list) else value


def points(table: Table, seat: int) -> int:
    """Return what the cards that *seat* has taken so far count."""
    return points_of(table.variant.scoring, table.taken[seat])


def started(table: Table) -> list[DealStarted]:
    """Return the deals that *table* has seen."""
    return [entry for entry in table.log if isinstance(entry, DealStarted)]


def finish(table: Table, keep: str = "") -> None:
    """Play the deal out: leaders lead high, the others play harmful cards first, then low; *keep* comes last.

    With hands made for it, one knows who takes what.
    """
    harmful, kept = harmful_mask(table.variant.scoring), cards(keep)

    def order(card: Card) -> tuple[bool, bool, int]:
        leads = table._led < 0
        return card in kept, not leads and not harmful >> card & 1, -(card % 13) if leads else card % 13

    while table.turn >= 0:
        assert table.play(table.turn, min(cards_of(Hand(table.legal)), key=order)) is None
