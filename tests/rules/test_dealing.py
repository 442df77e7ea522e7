"""The deal procedure: fixed to the byte, fair, and losing no card."""

from __future__ import annotations

import hmac
import json
from collections import Counter
from hashlib import sha256
from itertools import count, islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import Card, cards_of, hand_of
from referee.rules.dealing import DealFieldError, DealSource, deal_out, pack_of, root_of_seed, shuffle, uniform, words
from referee.rules.presets import resolve, rules_digest
from referee.rules.variant import Variant
from tests.rules.driver import cards
from tests.rules.making import deals
from tests.rules.strategies import secrets, variants

DOCUMENT: dict[str, Any] = json.loads(deals.PATH.read_text(encoding="ascii"))
VECTORS: list[dict[str, Any]] = DOCUMENT["vectors"]
each_vector = pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])


def source(variant: Variant, secret: bytes = bytes(32)) -> DealSource:
    """Return the deals of one board under *variant*."""
    return DealSource(secret, rules_digest(variant), "t", "b")


class Reference:
    """The procedure written a second time, from its description alone."""

    def __init__(self, vector: dict[str, Any], block: str, deal: str, purpose: str) -> None:
        text = f"hearts-deal/1|{vector['rules_sha256']}|{vector['tournament']}|{block}|{deal}|{purpose}"
        self.key = hmac.new(bytes.fromhex(vector["secret"]), text.encode(), "sha256").digest()
        blocks = (hmac.new(self.key, n.to_bytes(4, "big"), "sha256").digest() for n in count())
        self.words = (int.from_bytes(block[i : i + 4], "big") for block in blocks for i in range(0, 32, 4))

    def below(self, n: int) -> int:
        """Step 3."""
        while (word := next(self.words)) >= 2**32 // n * n:
            pass
        return word % n

    def deal(self, pack: list[str], players: int, dealer: int) -> tuple[list[list[str]], list[str]]:
        """Shuffle and deal, steps 4 to 6, cards by name."""
        pack = sorted(pack, key=lambda name: ("CDSH".index(name[1]), "23456789TJQKA".index(name[0])))
        for i in reversed(range(1, len(pack))):
            j = self.below(i + 1)
            pack[i], pack[j] = pack[j], pack[i]
        hands: list[list[str]] = [[] for _ in range(players)]
        for turn in range(len(pack) // players * players):
            hands[(dealer + 1 + turn) % players].append(pack.pop(0))
        return hands, pack


@each_vector
def test_vector_agrees_with_a_second_implementation(vector: dict[str, Any]) -> None:
    """Keys, words, hands in dealing order, kitty, first dealer, pool and bot seed follow from the description."""
    rules, block, number = vector["rules"], vector["block"], str(vector["deal"])
    pack = [r + s for r in "23456789TJQKA" for s in "CDSH" if r + s not in rules["stripped"]] * rules["packs"]
    reference = Reference(vector, block, number, "deal")
    assert reference.key.hex() == vector["key"]
    assert reference.deal(pack, rules["players"], vector["dealer"]) == (vector["hands"], vector["kitty"])
    assert list(islice(Reference(vector, block, number, "deal").words, 10)) == vector["words"]
    dealer = Reference(vector, block, "0", "dealer")
    assert dealer.key.hex() == vector["first_dealer"]["key"]
    assert dealer.below(rules["players"]) == vector["first_dealer"]["seat"]
    seed = Reference(vector, vector["bot_seed"]["match"], vector["bot_seed"]["entrant"], "bot-seed")
    assert seed.key.hex() == vector["bot_seed"]["key"]
    assert (next(seed.words) * 2**32 + next(seed.words)) // 2 == vector["bot_seed"]["seed"]
    if "pool" in vector:
        pool = Reference(vector, block, number, "pool")
        assert pool.key.hex() == vector["pool"]["key"]
        dealt = pool.deal(vector["pool"]["surrendered"], rules["players"], vector["dealer"])
        assert dealt == (vector["pool"]["dealt"], [])


def test_vectors_are_what_the_code_deals() -> None:
    """The published file is, byte for byte, what this code would write."""
    assert deals.PATH.read_text(encoding="ascii") == deals.build()


def test_the_published_snippet_deals_the_published_hands() -> None:
    """The program printed in the description of the procedure works as it stands."""
    page = (deals.PATH.parents[2] / "docs" / "deals.md").read_text(encoding="utf-8")
    snippet: dict[str, Any] = {}
    exec(page.split("```python")[1].split("```")[0], snippet)  # noqa: S102 - our own page
    for vector in VECTORS[:3]:
        names = vector["rules_sha256"], vector["tournament"], vector["block"], vector["deal"], vector["dealer"]
        assert snippet["deal"](bytes.fromhex(vector["secret"]), *names) == vector["hands"]


def test_vectors_cover_the_pool_kitties_and_stripped_packs() -> None:
    """Each branch of the procedure has a vector."""
    assert any("pool" in vector for vector in VECTORS)
    assert {len(vector["kitty"]) for vector in VECTORS} >= {0, 2, 5}
    assert any(vector["rules"]["stripped"] for vector in VECTORS)


@settings(deadline=None)
@given(variants(), secrets(), st.integers(1, 1000), st.data())
def test_dealing_conserves_the_pack(variant: Variant, secret: bytes, number: int, data: st.DataObject) -> None:
    """Hands and kitty together are the pack, every hand has its size, and the masks match the orders."""
    dealer = data.draw(st.integers(0, variant.players - 1))
    dealt = source(variant, secret).deal(variant, number, dealer)
    everything = [card for order in (*dealt.hand_orders, dealt.kitty) for card in order]
    assert sorted(everything) == pack_of(variant)
    assert len(everything) == variant.pack_size
    assert {len(order) for order in dealt.hand_orders} == {variant.hand_size}
    assert len(dealt.kitty) == variant.kitty_size
    assert [cards_of(hand) for hand in dealt.hands] == [tuple(sorted(order)) for order in dealt.hand_orders]


@settings(deadline=None)
@given(st.integers(1, 11), st.integers(0, 2**32 - 1))
def test_uniform_drops_words_that_would_favour_small_numbers(n: int, word: int) -> None:
    """A word beyond the last whole multiple of n is skipped, any other is taken modulo n."""
    limit = 2**32 // n * n
    assert uniform(iter([word, 5]), n) == (word % n if word < limit else 5 % n)


def test_uniform_takes_the_last_good_word_and_drops_the_first_bad_one() -> None:
    """The limit is exact: with n = 3 only the highest word of all is dropped."""
    assert uniform(iter([2**32 - 2]), 3) == (2**32 - 2) % 3
    assert uniform(iter([2**32 - 1, 1]), 3) == 1
    assert uniform(iter([2**32 - 1]), 4) == 3


def test_a_shuffle_draws_one_number_less_than_it_has_cards() -> None:
    """The first entry has nowhere left to go, so no word is drawn for it."""
    four = [Card(0), Card(1), Card(2), Card(3)]
    stream = iter([0, 0, 0, 77])
    shuffle(stream, four)
    assert four == [1, 2, 3, 0]
    assert next(stream) == 77


def test_words_must_last() -> None:
    """A stream that ends before a good word is a mistake of ours."""
    with pytest.raises(ValueError, match="ended"):
        uniform(iter([2**32 - 1]), 3)


def test_shuffles_are_uniform() -> None:
    """Over 24,000 shuffles of four cards each of the 24 orders comes up about 1,000 times."""
    stream, seen = words(bytes(32)), Counter[tuple[Card, ...]]()
    for _ in range(24_000):
        four = [Card(0), Card(1), Card(2), Card(3)]
        shuffle(stream, four)
        seen[tuple(four)] += 1
    chi_squared = sum((seen_of - 1000) ** 2 / 1000 for seen_of in seen.values())
    assert len(seen) == 24
    assert chi_squared < 49.7, "beyond the 99.9 % quantile of 23 degrees of freedom"


def test_t07_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    """With P0 dealing, the first card goes to P1 and the fourth to P0."""
    dealt = deal_out([Card(card) for card in range(8)], players=4, dealer=0, each=2)
    assert dealt == ((3, 7), (0, 4), (1, 5), (2, 6))


def test_t14_the_pool_is_dealt_back_from_the_dealers_left() -> None:
    """Twelve cards pooled by four seats come back three each, in no order of the seats' choosing."""
    variant = resolve("hoemke-4223")
    given_up = cards("2C 3C 4C 5D 6D 7D 8S 9S TS JH QH KH")
    pooled = source(variant).pool(variant, 4, 0, given_up)
    assert [len(back) for back in pooled] == [3, 3, 3, 3]
    assert sorted(card for back in pooled for card in back) == sorted(given_up)
    assert pooled == source(variant).pool(variant, 4, 0, reversed(given_up))


def test_boards_deals_and_rules_differ() -> None:
    """Another block, deal, tournament, secret or rule set gives other cards; the same gives the same."""
    variant, other = resolve("standard"), resolve("standard", overrides={"deals": 4})
    digest = rules_digest(variant)
    base = DealSource(bytes(32), digest, "t", "b")
    sources = [
        base,
        DealSource(bytes(32), digest, "t", "c"),
        DealSource(bytes(32), digest, "u", "b"),
        DealSource(b"1" * 32, digest, "t", "b"),
        DealSource(bytes(32), rules_digest(other), "t", "b"),
    ]
    hands = {one.deal(variant, 1, 0).hands for one in sources} | {base.deal(variant, 2, 0).hands}
    assert len(hands) == 6
    assert DealSource(bytes(32), digest, "t", "b").deal(variant, 1, 0) == base.deal(variant, 1, 0)


def test_the_dealer_turns_the_hands_and_not_the_cards() -> None:
    """With the next dealer the same four hands lie one seat further on."""
    variant = resolve("standard")
    first, second = (source(variant).deal(variant, 1, dealer).hand_orders for dealer in (0, 1))
    assert second == (first[-1], *first[:-1])


def test_first_dealer_is_drawn_or_named() -> None:
    """Every seat comes up as first dealer; a rule set that names one is obeyed."""
    variant, fixed = resolve("standard"), resolve("standard", overrides={"first_dealer": 2})
    digest = rules_digest(variant)
    drawn = {DealSource(bytes(32), digest, "t", str(board)).dealer(variant) for board in range(64)}
    assert drawn == {0, 1, 2, 3}
    assert source(fixed).dealer(fixed) == 2


def test_bot_seeds_have_63_bits_and_differ() -> None:
    """Each match and entrant has a seed of its own that fits a signed 64-bit number."""
    one = source(resolve("standard"))
    seeds = {one.bot_seed(match, entrant) for match in ("m1", "m2") for entrant in ("a", "b")}
    assert len(seeds) == 4
    assert all(0 <= seed < 2**63 for seed in seeds)


@pytest.mark.parametrize("text", ["a|b", "é", "a\nb", "\x7f"])
def test_texts_that_could_be_misread_are_refused(text: str) -> None:
    """A field with the separator, or outside printable ASCII, is an error that says so."""
    with pytest.raises(DealFieldError, match="printable ASCII"):
        DealSource(bytes(32), "0" * 64, text, "b")
    with pytest.raises(DealFieldError, match="entrant"):
        source(resolve("standard")).bot_seed("m", text)


def test_a_seed_names_its_secret() -> None:
    """The secret of a stated seed is as published."""
    for entry in DOCUMENT["seeds"]:
        assert root_of_seed(entry["tournament"], entry["seed"]).hex() == entry["secret"]
        assert sha256(f"hearts-seed/1|{entry['tournament']}|{entry['seed']}".encode()).hexdigest() == entry["secret"]


def test_a_chain_leads_to_its_commitment() -> None:
    """Each secret of a chain is the SHA-256 of the next round's, and the commitment that of the first."""
    chain = DOCUMENT["chain"]
    secrets = [bytes.fromhex(secret) for secret in chain["secrets"]]
    assert secrets[-1].hex() == chain["root"]
    assert [sha256(later).digest() for later in secrets[1:]] == secrets[:-1]
    assert sha256(secrets[0]).hexdigest() == chain["commitment"]


def test_two_copies_can_lie_in_one_hand() -> None:
    """Two packs put two copies of a card into one hand sooner or later, and the mask keeps both."""
    variant = resolve("cancellation", players=6)
    order = source(variant).deal(variant, 1, 0).hand_orders
    twice = [hand for hand in order if len(set(hand)) < len(hand)]
    assert twice
    assert all(hand_of(hand).bit_count() == 17 for hand in twice)
