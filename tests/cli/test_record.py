"""`arena record` on files, good ones and all others."""

from __future__ import annotations

import gzip
import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from referee.table.record import JsonObject, encode, record_of_log
from tests.cli.calling import Caller, assert_golden, call_process
from tests.table.players import random_game, rules

if TYPE_CHECKING:
    from pathlib import Path

SEATS = ["ann", "bob", "cyd", "dan"]


def game(seed: int = 1, deals: int = 2) -> JsonObject:
    """Return the record of a game at random."""
    table = random_game(rules(deals=deals), seed)
    return record_of_log(table.variant, SEATS, table.log)


def put(directory: Path, name: str, *records: JsonObject) -> str:
    """Write *records* to a file, one a line, and return its name."""
    file = directory / name
    file.write_bytes(b"".join(encode(record) + b"\n" for record in records))
    return str(file)


def broken(record: JsonObject) -> JsonObject:
    """Return *record* with the points of its second deal wrong."""
    again: JsonObject = json.loads(encode(record))
    deals = again["deals"]
    assert isinstance(deals, list)
    deals[1]["points"][2] += 1
    return again


def test_good_records(call: Caller, tmp_path: Path) -> None:
    """Sound records are counted, and the exit code is 0."""
    one, many = put(tmp_path, "one.json", game()), put(tmp_path, "many.jsonl", game(1), game(2), game(3))
    called = call("record", "check", one, many)
    assert called.code == 0
    assert called.out == f"{one}: 1 record, 2 deals, all right\n{many}: 3 records, 6 deals, all right\n"


def test_a_record_over_many_lines(call: Caller, tmp_path: Path) -> None:
    """A .json file may be written over many lines."""
    file = tmp_path / "pretty.json"
    file.write_text(json.dumps(game(), indent=2))
    assert call("record", "check", str(file)).code == 0


def test_problems_name_file_record_deal_and_rule(call: Caller, tmp_path: Path) -> None:
    """All files are checked, each problem is a line that says where, and the exit code is 1."""
    bad = put(tmp_path, "bad.jsonl", game(1), broken(game(2)))
    good = put(tmp_path, "good.json", game(3))
    called = call("record", "check", bad, good)
    assert called.code == 1
    first, *_, last = called.out.splitlines()
    assert first.startswith(f"{bad}: record 2: deal 2")
    assert "points" in first.lower()
    assert last == f"{good}: 1 record, 2 deals, all right"


def test_json_report(call: Caller, tmp_path: Path) -> None:
    """With --json, one document tells all."""
    bad = put(tmp_path, "bad.json", broken(game()))
    called = call("record", "check", "--json", bad)
    assert called.code == 1
    report = json.loads(called.out)
    assert report["ok"] is False
    (file,) = report["files"]
    assert (file["file"], file["records"], file["deals"]) == (bad, 1, 2)
    assert {"record", "deal", "trick", "seat", "rule", "text", "rule_number"} == set(file["problems"][0])


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("cut.json", encode(game())[:500], "not JSON"),
        ("cut.jsonl", encode(game(1)) + b"\n" + encode(game(2))[:300], "record 2: game: FORMAT: this is not JSON"),
        ("text.json", b"hello", "not JSON"),
        ("binary.json", b"\xff\xfe\x00\x01", "not JSON"),
        ("list.json", b"[1, 2]", "one JSON object"),
        ("number.jsonl", b"12\n", "one JSON object"),
        ("empty.json", b"", "holds no record"),
        ("empty.jsonl", b"\n\n", "holds no record"),
        ("other.json", b"{}", "FORMAT"),
        ("version.json", encode(game() | {"version": 2}), "version must be 1"),
        ("format.json", encode(game() | {"format": "pgn"}), "format must be"),
        ("deep.json", b"[" * 100_000, "nested too deeply"),
        ("nan.json", b'{"format": NaN}', "NaN"),
        ("digits.json", b'{"format": ' + b"9" * 5000 + b"}", "a number has 5000 digits; at most 1000 are read"),
        ("moon.json", encode(game() | {"rules": {"preset": "standard", "moon_value": 10**900}}), "a number from 0 to"),
        ("surrogate.json", b'{"format": "\xed\xa0\x80"}', "not JSON in UTF-8"),
        ("packed.json", gzip.compress(encode(game())), "packed by gzip; unpack it"),
        ("many.jsonl", json.dumps([game()], indent=1).encode(), "one JSON object, not list"),
        ("cards.json", encode(game() | {"deals": [{"number": 1, "dealer": 0, "hands": [["XX"]]}]}), "deal 1"),
        ("rules.json", encode(game() | {"rules": {"preset": "whist"}}), "whist"),
    ],
)
def test_what_is_no_record(call: Caller, tmp_path: Path, name: str, content: bytes, told: str) -> None:
    """Whatever a file holds, it is told in a line, with exit code 1 and no traceback."""
    file = tmp_path / name
    file.write_bytes(content)
    called = call("record", "check", str(file))
    assert called.code == 1
    assert called.out.startswith(f"{file}: ")
    assert told in called.out
    assert called.err == ""


def test_a_document_over_many_lines_by_another_name(call: Caller, tmp_path: Path) -> None:
    """One that is called .jsonl is one record, or one problem, not a problem a line."""
    file = tmp_path / "game.jsonl"
    file.write_text(json.dumps(game(), indent=2))
    called = call("record", "check", str(file))
    assert (called.code, called.out) == (0, f"{file}: 1 record, 2 deals, all right\n")
    file.write_text("{\n" + "nonsense\n" * 1000)
    called = call("record", "check", str(file))
    assert (called.code, called.out.count("\n")) == (1, 1)


def test_names_of_files_are_no_commands(call: Caller, tmp_path: Path) -> None:
    """The name of a file in a directory can write no line of its own, and nothing that a terminal obeys."""
    put(tmp_path, "a\n\x1b[31mb.json", broken(game()))
    called = call("record", "check", str(tmp_path))
    assert called.out.startswith(f"{tmp_path}/a\ufffd\ufffd[31mb.json: ")
    assert called.out.count("\n") == 1
    put(tmp_path, "c.json", game())
    called = call("record", "show", str(tmp_path))
    assert "\x1b" not in called.err
    assert called.code == 2


def test_files_that_cannot_be_read(call: Caller, tmp_path: Path) -> None:
    """A file that is not there is exit code 1, and the others are checked all the same."""
    good = put(tmp_path, "good.json", game())
    for name in ("none.json", "none.jsonl"):
        called = call("record", "check", str(tmp_path / name), good)
        assert called.code == 1
        assert "no such file" in called.out
        assert "all right" in called.out


def test_the_directory_of_a_run_that_is_not_finished(call: Caller, tmp_path: Path) -> None:
    """Its other files are not taken for records; the error says how to finish the run."""
    (tmp_path / "run.json").write_bytes(b"{}")
    for verb in ("check", "show"):
        called = call("record", verb, str(tmp_path))
        assert (called.code, called.out) == (1, "")
        assert f"arena run --resume {tmp_path}" in called.err


def test_show_from_a_directory(call: Caller, tmp_path: Path) -> None:
    """A directory stands for its records where they are in one file; of several, one must be named."""
    file = put(tmp_path, "records.jsonl", game(1), game(2))
    words = ("--record", "2", "--json")
    assert call("record", "show", str(tmp_path), *words).out == call("record", "show", file, *words).out
    (tmp_path / "records.jsonl").rename(tmp_path / "a.json")
    put(tmp_path, "b.json", game(3))
    called = call("record", "show", str(tmp_path))
    assert called.code == 2
    assert "2 files" in called.err


def test_stdin() -> None:
    """`-` is stdin: one record, or one a line."""
    text = (encode(game(1)) + b"\n" + encode(game(2))).decode()
    called = call_process("record", "check", "-", stdin=text)
    assert (called.code, called.out) == (0, "-: 2 records, 4 deals, all right\n")


def test_legal_lines(call: Caller, tmp_path: Path) -> None:
    """--legal prints a line for each decision: passes without `legal`, plays with it; the report is on stderr."""
    file = put(tmp_path, "one.json", game())
    called = call("record", "check", "--legal", file)
    assert called.code == 0
    lines = [json.loads(line) for line in called.out.splitlines()]
    assert [line["kind"] for line in lines].count("play") == 104
    assert all(("legal" in line) == (line["kind"] != "pass") for line in lines)
    assert all(line["chose"] in line["legal"] for line in lines if line["kind"] == "play")
    assert set(lines[-1]) == {"deal", "seat", "kind", "legal", "chose"}
    assert "all right" in called.err


def test_legal_lines_of_several(call: Caller, tmp_path: Path) -> None:
    """With several files, lines name theirs; with several records in a file, lines number theirs."""
    one, many = put(tmp_path, "one.json", game()), put(tmp_path, "many.jsonl", game(1), game(2))
    lines = [json.loads(line) for line in call("record", "check", "--legal", one, many).out.splitlines()]
    assert {line["file"] for line in lines} == {one, many}
    assert {line.get("record") for line in lines if line["file"] == many} == {1, 2}
    assert "record" not in lines[0]


def test_legal_and_json_exclude_each_other(call: Caller, tmp_path: Path) -> None:
    """Both want stdout."""
    assert call("record", "check", "--legal", "--json", put(tmp_path, "a.json", game())).code == 2


def test_show_a_game_golden(call: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game is shown by deals, with totals and places."""
    monkeypatch.chdir(tmp_path)
    put(tmp_path, "games.jsonl", game(1), game(2, deals=4))
    called = call("record", "show", "games.jsonl", "--record", "2")
    assert called.code == 0
    assert_golden("record-show.txt", called.out)


def test_show_a_deal_golden(call: Caller, tmp_path: Path) -> None:
    """A deal is shown by hands and tricks."""
    called = call("record", "show", put(tmp_path, "game.json", game()), "--deal", "1")
    assert called.code == 0
    assert_golden("record-show-deal.txt", called.out)


def test_show_json(call: Caller, tmp_path: Path) -> None:
    """With --json the record itself comes."""
    called = call("record", "show", put(tmp_path, "games.jsonl", game(1), game(2)), "--record", "2", "--json")
    assert json.loads(called.out) == json.loads(encode(game(2)))


@pytest.mark.parametrize(
    ("words", "told"),
    [(["--record", "3"], "has no record 3"), (["--deal", "7"], "has no deal 7; its deals are 1, 2")],
)
def test_show_what_is_not_there(call: Caller, tmp_path: Path, words: list[str], told: str) -> None:
    """What is asked for and not there is named."""
    called = call("record", "show", put(tmp_path, "game.json", game()), *words)
    assert called.code == 1
    assert told in called.err


@pytest.mark.parametrize("content", [b"", b"x", b"{}", b"[]", encode(game() | {"rules": {"preset": "whist"}})])
def test_show_what_is_no_record(call: Caller, tmp_path: Path, content: bytes) -> None:
    """What cannot be shown is told in a line."""
    file = tmp_path / "game.json"
    file.write_bytes(content)
    called = call("record", "show", str(file))
    assert (called.code, called.out) == (1, "")
    assert called.err.count("\n") == 1


def test_show_a_record_with_problems(call: Caller, tmp_path: Path) -> None:
    """A game that is wrong somewhere is shown all the same, with a warning."""
    called = call("record", "show", put(tmp_path, "bad.json", broken(game())))
    assert called.code == 0
    assert "has problems" in called.err


def test_show_from_stdin(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record is shown from stdin too."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(encode(game()))))
    assert call("record", "show", "-").code == 0
