"""The users of deploy/redis/users.acl on a real Valkey: each can do its work, and reach nothing beyond it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import NoPermissionError, ResponseError

from arena.storage import keys
from arena.storage.connect import Storage, client_of, open_storage
from arena.storage.embedded import EmbeddedValkey
from arena.storage.ports import Role, StorageUnfit, Token, TokenId, TournamentState
from arena.storage.rights import Task, check_rights
from tests.support.acl import FILE, ROLES, put_up, url_for

TOKEN_KEYS = (keys.TOKENS, keys.TOKEN_IDS, keys.TOKEN_ORDER, keys.TOKENS_REVOKED)
SECRET = keys.secret("t_1")
TICKET = keys.ticket("0" * 64)


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Redis]]:
    """Give clients of a Valkey with the users, by role, `default` for the one that may do all."""
    folder = tmp_path_factory.mktemp("v")
    server = EmbeddedValkey(folder / "data", runtime_dir=folder)
    server.start()
    put_up(server.url)
    clients = {role: Redis.from_url(url_for(server.url, role)) for role in ROLES}
    root = clients["default"] = Redis.from_url(server.url)
    root.set(SECRET, b"s" * 32)
    root.set(TICKET, b"[]")
    root.hset(keys.TOKENS, "digest", "{}")
    root.hset(keys.TOKEN_IDS, "k_1", "digest")
    root.rpush(keys.TOKEN_ORDER, "digest")
    root.sadd(keys.TOKENS_REVOKED, "digest")
    yield clients
    for client in clients.values():
        client.close()
    server.stop()


def run(client: Redis, *command: str) -> None:
    """Run one command."""
    execute: Callable[..., object] = client.execute_command
    execute(*command)


def refused(client: Redis, *command: str) -> bool:
    """Whether *command* is not allowed, alone and out of a script."""
    alone = False
    try:
        run(client, *command)
    except NoPermissionError:
        alone = True
    try:
        client.eval("return redis.call(unpack(ARGV))", 0, *command)
    except (NoPermissionError, ResponseError) as error:
        return alone and "permission" in str(error).lower()
    return False


def reading(key: str) -> tuple[str, ...]:
    """Return the commands that would tell what is in *key*, or move it to where it can be read."""
    return (
        f"GET {key}",
        f"HGETALL {key}",
        f"LRANGE {key} 0 -1",
        f"SMEMBERS {key}",
        f"DUMP {key}",
        f"COPY {key} arena:flight:t_x",
        f"RENAME {key} arena:flight:t_x",
    )


@pytest.mark.parametrize("role", ["web", "scheduler"])
@pytest.mark.parametrize("key", [SECRET, TICKET, *TOKEN_KEYS])
def test_roles_without_need_read_neither_secrets_nor_tokens(role: str, key: str, users: dict[str, Redis]) -> None:
    """The read-only role and the scheduler get no deal secret, ticket or digest of a token, however they ask."""
    for command in reading(key):
        assert refused(users[role], *command.split()), command


def test_a_referee_reads_what_it_checks_and_changes_none_of_it(users: dict[str, Redis]) -> None:
    """A referee finds tokens and deal secrets, and can neither issue, unrevoke nor replace one."""
    referee = users["referee"]
    assert referee.get(SECRET) == b"s" * 32
    assert referee.hget(keys.TOKENS, "digest") == b"{}"
    for command in (
        f"SET {SECRET} x",
        f"DEL {SECRET}",
        f"HSET {keys.TOKENS} d x",
        f"SREM {keys.TOKENS_REVOKED} digest",
        f"HSET {keys.BOTS} b x",
        f"HGETALL {keys.TOKEN_IDS}",
    ):
        assert refused(referee, *command.split()), command


def test_the_read_only_role_changes_nothing(users: dict[str, Redis]) -> None:
    """The read-only role reads tournaments, results and who is there, hears wakeups, and writes nothing at all."""
    web = users["web"]
    for key in (keys.results("t_1"), keys.tournament("t_1"), keys.BOTS, keys.PRESENCES):
        web.hgetall(key)
        for command in (f"HSET {key} a b", f"DEL {key}", f"RENAME {key} {key}", f"EXPIRE {key} 1"):
            assert refused(web, *command.split()), command
    assert refused(web, "PUBLISH", f"{keys.WAKE}tournaments", "")
    assert refused(web, "KEYS", "*")
    with web.pubsub() as listening:
        listening.subscribe(f"{keys.WAKE}tournaments")
        assert listening.get_message(timeout=5) is not None


@pytest.mark.parametrize("role", ROLES)
def test_no_role_runs_the_server(role: str, users: dict[str, Redis]) -> None:
    """No role changes the configuration, other users or replication, empties the database, or reads foreign keys."""
    for command in (
        "CONFIG GET dir",
        "CONFIG SET dir /tmp",
        "ACL LIST",
        "FLUSHALL",
        "REPLICAOF localhost 1",
        "MODULE LIST",
        "SHUTDOWN NOSAVE",
        "GET other:key",
        "SET other:key x",
    ):
        with pytest.raises(NoPermissionError):
            run(users[role], *command.split())


@pytest.mark.parametrize("role", ["api", "scheduler", "referee"])
async def test_every_role_reads_what_there_is_to_play(role: str, users: dict[str, Redis]) -> None:
    """Whatever a role may only read, it may read by the scripts too that only read it."""
    path = str(users["default"].connection_pool.connection_kwargs["path"])
    users["default"].script_flush()  # so that each is sent whole, and then asked for by its digest
    storage = await open_storage(url_for(f"unix://{path}", role))
    for _ in range(2):
        assert await storage.tournaments.tournaments_in([*TournamentState]) == []
        assert await storage.fleet.referees() == []
        assert await storage.fleet.presences() == []
        assert await storage.queue.pending() == (0, 0.0)
    await storage.aclose()


async def test_a_missing_right_is_told_in_words(own_valkey: EmbeddedValkey) -> None:
    """Storage says which file lists the rights when a role has the login of another."""
    put_up(own_valkey.url)
    storage = await open_storage(url_for(own_valkey.url, "scheduler"))
    with pytest.raises(StorageUnfit, match=r"deploy/redis/users\.acl"):
        await storage.registry.add_token(Token(TokenId("k_1"), Role.ADMIN, "", 0.0), "digest")
    await storage.aclose()


TASKS: tuple[Task, ...] = ("api", "scheduler", "referee")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("task", TASKS)
async def test_a_login_of_another_role_is_found_out_at_the_start(
    task: Task, role: str, users: dict[str, Redis]
) -> None:
    """Each role's user may do its own work, the API's all; any other is refused before anybody is told `ready`."""
    url = str(users["default"].connection_pool.connection_kwargs["path"])
    client = client_of(url_for(f"unix://{url}", role))
    try:
        if role in (task, "api"):
            await check_rights(client, task)
        else:
            with pytest.raises(StorageUnfit, match=r"deploy/redis/users\.acl"):
                await check_rights(client, task)
    finally:
        await client.aclose()


async def test_asking_for_rights_changes_nothing(storage: Storage) -> None:
    """The probes leave an empty Redis empty."""
    before = await storage.client.dbsize()
    await check_rights(storage.client, *TASKS)
    assert await storage.client.dbsize() == before


def test_every_key_is_given_to_somebody_on_purpose() -> None:
    """Each kind of key in the catalogue is named in the file, so that a new one is thought about."""
    text = Path(FILE).read_text(encoding="utf-8")
    assert re.match(r"user default off\n", text)
    makers = (keys.tournament, keys.flight, keys.ended, keys.checkpoints, keys.faulty, keys.results, keys.records)
    named = {make("x")[:-1] for make in (*makers, keys.secret, keys.calls, keys.ticket, keys.hosted)}
    named |= {value for name, value in vars(keys).items() if name.isupper() and name not in ("PREFIX", "WAKE")}
    patterns = re.findall(r"~(arena:[a-z:]+)", text.replace("~arena:*", ""))  # one role has all of them
    kinds = {kind for kind in named if not kind.startswith("arena:tokens:")}
    assert [kind for kind in sorted(kinds) if not any(kind.startswith(each) for each in patterns)] == []
