"""Every Redis key of the arena: its type, fields, meaning and lifetime.

All keys begin with `arena:`, the kind comes first and the id last, so that no id or name of a user can make one kind
of key look like another. What is secret, or stands for a secret, has keys of its own (`arena:secret:`,
`arena:tokens`, `arena:ticket:`), so that users of Redis can be kept from it; deploy/redis/users.acl says which role
gets what. Scripts touch several keys that share no hash tag, and some names are made inside scripts: the arena runs on
one Redis (with replicas if wanted), never on Redis Cluster. Nothing expires unless it says so.

The data of one match moves between four hashes of its tournament: `flight` while it is in line, hosted or parked,
then `ended`; `results` and `records` once it has a result. A match in none of them is planned.
A row of `flight` is `STATE ATTEMPT TRIES OWNER NONCE`, five words: state `ready`, `hosted` or `parked`; attempt the
fence, which only grows; tries the attempts that count towards parking; owner the referee and nonce the call of `take`
that got it (`-` unless hosted). A row of `ended` is `STATE ATTEMPT`, state `done` or `void`.
"""

from __future__ import annotations

PREFIX = "arena:"

SCHEMA = "arena:schema"
"""string, integer: the layout of all that is stored here; see `schema.py`."""

SCHEMA_LOCK = "arena:schema:lock"
"""string, random: held by the process that migrates; expires by itself."""

OWNERS = "arena:owners"
"""hash, owner id -> JSON of `Owner`."""

OWNER_NAMES = "arena:owners:names"
"""hash, name -> owner id: keeps names unique."""

OWNER_ORDER = "arena:owners:order"
"""list of owner ids in order of registration."""

BOTS = "arena:bots"
"""hash, bot id -> JSON of `Bot`."""

BOT_NAMES = "arena:bots:names"
"""hash, `OWNER NAME` -> bot id: keeps names unique within an owner."""

BOT_ORDER = "arena:bots:order"
"""list of bot ids in order of registration."""

TOKENS = "arena:tokens"
"""hash, SHA-256 hex of the secret -> JSON of `Token` as issued."""

TOKEN_IDS = "arena:tokens:ids"  # noqa: S105
"""hash, token id -> SHA-256 hex of the secret."""

TOKEN_ORDER = "arena:tokens:order"  # noqa: S105
"""list of SHA-256 hex in order of issue."""

TOKENS_REVOKED = "arena:tokens:revoked"
"""set of SHA-256 hex: the revoked ones."""

TOURNAMENT_NAMES = "arena:tournaments:names"
"""hash, name -> tournament id: keeps names unique."""

TOURNAMENT_ORDER = "arena:tournaments:order"
"""list of tournament ids, the newest first."""

READY = "arena:ready"
"""zset, match id -> when it became ready (ms by Redis' clock): all ready matches, for the queue's depth and age."""

QUEUED = "arena:queued"
"""zset, match id -> when it was last put on the work queue (ms): the same matches, to find lost ones by."""

REFEREES = "arena:referees"
"""zset, referee id -> when its heartbeat runs out (ms by Redis' clock). Dead ones go an hour after that."""

REFEREE_ROWS = "arena:referees:rows"
"""hash, referee id -> JSON of `Referee`, until a sweep finds it dead."""

PRESENCES = "arena:presences"
"""hash, referee id -> JSON list of its presences."""

SWEEP = "arena:sweep"
"""hash: `run` Redis' run id at the last sweep, `swept` when that was, `since` when Redis came back."""

QUEUE = "arena:queue"
"""Docket's name, hence the prefix of its own keys (`arena:queue:stream`, `arena:queue:runs:MATCH`, ...)."""

WAKE = "arena:wake:"
"""prefix of the pub/sub channels of wakeups; what follows is the topic. Not a key."""


def tournament(ident: str) -> str:
    """Name the hash of a tournament: `row` JSON without the state, `state`, `name`, `deals` played in results.

    `revision` counts the changes of row and state.
    """
    return f"arena:tournament:{ident}"


def secret(ident: str) -> str:
    """Name the string with the root of a tournament's deal secrets; alone, so that roles can be kept from it."""
    return f"arena:secret:{ident}"


def flight(ident: str) -> str:
    """Name the hash of a tournament's ready, hosted and parked matches, number -> row as above."""
    return f"arena:flight:{ident}"


def ended(ident: str) -> str:
    """Name the hash of a tournament's done and void matches, number -> row as above."""
    return f"arena:ended:{ident}"


def checkpoints(ident: str) -> str:
    """Name the hash of a tournament's checkpoints, number -> blob; one goes when its match ends."""
    return f"arena:checkpoints:{ident}"


def faulty(ident: str) -> str:
    """Name the hash of how many of its latest matches in a row each bot has spoilt: bot id -> count from 1."""
    return f"arena:faulty:{ident}"


def results(ident: str) -> str:
    """Name the hash of a tournament's results, number -> row."""
    return f"arena:results:{ident}"


def records(ident: str) -> str:
    """Name the hash of a tournament's records, number -> blob."""
    return f"arena:records:{ident}"


def calls(referee: str) -> str:
    """Name the list of calls left for a referee, each a JSON list of a `Call`'s fields; goes half a minute later."""
    return f"arena:calls:{referee}"


def ticket(digest: str) -> str:
    """Name the string with a ticket's `[bot, instance, referee, credential]`, by its SHA-256 hex; goes in a minute."""
    return f"arena:ticket:{digest}"


def hosted(referee: str) -> str:
    """Name the set of the match ids that a referee hosts."""
    return f"arena:hosted:{referee}"
