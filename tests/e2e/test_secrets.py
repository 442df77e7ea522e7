"""Secrets stay where they belong: nothing that a whole arena writes, shows or is started with holds one."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import signal
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from hearts.v1 import arena_service_pb2 as pb
from redis import Redis

from arena.service.commitment import Chain
from arena.storage import keys
from tests.e2e.cluster import TOURNAMENT, Cluster, cluster
from tests.e2e.local_run import bots, start

pytestmark = pytest.mark.full

TICKET = re.compile(rb"arena_ticket_[A-Za-z0-9_-]{20,}")
ROUNDS = 64
"""More than the tournament has: a chain's secrets are found from its end, so that of a shorter one is among them."""


def written(secret: bytes) -> set[bytes]:
    """Return the ways in which a secret may be written."""
    forms = {secret, secret.hex().encode(), secret.hex().upper().encode(), repr(secret)[2:-1].encode()}
    return forms | {base64.b64encode(secret).rstrip(b"="), base64.urlsafe_b64encode(secret).rstrip(b"=")}


def said(forms: Mapping[str, set[bytes]], sources: Iterator[tuple[str, bytes]]) -> list[str]:
    """Return which secret is found where."""
    return [
        f"{name} in {where}"
        for where, data in sources
        for name, texts in {**forms, "a ticket": set(TICKET.findall(data))}.items()
        if any(text in data for text in texts)
    ]


def processes() -> Iterator[tuple[str, bytes]]:
    """Yield the command lines of all processes, which everybody on the machine can read."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            yield str(path), path.read_bytes()


def files(folder: Path, *meant: str) -> Iterator[tuple[str, bytes]]:
    """Yield all files below *folder* but those that are *meant* to hold secrets, which nobody else may read."""
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if any(re.fullmatch(pattern, name) for pattern in meant):
            closed = [path, *(each for each in path.parents if each.is_relative_to(folder))]
            assert any(each.stat().st_mode & 0o077 == 0 for each in closed), f"others can read {name}"
        elif path.is_file():
            yield name, path.read_bytes()


def pages(arena: Cluster) -> Iterator[tuple[str, bytes]]:
    """Yield what the metrics pages show, and what the API tells an admin."""
    for port in [*arena.ports[1:3], *arena.ports[4::2]]:
        for page in ("metrics", "ready", "healthz"):
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{page}", timeout=10) as answer:
                yield f"{page} on {port}", answer.read()
    with arena.api() as api:
        told = (
            api.ask(api.stub.ListTokens, pb.ListTokensRequest()),
            api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament=TOURNAMENT)),
            api.ask(api.stub.ListMatches, pb.ListMatchesRequest(tournament=TOURNAMENT)),
            api.ask(api.stub.GetServer, pb.GetServerRequest()),
        )
    for message in told:
        yield type(message).__name__, message.SerializeToString()
    records, standings = arena.results()
    yield "records", records
    yield "standings", standings


def test_no_secret_leaves_its_place(scratch: Path) -> None:
    """At log level debug, tokens, tickets and deal secrets are in no log, page, answer, export or command line.

    Of a token Redis keeps the digest only; of the secrets of rounds only their own keys, in files for its user alone.
    """
    with cluster(scratch, referees=2, bots=5, settings={"ARENA_LOG_LEVEL": "debug", "ARENA_CAPACITY": "2"}) as arena:
        with arena.api() as api:
            ids = [bot.bot for bot in api.ask(api.stub.ListBots, pb.ListBotsRequest(page_size=100)).bots]
        for number in range(5):
            arena.start_bot(f"bot{number}", home=number % 2)
        arena.start_tournament(ids, boards=pb.BOARDS_SINGLE, deals=4, passes=200, seed="")
        arena.wait_done(6)
        tokens = {f"the token of {name}": {secret.encode()} for name, secret in arena.secrets.items()}
        with Redis.from_url(arena.valkey.url) as redis:
            (key,) = redis.scan_iter(keys.secret("*"))
            root = bytes(redis.get(key) or b"")
        chain = Chain(root, ROUNDS)
        deals = {f"secret {number}": written(chain.secret(number)) for number in range(ROUNDS - 3, ROUNDS)}
        assert root in set().union(*deals.values())
        secrets = {**tokens, **deals}
        assert any("bot_invited" in arena.log(name) for name in arena.referees)  # so there were tickets
        assert said(secrets, processes()) == []
        assert said(secrets, pages(arena)) == []
        assert said(secrets, files(scratch, "admin.token", "data/valkey/.*")) == []
        assert said(tokens, files(scratch / "data")) == []
    assert said(secrets, files(scratch, "admin.token", "data/valkey/.*")) == []


def test_a_local_run_keeps_its_secrets(tmp_path: Path) -> None:
    """`arena run` gives tokens to its bots by environment; they are in the files for them alone, and in no argument."""
    out = tmp_path / "run"
    options = [*bots(*["python -m hearts_bot.bots.random"] * 4), "--deals", "4", "--passes", "20", "--boards", "single"]
    with start(out, "--out", str(out), *options) as running:
        running.wait_done(2)
        tokens = json.loads((out / "bots" / "tokens.json").read_bytes())
        secrets = {f"the token of {name}": {secret.encode()} for name, secret in tokens.items()}
        secrets["the admin's"] = {(out / "server" / "admin.token").read_bytes().strip()}
        assert len(secrets) == 5
        assert said(secrets, processes()) == []
        running.send(signal.SIGINT)
        ended = running.wait()
    assert said(secrets, iter([("stdout", ended.out.encode()), ("stderr", ended.err.encode())])) == []
    meant = (r"server/admin\.token", r"bots/tokens\.json", r"bots/[^/]*\.env")
    assert said(secrets, files(out, *meant)) == []
    assert os.environ.get("ARENA_TOKEN") is None
