"""Write the vectors of the deal procedure: `python -m tests.rules.regenerate`.

They are for any language: texts, numbers and lists only. A change in this file's output means that published
deals can no longer be dealt again, so it needs a new version of the procedure.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

from arena.service.commitment import Chain
from referee.rules.cards import Card, card_name
from referee.rules.dealing import PROCEDURE, DealSource, root_of_seed, words
from referee.rules.presets import canonical_rules, resolve, rules_digest, to_json
from referee.rules.variant import PassMode, Variant

PATH: Final = Path(__file__).parent.parent / "vectors" / "deals.json"

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
)
_SEEDS: Final = (("t1", "0"), ("spring-cup", "7"), ("spring-cup", "demo"), ("t1", str(2**64)))
_ROUNDS: Final = 5


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
        "vectors": [_vector(seed, case) for seed, case in enumerate(_CASES)],
    }
    return json.dumps(document, indent=1, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    PATH.write_text(build(), encoding="ascii")
