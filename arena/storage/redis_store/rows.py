"""Rows as JSON and back. Written compactly; unknown fields are ignored, so that a neighbouring version can be read."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, astuple
from typing import Any

from arena.storage.ports import (
    Abilities,
    Bot,
    BotId,
    Damaged,
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
    reading,
)


def dump(row: Owner | Bot | Token | Referee) -> str:
    """Return the JSON of a flat row."""
    return _json(asdict(row))


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def owner(data: bytes) -> Owner:
    """Read an owner."""
    with reading("an owner"):
        value: dict[str, Any] = json.loads(data)
        return Owner(OwnerId(_text(value["id"])), _text(value["name"]), float(value["created"]))


def bot(data: bytes) -> Bot:
    """Read a bot."""
    with reading("a bot"):
        value: dict[str, Any] = json.loads(data)
        ident, owned_by = BotId(_text(value["id"])), OwnerId(_text(value["owner"]))
        return Bot(ident, owned_by, _text(value["name"]), float(value["created"]))


def token(data: bytes, *, revoked: bool) -> Token:
    """Read a token; whether it is *revoked* is kept beside it."""
    with reading("a token"):
        value: dict[str, Any] = json.loads(data)
        expires = value.get("expires")
        return Token(
            id=TokenId(_text(value["id"])),
            role=Role(value["role"]),
            subject=_text(value["subject"]),
            created=float(value["created"]),
            expires=None if expires is None else float(expires),
            revoked=revoked or bool(value.get("revoked")),
            label=_text(value.get("label", "")),
        )


def referee(data: bytes) -> Referee:
    """Read a referee."""
    with reading("a referee"):
        value: dict[str, Any] = json.loads(data)
        ident, address = RefereeId(_text(value["id"])), _text(value["address"])
        return Referee(ident, address, int(value["capacity"]), bool(value.get("draining")))


def lost_referee(ident: bytes, data: bytes, put_back: int, parked: int) -> LostReferee:
    """Read what a sweep says of a dead referee; *data* is its row, or empty. What cannot be read has no address."""
    address = ""
    with suppress(Damaged):
        address = referee(data).address if data else ""
    return LostReferee(RefereeId(ident.decode(errors="replace")), address, put_back, parked)


def dump_presences(presences: list[Presence]) -> str:
    """Return the JSON of the presences at one referee."""
    able = [None if p.abilities is None else astuple(p.abilities) for p in presences]
    rows = ((p.bot, p.referee, p.instance, p.tables, int(p.visiting)) for p in presences)
    return _json([[*row, what] for row, what in zip(rows, able, strict=True)])


def presences(data: bytes) -> list[Presence]:
    """Read the presences at one referee."""
    with reading("the bots at a referee"):
        return [
            Presence(
                BotId(_text(bot_id)),
                RefereeId(_text(referee_id)),
                _text(instance),
                int(tables),
                bool(visiting),
                _abilities(more),
            )
            for bot_id, referee_id, instance, tables, visiting, *more in json.loads(data)
        ]


def _abilities(more: list[Any]) -> Abilities | None:
    """Read what a presence says of abilities; older versions do not write it."""
    if not more or more[0] is None:
        return None
    packs, least, most, kinds = more[0]
    return Abilities(int(packs), int(least), int(most), tuple(_text(kind) for kind in kinds))


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
    """Read a tournament; its *state* and *revision* are kept beside it. Raises anything if it is damaged."""
    value: dict[str, Any] = json.loads(data)
    return TournamentRow(
        id=TournamentId(_text(value["id"])),
        name=_text(value["name"]),
        spec=value["spec"],
        state=TournamentState(state.decode()),
        created=float(value["created"]),
        started=_time(value.get("started")),
        ended=_time(value.get("ended")),
        entrants=tuple(
            Entrant(int(number), BotId(_text(bot_id)), _text(name), bool(withdrawn), *map(_text, reason))
            for number, bot_id, name, withdrawn, *reason in value.get("entrants", [])
        ),
        matches_total=int(value.get("matches_total", 0)),
        commitment=_text(value.get("commitment", "")),
        attention=_text(value.get("attention", "")),
        revision=int(revision or 0),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _time(value: float | None) -> float | None:
    return None if value is None else float(value)


def match_key(name: str) -> MatchKey:
    """Read a match's id as written by `str()`."""
    with reading("a match's id"):
        tournament_id, _, number = name.rpartition(".")
        return MatchKey(TournamentId(tournament_id), int(number))
