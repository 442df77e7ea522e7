"""Rows as JSON and back. Written compactly; unknown fields are ignored, so that a neighbouring version can be read."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple
from typing import Any

from arena.storage.ports import (
    Abilities,
    Bot,
    BotId,
    Entrant,
    LostReferee,
    MatchKey,
    Owner,
    OwnerId,
    Presence,
    Referee,
    RefereeId,
    Role,
    Token,
    TokenId,
    TournamentId,
    TournamentRow,
    TournamentState,
)


def dump(row: Owner | Bot | Token | Referee) -> str:
    """Return the JSON of a flat row."""
    return _json(asdict(row))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def owner(data: bytes) -> Owner:
    """Read an owner."""
    value: dict[str, Any] = json.loads(data)
    return Owner(OwnerId(value["id"]), value["name"], value["created"])


def bot(data: bytes) -> Bot:
    """Read a bot."""
    value: dict[str, Any] = json.loads(data)
    return Bot(BotId(value["id"]), OwnerId(value["owner"]), value["name"], value["created"])


def token(data: bytes, *, revoked: bool) -> Token:
    """Read a token; whether it is *revoked* is kept beside it."""
    value: dict[str, Any] = json.loads(data)
    return Token(
        id=TokenId(value["id"]),
        role=Role(value["role"]),
        subject=value["subject"],
        created=value["created"],
        expires=value.get("expires"),
        revoked=revoked or bool(value.get("revoked")),
        label=value.get("label", ""),
    )


def referee(data: bytes) -> Referee:
    """Read a referee."""
    value: dict[str, Any] = json.loads(data)
    return Referee(RefereeId(value["id"]), value["address"], value["capacity"], bool(value.get("draining")))


def lost_referee(ident: bytes, data: bytes, put_back: int, parked: int) -> LostReferee:
    """Read what a sweep says of a dead referee; *data* is its row, or empty."""
    return LostReferee(RefereeId(ident.decode()), referee(data).address if data else "", put_back, parked)


def dump_presences(presences: list[Presence]) -> str:
    """Return the JSON of the presences at one referee."""
    able = [None if p.abilities is None else astuple(p.abilities) for p in presences]
    rows = ((p.bot, p.referee, p.instance, p.tables, int(p.visiting)) for p in presences)
    return _json([[*row, what] for row, what in zip(rows, able, strict=True)])


def presences(data: bytes) -> list[Presence]:
    """Read the presences at one referee."""
    return [
        Presence(BotId(bot_id), RefereeId(referee_id), instance, tables, bool(visiting), _abilities(more))
        for bot_id, referee_id, instance, tables, visiting, *more in json.loads(data)
    ]


def _abilities(more: list[Any]) -> Abilities | None:
    """Read what a presence says of abilities; older versions do not write it."""
    if not more or more[0] is None:
        return None
    packs, least, most, kinds = more[0]
    return Abilities(packs, least, most, tuple(kinds))


def dump_tournament(row: TournamentRow) -> str:
    """Return the JSON of a tournament, without its state."""
    return _json(
        {
            "id": row.id,
            "name": row.name,
            "spec": dict(row.spec),
            "created": row.created,
            "started": row.started,
            "ended": row.ended,
            "entrants": [[e.number, e.bot, e.name, e.withdrawn, e.reason] for e in row.entrants],
            "matches_total": row.matches_total,
            "commitment": row.commitment,
            "attention": row.attention,
        }
    )


def tournament(data: bytes, state: bytes, revision: bytes | None) -> TournamentRow:
    """Read a tournament; its *state* and *revision* are kept beside it."""
    value: dict[str, Any] = json.loads(data)
    return TournamentRow(
        id=TournamentId(value["id"]),
        name=value["name"],
        spec=value["spec"],
        state=TournamentState(state.decode()),
        created=value["created"],
        started=value.get("started"),
        ended=value.get("ended"),
        entrants=tuple(
            Entrant(number, BotId(bot_id), name, bool(withdrawn), *reason)
            for number, bot_id, name, withdrawn, *reason in value.get("entrants", [])
        ),
        matches_total=value.get("matches_total", 0),
        commitment=value.get("commitment", ""),
        attention=value.get("attention", ""),
        revision=int(revision or 0),
    )


def match_key(name: bytes) -> MatchKey:
    """Read a match's id as written by `str()`."""
    tournament_id, _, number = name.decode().rpartition(".")
    return MatchKey(TournamentId(tournament_id), int(number))
