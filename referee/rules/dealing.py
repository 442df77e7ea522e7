"""The published deal procedure: from a secret to the cards each seat holds, the same in every language.

The procedure, to the byte (version 1):

1. **Key.** HMAC-SHA256 with the secret as key over the ASCII text
   `hearts-deal/1|<rules>|<tournament>|<block>|<deal>|<purpose>`, where *rules* is the lower-case hexadecimal SHA-256
   of the canonical rule set and *deal* a decimal number without leading zeros. 32 bytes.
2. **Words.** HMAC-SHA256 with that key over the counter 0, 1, 2, ..., each written as 4 bytes, big-endian; the 32-byte
   outputs, one after the other, cut into 32-bit big-endian words.
3. **Uniform below n.** Take the next word; if it is at least `floor(2^32 / n) * n`, drop it and take the next;
   the result is the word modulo n.
4. **Shuffle** of a list of m cards: for i = m - 1 down to 1, draw j uniform below i + 1, swap entries i and j.
5. **Pack before shuffling.** By card number ascending (clubs, diamonds, spades, hearts; deuce to ace), the copies of a
   card adjacent, stripped cards left out.
6. **Deal.** One card at a time from the front of the list, clockwise from the dealer's left, until each seat has
   `floor(pack / players)`; what is left is the kitty.

Purposes: `deal` shuffles the pack of a deal; `pool` shuffles the cards surrendered to the dealer, first sorted like
the pack, then dealt as in 6; `dealer`, with deal 0, draws the first dealer uniform below the number of players;
`bot-seed`, with the match in the place of the block and the entrant in the place of the deal, gives the first two
words as one big-endian number, shifted right by one: 63 bits.
"""

from __future__ import annotations

import hmac
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import Final

from referee.rules.cards import Card, Hand, hand_of
from referee.rules.variant import Variant

PROCEDURE: Final = "hearts-deal/1"
WORDS_PER_BLOCK: Final = 8
_BLOCK: Final = struct.Struct(f">{WORDS_PER_BLOCK}I")


class DealFieldError(ValueError):
    """A name that cannot enter the deal procedure."""

    def __init__(self, field: str, value: str) -> None:
        super().__init__(f"{field} {value!r} cannot enter the deal procedure: use printable ASCII without '|'")
        self.field = field
        self.value = value


@dataclass(frozen=True, slots=True)
class Dealt:
    """What one deal hands out."""

    hands: tuple[Hand, ...]
    hand_orders: tuple[tuple[Card, ...], ...]
    """The same hands, each in the order dealt."""
    kitty: tuple[Card, ...]


def root_of_seed(tournament: str, seed: str) -> bytes:
    """Return the root secret that a *tournament* with a stated *seed* uses instead of a random one.

    SHA-256 of the text `hearts-seed/1|<tournament>|<seed>` in UTF-8. Such a tournament can be repeated, not trusted:
    whoever knows the seed knows the cards.
    """
    return sha256(f"hearts-seed/1|{tournament}|{seed}".encode()).digest()


def words(key: bytes) -> Iterator[int]:
    """Yield the 32-bit words that *key* stands for, without end."""
    keyed = hmac.new(key, digestmod="sha256")
    counter = 0
    while True:
        block = keyed.copy()  # a fourth of the price of the key again
        block.update(counter.to_bytes(4, "big"))
        yield from _BLOCK.unpack(block.digest())
        counter += 1


def uniform(stream: Iterator[int], n: int) -> int:
    """Return a number 0..n-1, each equally likely, from the next words of *stream*."""
    limit = (1 << 32) // n * n
    for word in stream:
        if word < limit:
            return word % n
    raise ValueError("the stream of words has ended")


def shuffle(stream: Iterator[int], cards: list[Card]) -> None:
    """Shuffle *cards* in place: Fisher-Yates from the end."""
    for i in range(len(cards) - 1, 0, -1):
        j = uniform(stream, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


def pack_of(variant: Variant) -> list[Card]:
    """Return the pack that *variant* is played with (R3), in the order before shuffling."""
    return list(_pack(variant.stripped, variant.packs))


@lru_cache(maxsize=64)
def _pack(stripped: tuple[Card, ...], packs: int) -> tuple[Card, ...]:
    return tuple(Card(card) for card in range(52) if card not in stripped for _ in range(packs))


def deal_out(cards: list[Card], players: int, dealer: int, each: int) -> tuple[tuple[Card, ...], ...]:
    """Deal *each* cards to every seat from the front of *cards*, one at a time from the left of *dealer* (R5)."""
    dealt = players * each
    return tuple(tuple(cards[(seat - dealer - 1) % players : dealt : players]) for seat in range(players))


@dataclass(frozen=True, slots=True)
class DealSource:
    """The cards of one board: every deal that *secret* holds for it under one rule set.

    *digest* is `presets.rules_digest` of the rule set, *board* the text in the place of the block. Raises
    `DealFieldError` for texts that are not printable ASCII or hold a `|`.
    """

    secret: bytes = field(repr=False)
    digest: str
    tournament: str
    board: str

    def __post_init__(self) -> None:
        for name in ("digest", "tournament", "board"):
            _check(name, getattr(self, name))

    def key(self, deal: int | str, purpose: str, *, block: str | None = None) -> bytes:
        """Return the 32-byte key for one *purpose* of one *deal*."""
        fields = (PROCEDURE, self.digest, self.tournament, self.board if block is None else block, str(deal), purpose)
        return hmac.digest(self.secret, "|".join(fields).encode("ascii"), "sha256")

    def dealer(self, variant: Variant) -> int:
        """Return the first dealer (R4): the seat that *variant* names, else one drawn from the secret."""
        if variant.first_dealer is not None:
            return variant.first_dealer
        return uniform(words(self.key(0, "dealer")), variant.players)

    def deal(self, variant: Variant, number: int, dealer: int) -> Dealt:
        """Return deal *number*, counted from 1, as dealt by seat *dealer*."""
        cards = pack_of(variant)
        shuffle(words(self.key(number, "deal")), cards)
        orders = deal_out(cards, variant.players, dealer, variant.hand_size)
        kitty = tuple(cards[variant.players * variant.hand_size :])
        return Dealt(tuple(hand_of(order) for order in orders), orders, kitty)

    def pool(
        self, variant: Variant, number: int, dealer: int, surrendered: Iterable[Card]
    ) -> tuple[tuple[Card, ...], ...]:
        """Return the *surrendered* cards of deal *number* as dealt back (R10), by seat.

        They are sorted first, so neither the order of the seats nor that in which a bot named its cards matters.
        """
        cards = sorted(surrendered)
        shuffle(words(self.key(number, "pool")), cards)
        return deal_out(cards, variant.players, dealer, variant.pass_count)

    def bot_seed(self, match: str, entrant: str) -> int:
        """Return the 63-bit seed that bot *entrant* is given for *match*, so that a random bot can be repeated."""
        _check("match", match)
        _check("entrant", entrant)
        stream = words(self.key(entrant, "bot-seed", block=match))
        return (next(stream) << 32 | next(stream)) >> 1


def _check(field: str, value: str) -> None:
    if not (value.isascii() and value.isprintable()) or "|" in value:
        raise DealFieldError(field, value)
