"""Presets, overrides, and rule sets as text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from referee.rules.options import OPTIONS, parse_override
from referee.rules.presets import HOEMKE_NAMES, canonical_rules, from_json, players_of, resolve, rules_digest, to_json
from referee.rules.variant import HeartsLead, MoonEffect, PassMode, Scoring, Variant, VariantError
from tests.rules.driver import cards
from tests.rules.strategies import variants


@pytest.mark.parametrize(
    ("players", "pack", "hand", "stripped"),
    [
        pytest.param(3, 51, 17, "2D", id="t01"),
        pytest.param(4, 52, 13, "", id="four"),
        pytest.param(5, 50, 10, "2C 2D", id="t02"),
        pytest.param(6, 48, 8, "3C 4C 2D 3D", id="t03"),
        pytest.param(7, 49, 7, "3C 2D 3D", id="t04"),
    ],
)
def test_t01_t02_t03_t04_classic_strips_the_pack_so_that_it_divides(
    players: int, pack: int, hand: int, stripped: str
) -> None:
    """Each number of players has its pack, its hand size and no kitty."""
    variant = resolve("classic", players=players)
    assert (variant.pack_size, variant.hand_size, variant.kitty_size) == (pack, hand, 0)
    assert variant.stripped == tuple(cards(stripped))


@pytest.mark.parametrize(
    ("players", "hand", "kitty"), [(6, 17, 2), (7, 14, 6), (8, 13, 0), (9, 11, 5), (10, 10, 4), (11, 9, 5)]
)
def test_t05_cancellation_deals_as_evenly_as_it_can(players: int, hand: int, kitty: int) -> None:
    """Two packs leave the kitty that the number of players makes."""
    variant = resolve("cancellation", players=players)
    assert (variant.hand_size, variant.kitty_size) == (hand, kitty)


def test_standard_is_the_game_most_people_know() -> None:
    """The options that make up the preset."""
    variant = resolve("standard")
    assert (variant.players, variant.pass_count, variant.target, variant.deals) == (4, 3, 100, None)
    assert (variant.hearts_lead, variant.scoring) == (HeartsLead.BROKEN_BY_HEART, Scoring.BLACK_LADY)
    assert (variant.moon_effect, variant.moon_value) == (MoonEffect.OTHERS_PLUS, 26)


def test_all_256_hoemke_variants_are_different_rule_sets() -> None:
    """Each of the 256 names resolves, and no two mean the same."""
    assert len({rules_digest(resolve(name)) for name in HOEMKE_NAMES}) == 256
    variant = resolve("hoemke-3142")
    assert (variant.pass_mode, variant.pass_count, variant.give_back) == (PassMode.CYCLE_GIVE_BACK, 4, 1)
    assert (variant.hearts_lead, variant.scoring) == (HeartsLead.AFTER_PLAIN_SUITS_LED, Scoring.HONOURS_5)


@settings(deadline=None)
@given(variants())
def test_what_is_written_reads_back(variant: Variant) -> None:
    """The text of a rule set holds every option and stands for that rule set."""
    text = canonical_rules(variant)
    rules = json.loads(text)
    assert set(rules) == {"preset", *OPTIONS}
    assert from_json(rules) == variant
    assert text.isascii()
    assert b" " not in text


@settings(deadline=None)
@given(variants())
def test_every_option_can_be_typed(variant: Variant) -> None:
    """Each option of a rule set, typed as name=value, is read as the value it has."""
    for name, value in to_json(variant).items():
        if name == "preset":
            continue
        text = ",".join(map(str, value)) if isinstance(value, list) else json.dumps(value).strip('"')
        assert parse_override(f"{name}={text}") == (name, value)


def test_options_left_out_are_the_presets() -> None:
    """A record may name only what differs."""
    variant = from_json({"preset": "standard", "deals": 1, "target": None})
    assert (variant.deals, variant.target, variant.pass_count) == (1, None, 3)


def test_setting_deals_or_target_unsets_the_other() -> None:
    """A number of deals takes the target away, and both together are refused."""
    assert resolve("standard", overrides={"deals": 16}).target is None
    assert resolve("standard", overrides={"target": 50}).deals is None
    with pytest.raises(VariantError, match="option target: 50"):
        resolve("standard", overrides={"deals": 16, "target": 50})


def test_pass_count_and_give_back_follow_the_pass_mode() -> None:
    """Four and one with giving back, three and none otherwise, unless they are given."""
    back = resolve("standard", overrides={"pass_mode": "cycle_give_back"})
    assert (back.pass_count, back.give_back) == (4, 1)
    assert resolve("standard", overrides={"pass_mode": "cycle_give_back", "pass_count": 2}).pass_count == 2
    pool = resolve("standard", overrides={"pass_mode": "pool"})
    assert (pool.pass_count, pool.give_back) == (3, 0)


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("standrd", "standard"),
        ("classik", "classic"),
        ("hoemke-2225", "hoemke-2224"),
        ("hoemke-0923", "hoemke-1423"),
        ("hoemke-2²23", "hoemke-2"),
        ("zzz", "4"),
    ],
)
def test_an_unknown_preset_is_refused_with_the_nearest_name(name: str, near: str) -> None:
    """The error names the preset asked for, and what there is."""
    with pytest.raises(VariantError, match="option preset") as caught:
        resolve(name)
    assert caught.value.value == name
    assert near in str(caught.value)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("target=null", "target", None),
        ("first_dealer=seed", "first_dealer", "seed"),
        ("stripped=2D,2C", "stripped", ["2C", "2D"]),
        ("stripped=none", "stripped", []),
        ("pass_cycle=left,hold", "pass_cycle", ["left", "hold"]),
        ("moon_needs_jd=false", "moon_needs_jd", False),
    ],
)
def test_an_override_is_typed_as_name_and_value(text: str, name: str, value: object) -> None:
    """Lists have commas, nothing is null, cards come sorted."""
    assert parse_override(text) == (name, value)


@pytest.mark.parametrize("text", ["target", "target=ten", "tarket=3", "cancellation=yes", "stripped=1X", "pass_cycle="])
def test_an_override_that_means_nothing_is_refused(text: str) -> None:
    """Without a sign, with an unknown name, or with a value of the wrong kind."""
    with pytest.raises(VariantError):
        parse_override(text)


def test_the_digest_is_the_sha256_of_the_canonical_text() -> None:
    """The rule set's name in the deal procedure changes with any option, and stays as published otherwise."""
    assert rules_digest(resolve("standard")) == "605dea5c2a16bc7bea6d2803151796b79f998482523645156f16a8b4742f7359"
    assert rules_digest(resolve("standard")) != rules_digest(resolve("standard", overrides={"target": 99}))


@pytest.mark.parametrize(
    ("preset", "usual", "allowed"),
    [("standard", 4, "4"), ("hoemke-2223", 4, "4"), ("classic", 4, "3 to 7"), ("cancellation", 8, "6 to 11")],
)
def test_a_preset_knows_its_numbers_of_players(preset: str, usual: int, allowed: str) -> None:
    """It has a usual one, and refuses all that are not its own, naming those that are."""
    assert resolve(preset).players == usual == players_of(preset)[1]
    own = [*players_of(preset)[0]]
    assert allowed == (f"{own[0]} to {own[-1]}" if len(own) > 1 else f"{own[0]}")
    for players in own:
        assert resolve(preset, players=players).players == players
    for players in (own[0] - 1, own[-1] + 1):
        with pytest.raises(VariantError) as refusal:
            resolve(preset, players=players)
        assert refusal.value.option == "players"
        assert refusal.value.allowed.startswith(f"{allowed} with preset {preset}")


@pytest.mark.parametrize(
    ("preset", "players", "allowed"),
    [
        ("classic", 8, "3 to 7 with preset classic, or preset cancellation"),
        ("standard", 6, "4 with preset standard, or preset classic or cancellation"),
        ("hoemke-2223", 3, "4 with preset hoemke-2223, or preset classic"),
        ("cancellation", 5, "6 to 11 with preset cancellation, or preset classic"),
        ("classic", 12, "3 to 7 with preset classic"),
    ],
)
def test_a_number_of_players_that_another_preset_takes(preset: str, players: int, allowed: str) -> None:
    """The error says what this preset takes, and which others take that number."""
    with pytest.raises(VariantError) as caught:
        resolve(preset, players=players)
    assert caught.value.allowed == allowed
    assert players not in players_of(preset)[0]
    assert players_of(preset)[1] in players_of(preset)[0]


def test_an_unknown_option_is_refused_with_the_nearest_name() -> None:
    """Where one is near; else the error only lists what there is."""
    with pytest.raises(VariantError, match=r"did you mean target\? the options are players, packs"):
        parse_override("tarket=3")
    with pytest.raises(VariantError, match="that exists; the options are players, packs"):
        parse_override("zzzzzz=3")
