"""Hypothesis strategies: rule sets of every kind, secrets, and hands."""

from __future__ import annotations

from hypothesis import strategies as st

from referee.rules.cards import Card, Hand, hand_of
from referee.rules.options import JSON
from referee.rules.presets import HOEMKE_NAMES, resolve
from referee.rules.variant import (
    FirstTrickPenalty,
    HeartsLead,
    KittyView,
    LeadEscape,
    MoonEffect,
    OpeningLead,
    Scoring,
    TieForLowest,
    Variant,
    VariantError,
)

_FREE: dict[str, st.SearchStrategy[JSON]] = {
    "kitty_view": st.sampled_from([str(value) for value in KittyView]),
    "pass_mode": st.sampled_from(["none", "cycle", "cycle_give_back", "pool"]),
    "pass_cycle": st.lists(st.sampled_from(["left", "right", "hold"]), min_size=1, max_size=4).map(list),
    "opening_lead": st.sampled_from([str(value) for value in OpeningLead]),
    "first_trick_penalty": st.sampled_from([str(value) for value in FirstTrickPenalty]),
    "hearts_lead": st.sampled_from([str(value) for value in HeartsLead]),
    "lead_escape": st.sampled_from([str(value) for value in LeadEscape]),
    "scoring": st.sampled_from([str(value) for value in Scoring]),
    "moon_needs_jd": st.booleans(),
    "moon_effect": st.sampled_from([str(value) for value in MoonEffect]),
    "moon_value": st.integers(0, 100),
    "max_deals": st.integers(1, 300),
    "tie_for_lowest": st.sampled_from([str(value) for value in TieForLowest]),
}


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any playable rule set: a preset, a number of players, and some overrides (those that fit)."""
    preset, low, high = draw(
        st.sampled_from([("standard", 4, 4), ("classic", 3, 7), ("cancellation", 6, 11), ("hoemke", 4, 4)])
    )
    name = draw(st.sampled_from(HOEMKE_NAMES)) if preset == "hoemke" else preset
    players = draw(st.integers(low, high))
    overrides = {option: draw(value) for option, value in _FREE.items() if draw(st.booleans())}
    if preset == "classic" and draw(st.booleans()):
        overrides |= {"stripped": [], "kitty": "first_trick_winner"}
    if draw(st.booleans()):
        overrides["deals"] = draw(st.integers(1, 64))
    while True:
        try:
            return resolve(name, players=players, overrides=overrides)
        except VariantError as error:
            del overrides[error.option]


def secrets() -> st.SearchStrategy[bytes]:
    """Any 32-byte secret."""
    return st.binary(min_size=32, max_size=32)


def hands(packs: int = 1) -> st.SearchStrategy[Hand]:
    """Any hand that is not empty."""
    pack = [Card(card) for card in range(52)] * packs
    return st.lists(st.sampled_from(range(52 * packs)), min_size=1, max_size=17, unique=True).map(
        lambda places: hand_of(pack[place] for place in places)
    )
