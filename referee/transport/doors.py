"""How many streams may be open: in all, of one address, and before anybody knows whose they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from referee.host.hall import SessionRefused

RETRY: Final = 5.0


@dataclass(frozen=True, slots=True)
class StreamLimits:
    """Limits of the streams of one referee; `waiting` are those of one address that have not been let in yet.

    `message_bytes` is the most that a bot's message may have.
    """

    streams: int = 20_000
    per_address: int = 4096
    waiting: int = 512
    message_bytes: int = 1 << 20


class Doors:
    """Counts the streams that are open. An address that has none is forgotten."""

    def __init__(self, limits: StreamLimits) -> None:
        self._limits = limits
        self._open = Counter[str]()
        self._waiting = Counter[str]()
        self.streams = 0

    @contextmanager
    def stream(self, address: str) -> Iterator[None]:
        """Count a stream of *address* while the block runs; raise `SessionRefused` if it is one too many."""
        limits = self._limits
        if self.streams >= limits.streams:
            raise SessionRefused("TOO_MANY_STREAMS", f"all {limits.streams} streams are taken", RETRY)
        if self._open[address] >= limits.per_address:
            text = f"this address has {limits.per_address} streams, the most that are allowed"
            raise SessionRefused("TOO_MANY_STREAMS", text, RETRY)
        self.streams += 1
        try:
            with _counted(self._open, address):
                yield
        finally:
            self.streams -= 1

    @contextmanager
    def waiting(self, address: str) -> Iterator[None]:
        """Count a stream that is still to be let in while the block runs; raise `SessionRefused` if one too many."""
        if self._waiting[address] >= self._limits.waiting:
            text = f"{self._limits.waiting} streams of this address have not been let in yet, the most that are allowed"
            raise SessionRefused("TOO_MANY_STREAMS", text, RETRY)
        with _counted(self._waiting, address):
            yield


@contextmanager
def _counted(counter: Counter[str], address: str) -> Iterator[None]:
    counter[address] += 1
    try:
        yield
    finally:
        counter[address] -= 1
        if not counter[address]:
            del counter[address]


def address_of(peer: str) -> str:
    """Return the address in *peer*, as gRPC names it, without the port: `ipv4:10.0.0.1:5000` is `10.0.0.1`."""
    kind, _, rest = peer.partition(":")
    return unquote(rest).rpartition(":")[0].strip("[]") if kind in ("ipv4", "ipv6") else peer
