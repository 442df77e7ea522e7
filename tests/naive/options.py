"""Rule sets as plain dicts: presets written out, options filled in, and what makes a rule set impossible."""

from typing import Any

from tests.naive.cards import RANKS, SUITS, is_scoring, of_suit

Rules = dict[str, Any]

STRIPPED = {3: ["2D"], 4: [], 5: ["2D", "2C"], 6: ["2D", "3D", "3C", "4C"], 7: ["2D", "3D", "3C"]}
GIVE_BACK = [(0, "none"), (0, "cycle"), (1, "cycle_give_back"), (0, "pool")]
FOUR_WAYS = ["left", "right", "across", "hold"]
HOEMKE = {
    "pass_mode": ["none", "cycle", "cycle_give_back", "pool"],
    "opening_lead": ["eldest_lowest_plain", "low_club", "first_plain_two", "show_2c_any_nonscoring"],
    "hearts_lead": ["after_trick_1", "broken_by_heart", "after_trick_3", "after_plain_suits_led"],
    "scoring": ["plain_hearts", "honours_5", "black_lady_jd", "two_free_double_jd"],
}
CHOICES: dict[str, list[Any]] = {
    "packs": [1, 2],
    "kitty": ["none", "first_trick_winner"],
    "kitty_view": ["taker", "all"],
    "pass_mode": HOEMKE["pass_mode"],
    "opening_lead": [*HOEMKE["opening_lead"], "eldest_lowest_per_suit", "eldest_any_nonpenalty"],
    "first_trick_penalty": ["barred_unless_forced", "allowed"],
    "hearts_lead": [*HOEMKE["hearts_lead"], "broken_by_heart_or_qs"],
    "lead_escape": ["only_hearts", "only_hearts_or_qs"],
    "scoring": [*HOEMKE["scoring"], "black_lady"],
    "moon_needs_jd": [True, False],
    "moon_effect": ["others_plus", "self_minus", "shooter_choice"],
    "tie_for_lowest": ["shared_win", "play_on"],
    "cancellation": [True, False],
}
STANDARD: Rules = {
    "packs": 1,
    "stripped": [],
    "kitty": "none",
    "kitty_view": "taker",
    "pass_mode": "cycle",
    "pass_cycle": FOUR_WAYS,
    "opening_lead": "low_club",
    "first_trick_penalty": "barred_unless_forced",
    "hearts_lead": "broken_by_heart",
    "lead_escape": "only_hearts",
    "scoring": "black_lady",
    "moon_needs_jd": True,
    "moon_effect": "others_plus",
    "moon_value": 26,
    "target": 100,
    "deals": None,
    "max_deals": 200,
    "tie_for_lowest": "shared_win",
    "first_dealer": "seed",
    "cancellation": False,
}


def preset(name: str, players: int) -> Rules:
    """Every option of a preset at a table of so many players, before anything is overridden."""
    rules = {**STANDARD, "preset": name, "players": players}
    if name.startswith("hoemke-"):
        for digit, (option, values) in zip(name.removeprefix("hoemke-"), HOEMKE.items(), strict=True):
            rules[option] = values[int(digit) - 1]
    elif name == "classic":
        rules |= {
            "stripped": STRIPPED.get(players, []),
            "pass_cycle": FOUR_WAYS if players == 4 else ["left", "right"],
            "hearts_lead": "broken_by_heart_or_qs",
            "moon_effect": "shooter_choice",
        }
    elif name == "cancellation":
        rules |= {
            "packs": 2,
            "kitty": "first_trick_winner",
            "pass_cycle": ["left", "right"],
            "opening_lead": "eldest_any_nonpenalty",
            "first_trick_penalty": "allowed",
            "hearts_lead": "broken_by_heart_or_qs",
            "moon_effect": "shooter_choice",
            "target": 150,
            "cancellation": True,
        }
    elif name != "standard":
        raise ValueError(f"no preset {name}")
    return rules


def resolve(given: Rules) -> Rules:
    """Lay what is given over its preset and settle the options that follow others."""
    rules = preset(given["preset"], given["players"]) | given
    back = 1 if (1, rules["pass_mode"]) in GIVE_BACK else 0
    rules.setdefault("pass_count", 3 + back)
    rules.setdefault("give_back", back)
    if given.get("deals") is not None and "target" not in given:
        rules["target"] = None
    return rules


def pack(rules: Rules) -> list[str]:
    """Every card in play."""
    one = [r + s for s in SUITS for r in RANKS if r + s not in rules["stripped"]]
    return one * int(rules["packs"])


def hand_size(rules: Rules) -> int:
    """How many cards each player is dealt."""
    return int(len(pack(rules)) // rules["players"])


def faults(rules: Rules) -> list[str]:  # noqa: C901 -- a plain list of conditions
    """Name the options that make a whole rule set impossible, none if it can be played."""
    found = [name for name, allowed in CHOICES.items() if rules[name] not in allowed]
    if found:
        return found
    one = rules["packs"] == 1
    seats = {"standard": (4, 4), "classic": (3, 7), "cancellation": (6, 11)}.get(rules["preset"], (4, 4))
    low, high = (3, 7) if one else (6, 11)
    if not max(low, seats[0]) <= rules["players"] <= min(high, seats[1]):
        found.append("players")
    if rules["kitty"] == "none" and len(pack(rules)) % rules["players"]:
        found.append("stripped")
    if any(is_scoring(card, rules["scoring"]) for card in rules["stripped"]):
        found.append("stripped")
    if "across" in rules["pass_cycle"] and rules["players"] % 2:
        found.append("pass_cycle")
    if rules["cancellation"] == one:
        found.append("cancellation")
    if not 1 <= rules["pass_count"] <= hand_size(rules):
        found.append("pass_count")
    if (rules["give_back"], rules["pass_mode"]) not in GIVE_BACK:
        found.append("give_back")
    if not opening_exists(rules):
        found.append("opening_lead")
    if (rules["target"] is None) == (rules["deals"] is None):
        found.append("target")
    found += [name for name in ("target", "deals", "max_deals") if rules[name] is not None and rules[name] < 1]
    if rules["moon_value"] < 0:
        found.append("moon_value")
    if rules["first_dealer"] != "seed" and rules["first_dealer"] not in range(rules["players"]):
        found.append("first_dealer")
    return found


def opening_exists(rules: Rules) -> bool:
    """Whether somebody is sure to be dealt a card that the opening lead asks for, and there is only one of each.

    The rule book asks only that the cards are in the pack; that they may not all lie in the kitty is the least that
    keeps the opener defined.
    """
    groups: dict[str, list[list[str]]] = {
        "low_club": [of_suit(pack(rules), "C")],
        "first_plain_two": [["2C"], ["2D"], ["2S"], ["2C", "2D", "2S"]],
        "show_2c_any_nonscoring": [["2C"]],
    }
    if rules["opening_lead"] not in groups:
        return True
    asked = groups[rules["opening_lead"]]
    left_over = len(pack(rules)) % rules["players"]
    held = all(any(card in pack(rules) for card in group) for group in asked)
    return rules["packs"] == 1 and held and len(asked[-1]) > left_over
