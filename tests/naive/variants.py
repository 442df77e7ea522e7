"""Random rule sets: any preset at any table, any options overridden, possible or not."""

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.naive.cards import is_scoring
from tests.naive.options import CHOICES, Rules, faults, pack, resolve

PRESETS = [
    ("standard", 4),
    *[("classic", players) for players in range(3, 8)],
    *[("cancellation", players) for players in range(6, 12)],
]
BOLDNESS = [0.0, 0.1, 0.3, 0.6]
"""How likely each option of a rule set is overridden."""
SANE = ["packs", "cancellation"]
"""Options that are all but fixed by the preset; overriding them is nearly always wrong."""


def any_preset(rng: Random) -> Rules:
    """Choose a preset and a number of players; the Hoemke variants together count for a fourth."""
    if rng.random() < 0.25:
        return {"preset": "hoemke-" + "".join(rng.choice("1234") for _ in range(4)), "players": 4}
    name, players = rng.choice(PRESETS)
    return {"preset": name, "players": players}


def any_rules(rng: Random) -> Rules:
    """Choose what somebody might ask for: a preset and overrides, not always possible ones."""
    given = any_preset(rng)
    bold = rng.choice(BOLDNESS)
    for option, values in CHOICES.items():
        if rng.random() < (bold / 20 if option in SANE else bold):
            given[option] = rng.choice(values)
    for option, value in _numbers(rng, given).items():
        if rng.random() < bold:
            given[option] = value
    if rng.random() < bold / 2:
        given["stripped"] = _stripped(rng, resolve(given))
    if rng.random() < bold:
        ways = (
            ["left", "right", "hold", "across"]
            if given["players"] % 2 == 0 or rng.random() < 0.05
            else ["left", "hold"]
        )
        given["pass_cycle"] = [rng.choice(ways) for _ in range(rng.randint(1, 5))]
    if "target" not in given and rng.random() < 0.8:
        given[rng.choice(["target", "deals"])] = rng.randint(1, 4)
    if given.get("target") is not None and rng.random() < 0.9:
        given["target"] = rng.choice([1, 13, 26, 40, 60, 100])
    return given


def _numbers(rng: Random, given: Rules) -> dict[str, Any]:
    """Choose values for the options that are numbers."""
    return {
        "pass_count": rng.choice([0, 1, 1, 2, 3, 4, 5, 7, 30]),
        "give_back": rng.choice([0, 1]),
        "moon_value": rng.choice([-1, 0, 1, 26, 52]),
        "max_deals": rng.choice([0, 1, 2, 3, 5]),
        "target": rng.choice([None, 0, 26]),
        "deals": rng.choice([None, 0, 2]),
        "first_dealer": rng.choice(["seed", *range(given["players"]), 11]),
    }


def _stripped(rng: Random, rules: Rules) -> list[str]:
    """Choose cards to leave out; now and then a scoring one, now and then so that the pack does not divide."""
    whole = sorted(set(pack(rules | {"stripped": []})))
    some = [card for card in whole if not is_scoring(card, rules["scoring"]) or rng.random() < 0.005]
    counts = list(range(min(24, len(some))))
    if rng.random() < 0.9:
        counts = [n for n in counts if (len(whole) - n) * rules["packs"] % rules["players"] == 0] or counts
    return rng.sample(some, rng.choice(counts))


def asked(rng: Random) -> Iterator[tuple[Rules, bool]]:
    """Yield rule sets asked for without end, each with whether it can be played."""
    while True:
        given = any_rules(rng)
        yield given, not faults(resolve(given))
