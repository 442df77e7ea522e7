"""The rules of a table, as a bot reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from hearts.v1 import rules_pb2

from hearts_bot.cards import CARDS, HEARTS, JACK_OF_DIAMONDS, QUEEN_OF_SPADES, Card, from_wire

_QUEEN_COUNTS: Final = ("black_lady", "black_lady_jd", "two_free_double_jd")
_JACK_COUNTS: Final = ("black_lady_jd", "two_free_double_jd")
_COURT: Final = 9
"""The rank of the jack, from which on hearts cost five in `honours_5`."""


def _price(scoring: str, card: Card) -> int:
    """Return what *card* costs, hearts of the scheme with two free ones at their later price."""
    if card.suit == HEARTS:
        if scoring == "two_free_double_jd":
            return 2
        return 5 if scoring == "honours_5" and card.rank >= _COURT else 1
    if card is QUEEN_OF_SPADES and scoring in _QUEEN_COUNTS:
        return 13
    return -10 if card is JACK_OF_DIAMONDS and scoring in _JACK_COUNTS else 0


@dataclass(frozen=True, slots=True)
class Rules:
    """A whole rule set. Options have the names and values of the rule book; `target` or `deals` is 0 if unused."""

    preset: str
    players: int
    packs: int
    stripped: tuple[Card, ...]
    kitty: str
    kitty_view: str
    pass_mode: str
    pass_count: int
    give_back: int
    pass_cycle: tuple[str, ...]
    opening_lead: str
    first_trick_penalty: str
    hearts_lead: str
    lead_escape: str
    scoring: str
    moon_needs_jd: bool
    moon_effect: str
    moon_value: int
    target: int
    deals: int
    max_deals: int
    tie_for_lowest: str
    first_dealer: str
    cancellation: bool
    prices: tuple[int, ...] = field(init=False, repr=False)
    """The points of each card, by its number; `points_of` knows which hearts are free."""
    pack: tuple[Card, ...] = field(init=False, repr=False)
    """All cards dealt from, ascending, copies adjacent."""
    moon_cards: int = field(init=False, repr=False)
    """How many cards make a moon."""

    def __post_init__(self) -> None:
        pack = tuple(card for card in CARDS if card not in self.stripped for _ in range(self.packs))
        prices = tuple(_price(self.scoring, card) for card in CARDS)
        object.__setattr__(self, "prices", prices)
        object.__setattr__(self, "pack", pack)
        object.__setattr__(self, "moon_cards", sum(self.makes_moon(card) for card in pack))

    @classmethod
    def from_wire(cls, rules: rules_pb2.RuleSet) -> Rules:
        """Return the rules of a `RuleSet` message."""
        return cls(
            preset=rules.preset,
            players=rules.players,
            packs=rules.packs,
            stripped=from_wire(rules.stripped),
            kitty=rules.kitty,
            kitty_view=rules.kitty_view,
            pass_mode=rules.pass_mode,
            pass_count=rules.pass_count,
            give_back=rules.give_back,
            pass_cycle=tuple(rules.pass_cycle),
            opening_lead=rules.opening_lead,
            first_trick_penalty=rules.first_trick_penalty,
            hearts_lead=rules.hearts_lead,
            lead_escape=rules.lead_escape,
            scoring=rules.scoring,
            moon_needs_jd=rules.moon_needs_jd,
            moon_effect=rules.moon_effect,
            moon_value=rules.moon_value,
            target=rules.target,
            deals=rules.deals,
            max_deals=rules.max_deals,
            tie_for_lowest=rules.tie_for_lowest,
            first_dealer=rules.first_dealer,
            cancellation=rules.cancellation,
        )

    @property
    def hand_size(self) -> int:
        """Return how many cards each seat is dealt, which is the number of tricks."""
        return len(self.pack) // self.players

    def is_harmful(self, card: Card) -> bool:
        """Return whether *card* costs its taker points: every heart, and the queen of spades where she counts."""
        return self.prices[card] > 0

    def makes_moon(self, card: Card) -> bool:
        """Return whether *card* is one of those that a seat must take, all of them, to shoot the moon."""
        price = self.prices[card]
        return price > 0 or (price < 0 and self.moon_needs_jd)

    def points_of(self, cards: Iterable[Card]) -> int:
        """Return the points of the *cards* that one seat took in a deal, the moon left aside."""
        prices = self.prices
        points = hearts = 0
        for card in cards:
            points += prices[card]
            hearts += card >= 39
        return points - 2 * min(2, hearts) if self.scoring == "two_free_double_jd" else points

    def receiver(self, position: int, direction: str) -> int | None:
        """Return the position that *position* passes to in *direction*; None if it passes to no one seat."""
        offset = {"left": 1, "right": -1, "across": self.players // 2}.get(direction)
        return None if offset is None else (position + offset) % self.players


def winner(cards: Sequence[Card], cancellation: bool) -> int:
    """Return the index in *cards*, in the order played, of the one that wins the trick; -1 when none does.

    With *cancellation*, equal cards take each other out, whatever their suit.
    """
    base = cards[0] // 13 * 13
    top = base + 13
    best, index = -1, -1
    if cancellation and len(set(cards)) < len(cards):
        for place, card in enumerate(cards):
            if base <= card < top and card > best and cards.count(card) == 1:
                best, index = card, place
        return index
    for place, card in enumerate(cards):
        if best < card < top and card >= base:
            best, index = card, place
    return index
