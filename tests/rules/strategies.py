"""Hypothesis strategies: rule sets of every kind, secrets, and hands."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from hypothesis import strategies as st

from referee.rules.cards import CARD_NAMES, Card, Hand, hand_of
from referee.rules.options import JSON
from referee.rules.presets import HOEMKE_NAMES, resolve
from referee.rules.variant import (
    FirstTrickPenalty,
    HeartsLead,
    KittyUse,
    KittyView,
    LeadEscape,
    MoonEffect,
    OpeningLead,
    PassMode,
    Scoring,
    TieForLowest,
    Variant,
    VariantError,
)


def _any_of(values: type[StrEnum]) -> st.SearchStrategy[JSON]:
    return st.sampled_from([str(value) for value in values])


def _some_of(names: list[str], most: int) -> st.SearchStrategy[JSON]:
    return st.lists(st.sampled_from(names), max_size=most, unique=True).map(list)


_PLAIN: Final = [name for name in CARD_NAMES if name[1] != "H" and name not in ("QS", "JD")]
_OPTIONS: Final[dict[str, st.SearchStrategy[JSON]]] = {
    "stripped": _some_of([*_PLAIN, "QS", "JD"], 3) | _some_of(_PLAIN, 30),
    "kitty": _any_of(KittyUse),
    "kitty_view": _any_of(KittyView),
    "pass_mode": _any_of(PassMode),
    "pass_count": st.one_of(st.integers(1, 5), st.integers(1, 17)),
    "pass_cycle": st.lists(st.sampled_from(["left", "right", "across", "hold"]), min_size=1, max_size=5).map(list),
    "opening_lead": _any_of(OpeningLead),
    "first_trick_penalty": _any_of(FirstTrickPenalty),
    "hearts_lead": _any_of(HeartsLead),
    "lead_escape": _any_of(LeadEscape),
    "scoring": _any_of(Scoring),
    "moon_needs_jd": st.booleans(),
    "moon_effect": _any_of(MoonEffect),
    "moon_value": st.integers(0, 100),
    "max_deals": st.integers(1, 300),
    "tie_for_lowest": _any_of(TieForLowest),
}
_LENGTHS: Final[st.SearchStrategy[dict[str, JSON]]] = st.one_of(
    st.just({}),
    st.integers(1, 200).map(lambda target: {"target": target}),
    st.integers(1, 64).map(lambda deals: {"deals": deals}),
)
_SHAPES: Final = (
    ("standard", 1, 4, 4),
    ("classic", 1, 3, 7),
    ("classic", 2, 6, 7),
    ("cancellation", 1, 6, 7),
    ("cancellation", 2, 6, 11),
    ("hoemke", 1, 4, 4),
)
"""Preset, packs, and the fewest and the most players with both."""
_ALWAYS_FITS: Final[dict[str, JSON]] = {
    "kitty": "first_trick_winner",
    "opening_lead": "eldest_lowest_plain",
    "pass_count": 1,
}


@st.composite
def variants(draw: st.DrawFn) -> Variant:
    """Any playable rule set: preset, packs, players and some overrides; what does not fit the others is left out."""
    preset, packs, fewest, most = draw(st.sampled_from(_SHAPES))
    name = draw(st.sampled_from(HOEMKE_NAMES)) if preset == "hoemke" else preset
    players = draw(st.integers(fewest, most))
    overrides: dict[str, JSON] = {"packs": packs, "cancellation": packs == 2}
    overrides |= {option: draw(value) for option, value in _OPTIONS.items() if draw(st.booleans())}
    overrides |= draw(_LENGTHS)
    if draw(st.booleans()):
        overrides["first_dealer"] = draw(st.integers(0, players - 1))
    while True:
        try:
            return resolve(name, players=players, overrides=overrides)
        except VariantError as error:
            if error.option in overrides:
                del overrides[error.option]
            else:
                overrides[error.option] = _ALWAYS_FITS[error.option]


def secrets() -> st.SearchStrategy[bytes]:
    """Any 32-byte secret."""
    return st.binary(min_size=32, max_size=32)


def hands(packs: int = 1) -> st.SearchStrategy[Hand]:
    """Any hand that is not empty."""
    pack = [Card(card) for card in range(52)] * packs
    return st.lists(st.sampled_from(range(52 * packs)), min_size=1, max_size=17, unique=True).map(
        lambda places: hand_of(pack[place] for place in places)
    )
