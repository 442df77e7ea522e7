"""Mutations of bytes: what a broken or hostile client makes of a good message."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

VARINTS: Final = (
    b"\x00",
    b"\x7f",
    b"\x80\x01",
    b"\xff\xff\xff\xff\x07",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80",
)
"""Numbers at the ends of what is possible, and one that never ends."""


def _flip(rng: Random, data: bytearray) -> None:
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _byte(rng: Random, data: bytearray) -> None:
    if data:
        data[rng.randrange(len(data))] = rng.randrange(256)


def _cut(rng: Random, data: bytearray) -> None:
    del data[rng.randrange(len(data) + 1) :]


def _drop(rng: Random, data: bytearray) -> None:
    if data:
        start = rng.randrange(len(data))
        del data[start : start + rng.randrange(1, 9)]


def _double(rng: Random, data: bytearray) -> None:
    start = rng.randrange(len(data) + 1)
    data += data[start : start + rng.randrange(64)]


def _number(rng: Random, data: bytearray) -> None:
    start = rng.randrange(len(data) + 1)
    data[start : start + rng.randrange(3)] = rng.choice(VARINTS)


def _noise(rng: Random, data: bytearray) -> None:
    start = rng.randrange(len(data) + 1)
    data[start:start] = rng.randbytes(rng.randrange(1, 17))


_MUTATIONS: Final[tuple[Callable[[Random, bytearray], None], ...]] = (
    _flip,
    _flip,
    _byte,
    _cut,
    _drop,
    _double,
    _number,
    _number,
    _noise,
)


def mutated(rng: Random, data: bytes) -> bytes:
    """Return *data* with one to four mutations; now and then something made up."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(64))
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4))):
        rng.choice(_MUTATIONS)(rng, changed)
    return bytes(changed)
