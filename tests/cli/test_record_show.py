"""`arena record show` of every kind of game, and of records that are wrong in any way."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.cli.errors import Failure
from arena.cli.records.files import RecordText
from arena.cli.records.showing import show_deal, show_game
from referee.table.record import encode, record_of_log
from tests.cli.calling import Caller, assert_golden
from tests.table.players import ALL_KINDS, random_game, rules
from tests.table.test_check import mangle

VECTORS = Path(__file__).parents[1] / "vectors" / "records"
NAMES = ["ann", "bob", "cyd", "dan", "eve", "fay", "guy", "hal", "ivy", "jon", "kim"]


def record_of(
    preset: str, players: int, *, seed: int = 1, decisions: int | None = None, **over: object
) -> dict[str, Any]:
    """Return the record of a random game of two deals as JSON values, cancelled if it stops after some *decisions*."""
    table = random_game(rules(preset, players, deals=2), seed, decisions=decisions)
    log = record_of_log(table.variant, NAMES[:players], table.log, cancelled=decisions is not None)
    record: dict[str, Any] = json.loads(encode(log))
    return record | over


def shown(call: Caller, folder: Path, record: dict[str, Any], *words: str) -> str:
    """Return what is shown of *record*."""
    file = folder / "game.json"
    file.write_text(json.dumps(record))
    called = call("record", "show", str(file), *words)
    assert (called.code, called.err) == (0, "")
    return called.out


@pytest.mark.parametrize(("preset", "players"), ALL_KINDS)
def test_every_kind_of_game_is_shown(call: Caller, tmp_path: Path, preset: str, players: int) -> None:
    """Finished and cut off, wherever: as many tricks as were begun, nothing cut short, a line for each seat."""
    record: dict[str, Any] = {}
    for decisions in (None, 1, 2 * players + 3):
        record = record_of(preset, players, decisions=decisions)
        text = shown(call, tmp_path, record)
        assert "\N{HORIZONTAL ELLIPSIS}" not in text
        assert text.splitlines()[-1] == ("ended by: cancelled" if decisions else "ended by: deals")
        text = shown(call, tmp_path, record, "--deal", "1")
        assert all(name in text for name in NAMES[:players])
        tricks = -(-len(record["deals"][0]["plays"]) // players)
        assert text.count("> ") == tricks + bool(tricks)
        assert ("> leads" in text) == bool(tricks)
    del record["result"]
    assert shown(call, tmp_path, record).endswith("not finished\n")


@pytest.mark.parametrize(
    ("name", "preset", "players", "seed"),
    [("kitty", "cancellation", 11, 1), ("pool", "hoemke-4223", 4, 1), ("give-back", "hoemke-3223", 4, 1)],
)
def test_goldens(call: Caller, tmp_path: Path, name: str, preset: str, players: int, seed: int) -> None:
    """Kitty and cancelled cards, a pool, and cards given back."""
    text = shown(call, tmp_path, record_of(preset, players, seed=seed), "--deal", "1")
    assert_golden(f"record-show-{name}.txt", text)


def test_what_was_decided_for_a_bot_is_marked(call: Caller, tmp_path: Path) -> None:
    """Each pass, return, play and moon that is not the bot's own, by its fault, has a mark, which is explained."""
    record = record_of("hoemke-3223", 4)
    deal = record["deals"][0]
    plays = ["bot", "forced", "timeout", "illegal", "disconnect", "autopilot"] + ["bot"] * 46
    sources = {"passes": ["bot", "timeout", "bot", "illegal"], "returns": ["autopilot", *["bot"] * 3], "plays": plays}
    deal["sources"] = sources | {"moon": None}
    text = shown(call, tmp_path, record, "--deal", "1")
    assert text.count("!") == 2 + 1 + 4 + 1
    assert "! decided for the bot, by its fault" in text
    deal["sources"] = {"passes": ["bot"] * 4, "returns": ["bot"] * 4, "plays": ["bot"] * 52, "moon": None}
    assert "!" not in shown(call, tmp_path, record, "--deal", "1")
    record = json.loads((VECTORS / "moon.json").read_text())
    deal = next(deal for deal in record["deals"] if deal["moon"])
    deal["sources"] = {"passes": None, "returns": None, "plays": ["bot"] * len(deal["plays"]), "moon": "timeout"}
    deal["sources"] |= {"passes": ["bot"] * 4} if deal["passes"] else {}
    text = shown(call, tmp_path, record, "--deal", str(deal["number"]))
    assert f"(moon: {deal['moon']}!)" in text


def test_long_and_wild_names(call: Caller, tmp_path: Path) -> None:
    """Long names stand above the columns, equal ones are numbered, and no letter is a command to the terminal."""
    long = [f"{name} of the long house" for name in NAMES]
    text = shown(call, tmp_path, record_of("cancellation", 11, seats=long))
    assert f"0 = {long[0]}, 1 = {long[1]}" in " ".join(text.split())
    wild = ["x", "x", "\x1b[31mred", "\ud800"]
    text = shown(call, tmp_path, record_of("standard", 4, seats=wild))
    assert "x (0)" in text
    assert "\x1b" not in text


def show_everything(record: object) -> bool:
    """Return whether *record* can be shown; that it cannot is told in a sentence."""
    text = RecordText(1, json.dumps(record).encode(), alone=True)
    try:
        show_game(text, "a.json")
        show_deal(text, "a.json", 1)
    except Failure:
        return False
    return True


@pytest.mark.parametrize(("preset", "players"), [ALL_KINDS[0], ALL_KINDS[7], ALL_KINDS[11]])
def test_records_that_are_wrong_in_any_way(preset: str, players: int) -> None:
    """A mangled record is shown or refused with a reason, never anything else."""
    rng = Random(5)
    record = record_of(preset, players)
    able = sum(show_everything(mangle(record, rng, chance=(0.0005, 0.003, 0.02)[n % 3])) for n in range(40))
    assert 2 < able < 40


def test_wrong_values_of_every_key() -> None:
    """Each key missing, null, or of another type: shown or refused."""
    junk: list[Any] = [None, 7, -1, 10**30, "x", [], [None] * 4, ["QS"] * 4, [[7]] * 4]
    record = record_of("hoemke-4223", 4, decisions=30)
    for part in (record, record["rules"], record["deals"][0], record["result"]):
        for key in list(part):
            right = part.pop(key)
            show_everything(record)
            if part is not record:  # two things wrong: the first must not hide the second from who would be hurt by it
                version = record.pop("version")
                part[key] = junk[1]
                show_everything(record)
                record["version"] = version
            for value in junk:
                part[key] = value
                show_everything(record)
            part[key] = right
    assert show_everything(record)
