"""The vectors of the deal procedure.

A change in a vector means that published deals can no longer be dealt again, so it needs a new version of the
procedure; new vectors are added at the end.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from arena.service.commitment import Chain
from referee.rules.cards import Card, card_name
from referee.rules.dealing import PROCEDURE, DealSource, root_of_seed, uniform, words
from referee.rules.presets import canonical_rules, resolve, rules_digest, to_json
from referee.rules.variant import PassMode, Variant

PATH: Final = Path(__file__).parents[2] / "vectors" / "deals.json"

_CASES: Final[tuple[tuple[str, Variant, str, str, int, int], ...]] = (
    ("standard", resolve("standard"), "t1", "1", 1, 0),
    ("standard, later deal, another dealer", resolve("standard"), "t1", "1", 16, 3),
    ("standard, fixed deals, another block", resolve("standard", overrides={"deals": 16}), "t1", "2", 1, 1),
    ("pool", resolve("hoemke-4223"), "spring cup 2027", "r3-b12", 4, 0),
    ("three players, one card stripped", resolve("classic", players=3), "t2", "1", 2, 2),
    ("five players, two cards stripped", resolve("classic", players=5), "t2", "1", 2, 4),
    ("two packs, kitty of two", resolve("cancellation", players=6), "t3", "1", 1, 5),
    ("two packs, no kitty", resolve("cancellation", players=8), "t3", "1", 1, 0),
    ("two packs, kitty of five", resolve("cancellation", players=11), "t3", "9", 7, 6),
    *(
        (f"classic, {players} players", resolve("classic", players=players), "t4", "2", 3, players - 1)
        for players in range(3, 8)
    ),
    *(
        (f"cancellation, {players} players", resolve("cancellation", players=players), "t4", "2", 3, players - 1)
        for players in range(6, 12)
    ),
    ("pool of two packs", resolve("cancellation", players=7, overrides={"pass_mode": "pool"}), "t5", "1", 2, 3),
    ("pool of another size", resolve("hoemke-4223", overrides={"pass_count": 5}), "t5", "1", 12, 3),
)
_SEEDS: Final = (("t1", "0"), ("spring-cup", "7"), ("spring-cup", "demo"), ("t1", str(2**64)))
_ROUNDS: Final = 5
_HIGHEST: Final = 2**32 - 1
_DRAWS: Final = (
    ([0], 1),
    ([7], 5),
    ([_HIGHEST], 4),
    ([_HIGHEST, 5], 3),
    ([_HIGHEST - 1], 3),
    ([2**32 // 52 * 52 - 1], 52),
    ([2**32 // 52 * 52, _HIGHEST, 53], 52),
    ([2**32 // 104 * 104, 104], 104),
)
"""Words, and below what a number is drawn from them; the shuffle of a real deal hardly ever drops one."""


def _names(cards: Iterable[Card]) -> list[str]:
    return [card_name(card) for card in cards]


def _vector(seed: int, case: tuple[str, Variant, str, str, int, int]) -> dict[str, Any]:
    name, variant, tournament, block, number, dealer = case
    source = DealSource(root_of_seed(tournament, str(seed)), rules_digest(variant), tournament, block)
    dealt = source.deal(variant, number, dealer)
    key = source.key(number, "deal")
    vector: dict[str, Any] = {
        "name": name,
        "secret": source.secret.hex(),
        "rules": to_json(variant),
        "canonical_rules": canonical_rules(variant).decode(),
        "rules_sha256": source.digest,
        "tournament": tournament,
        "block": block,
        "deal": number,
        "dealer": dealer,
        "key": key.hex(),
        "words": list(islice(words(key), 10)),
        "hands": [_names(order) for order in dealt.hand_orders],
        "kitty": _names(dealt.kitty),
        "first_dealer": {"key": source.key(0, "dealer").hex(), "seat": source.dealer(variant)},
        "bot_seed": {
            "match": "m-17",
            "entrant": "e-3",
            "key": source.key("e-3", "bot-seed", block="m-17").hex(),
            "seed": source.bot_seed("m-17", "e-3"),
        },
    }
    if variant.pass_mode is PassMode.POOL:
        given = [card for order in dealt.hand_orders for card in order[: variant.pass_count]]
        pooled = source.pool(variant, number, dealer, given)
        vector["pool"] = {
            "key": source.key(number, "pool").hex(),
            "surrendered": _names(given),
            "dealt": [_names(cards) for cards in pooled],
        }
    return vector


def _chain() -> dict[str, Any]:
    root = root_of_seed(*_SEEDS[0])
    chain = Chain(root, _ROUNDS)
    secrets = [chain.secret(number).hex() for number in range(_ROUNDS)]
    return {"root": root.hex(), "rounds": _ROUNDS, "secrets": secrets, "commitment": chain.commitment}


def build() -> str:
    """Return the text of the vector file."""
    document = {
        "procedure": PROCEDURE,
        "seeds": [
            {"tournament": tournament, "seed": seed, "secret": root_of_seed(tournament, seed).hex()}
            for tournament, seed in _SEEDS
        ],
        "chain": _chain(),
        "draws": [{"words": words, "below": n, "number": uniform(iter(words), n)} for words, n in _DRAWS],
        "vectors": [_vector(seed, case) for seed, case in enumerate(_CASES)],
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"
