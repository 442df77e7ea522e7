"""Results, records and checkpoints as the bytes that are stored.

All three carry a version. A result row is small JSON that standings read by the thousand; a record is everything of
the game that is not in the schedule, compressed; a checkpoint is what another attempt goes on from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import orjson
import zstandard

from arena.storage.ports import Damaged, reading
from referee.host.ports import Checkpoint, FaultEntry, Outcome

VERSION: Final = 1
_LEVEL: Final = 3
_LARGEST: Final = 256 << 20  # bytes of an unpacked blob: far above any match, and a bound all the same

Deals = tuple[dict[str, object], ...]


class UnknownVersion(Damaged):
    """Stored bytes that a later version of the arena wrote."""


@dataclass(frozen=True, slots=True)
class Result:
    """What is counted of a finished match. All by position; `points` and `faulted` by deal first."""

    totals: tuple[int, ...]
    places: tuple[int, ...]
    termination: str
    points: tuple[tuple[int, ...], ...]
    faulted: tuple[tuple[bool, ...], ...]
    faults: tuple[dict[str, int], ...]

    @property
    def deals(self) -> int:
        """The number of deals."""
        return len(self.points)


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """What is kept of a game beside its schedule: deals as they stand in the record, how it ended, who played."""

    deals: Deals
    places: tuple[int, ...]
    termination: str
    versions: tuple[str, ...]


def result_of(outcome: Outcome) -> Result:
    """Return what is counted of *outcome*."""
    return Result(
        totals=outcome.totals,
        places=outcome.places,
        termination=outcome.termination,
        points=tuple(tuple(cast("Sequence[int]", deal["points"])) for deal in outcome.deals),
        faulted=outcome.faulted,
        faults=outcome.faults,
    )


def encode_result(result: Result) -> bytes:
    """Return the row of *result*. The faulted seats of a deal are one number, a bit for each."""
    return _json(
        {
            "v": VERSION,
            "t": result.totals,
            "p": result.places,
            "e": result.termination,
            "d": result.points,
            "f": [sum(bad << seat for seat, bad in enumerate(seats)) for seats in result.faulted],
            "c": result.faults,
        }
    )


def decode_result(row: bytes, number: int | str = "?") -> Result:
    """Return the result in *row*, that of match *number*; raise `Damaged` if it cannot be read."""
    with reading(f"the result of match {number}"):
        value = _value(row)
        seats = range(len(value["t"]))
        return Result(
            totals=tuple(value["t"]),
            places=tuple(value["p"]),
            termination=value["e"],
            points=tuple(tuple(points) for points in value["d"]),
            faulted=tuple(tuple(bool(mask >> seat & 1) for seat in seats) for mask in value["f"]),
            faults=tuple(dict(kinds) for kinds in value["c"]),
        )


def encode_record(outcome: Outcome) -> bytes:
    """Return the record blob of *outcome*."""
    return _packed(
        {
            "v": VERSION,
            "deals": outcome.deals,
            "places": outcome.places,
            "termination": outcome.termination,
            "versions": outcome.versions,
            "ledger": _entries(outcome.ledger),
        }
    )


def decode_record(blob: bytes, number: int | str = "?") -> StoredRecord:
    """Return what *blob*, the record of match *number*, holds; raise `Damaged` if it cannot be read."""
    with reading(f"the record of match {number}"):
        value = _unpacked(blob)
        deals, places, versions = tuple(value["deals"]), tuple(value["places"]), tuple(value["versions"])
        return StoredRecord(deals, places, value["termination"], versions)


def decode_ledger(blob: bytes, number: int | str = "?") -> tuple[FaultEntry, ...]:
    """Return the faults kept with the record *blob* of match *number*, in the order in which they were made."""
    with reading(f"the record of match {number}"):
        return _ledger(_unpacked(blob))


def encode_checkpoint(checkpoint: Checkpoint) -> bytes:
    """Return the blob of *checkpoint*."""
    return _packed(
        {
            "v": VERSION,
            "deals": checkpoint.deals,
            "totals": checkpoint.totals,
            "faulted": checkpoint.faulted,
            "banks": checkpoint.banks,
            "faults": checkpoint.faults,
            "graces": checkpoint.graces,
            "autopilot": checkpoint.autopilot,
            "versions": checkpoint.versions,
            "ledger": _entries(checkpoint.ledger),
        }
    )


def decode_checkpoint(blob: bytes) -> Checkpoint:
    """Return the checkpoint in *blob*; raise `Damaged` if it cannot be read."""
    with reading("a checkpoint"):
        value = _unpacked(blob)
        return Checkpoint(
            deals=tuple(value["deals"]),
            totals=tuple(value["totals"]),
            faulted=tuple(tuple(seats) for seats in value["faulted"]),
            banks=tuple(value["banks"]),
            faults=tuple(value["faults"]),
            graces=tuple(value.get("graces", ())),
            autopilot=tuple(value.get("autopilot", ())),
            versions=tuple(value.get("versions", ())),
            ledger=_ledger(value),
        )


def _entries(ledger: Sequence[FaultEntry]) -> list[tuple[object, ...]]:
    return [
        (each.position, each.deal, each.kind, each.decision, each.play, each.expected, each.came) for each in ledger
    ]


def _ledger(value: dict[str, Any]) -> tuple[FaultEntry, ...]:
    return tuple(FaultEntry(*fields) for fields in value.get("ledger", ()))


def _json(value: object) -> bytes:
    return orjson.dumps(value)


def _packed(value: object) -> bytes:
    return zstandard.compress(_json(value), _LEVEL)


def _unpacked(blob: bytes) -> dict[str, Any]:
    try:
        data = zstandard.ZstdDecompressor().decompress(blob, max_output_size=_LARGEST)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error
    return _value(data)


def _value(data: bytes) -> dict[str, Any]:
    value = cast("dict[str, Any]", orjson.loads(data))
    if value["v"] != VERSION:
        raise UnknownVersion("a match", f"it has version {value['v']}, and this program reads {VERSION}")
    return value
