"""Keys and scripts are documented, and Redis holds no others."""

import ast
import re
from pathlib import Path

import pytest

from arena.storage import keys
from arena.storage.connect import Storage
from tests.storage.builders import ANN, CUP, PARK_AFTER, all_keys, bot, match, owner, referee, running_cup

HOME = Path(keys.__file__).parent
SCRIPTS = sorted((HOME / "scripts").glob("*.lua"))
NEWER_THAN_REDIS_7 = ("HEXPIRE", "HPEXPIRE", "HGETEX", "HSETEX", "HGETDEL", "HEXPIREAT", "XDELEX", "XACKDEL", "MSETEX")


async def test_all_keys_have_the_prefix_and_a_name_in_keys(storage: Storage) -> None:
    """Whatever the adapters write is under `arena:` and made by a name in keys.py."""
    await storage.registry.add_owner(owner())
    await storage.registry.add_bot(bot())
    await running_cup(storage, ready=3)
    await storage.tournaments.put_secret(CUP, b"s")
    for number in range(2):
        taken = await storage.tournaments.take(match(number), ANN)
        assert taken is not None
        await storage.tournaments.checkpoint(match(number), taken.attempt, b"c")
        if number == 0:
            await storage.tournaments.commit(match(number), taken.attempt, b"row", b"record", 1)
    await storage.fleet.beat(referee(), lease=1)
    await storage.fleet.set_presence(ANN, [])
    await storage.fleet.sweep(lease=1, park_after=PARK_AFTER)
    made = {value for name, value in vars(keys).items() if name.isupper() and name not in {"PREFIX", "QUEUE", "WAKE"}}
    made |= {
        make(CUP)
        for make in (
            keys.tournament,
            keys.secret,
            keys.flight,
            keys.ended,
            keys.checkpoints,
            keys.results,
            keys.records,
        )
    }
    made.add(keys.hosted(ANN))
    found = await all_keys(storage)
    assert {key for key in found if not key.startswith(f"{keys.QUEUE}:")} <= made
    assert {key for key in found if not key.startswith(keys.PREFIX)} == set()


def test_every_key_is_documented() -> None:
    """Each constant of keys.py is followed by its description, each function has one."""
    body = ast.parse((HOME / "keys.py").read_text()).body
    for statement, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            described = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            assert described or statement.targets[0].id == "PREFIX", statement.targets[0].id
        if isinstance(statement, ast.FunctionDef):
            assert ast.get_docstring(statement)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_is_headed(script: Path) -> None:
    """A script opens with its purpose, KEYS, ARGV and Returns, and uses nothing newer than Redis 7."""
    text = script.read_text()
    header = re.match(r"(?:--.*\n)+", text)
    assert header is not None
    assert re.match(r"-- [A-Z].*\.\n", header[0])
    for part in ("-- KEYS: ", "-- ARGV: ", "-- Returns"):
        assert part in header[0], part
    assert not set(re.findall(r"call\('(\w+)'", text)) & set(NEWER_THAN_REDIS_7)


def test_every_script_is_used() -> None:
    """No script is left over, and none that is called is missing."""
    sources = "".join(path.read_text() for path in HOME.rglob("*.py"))
    called = set(re.findall(r"script\(\s*\"(\w+)\"", sources))
    assert called == {script.stem for script in SCRIPTS}
