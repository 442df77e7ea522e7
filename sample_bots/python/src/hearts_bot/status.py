"""Why a stream ended, and whether to come back.

The referee says more than a gRPC status: the trailer `grpc-status-details-bin` holds a `google.rpc.Status` with an
`ErrorInfo` (the reason) and, if one should come back later, a `RetryInfo` (when).
These three messages are described here in a pool of our own, so that the kit needs no further package and cannot
collide with one that a bot uses.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

DETAILS: Final = "grpc-status-details-bin"
FIRST_DELAY: Final = 0.2
LAST_DELAY: Final = 5.0

_FINAL: Final = (
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNIMPLEMENTED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.OUT_OF_RANGE,
)


def _messages() -> dict[str, Any]:
    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="hearts_bot/status.proto", package="bot", syntax="proto3")
    shapes: dict[str, tuple[tuple[str, int, int, str], ...]] = {
        "Any": (("type_url", 1, kinds.TYPE_STRING, ""), ("value", 2, kinds.TYPE_BYTES, "")),
        "Status": (
            ("code", 1, kinds.TYPE_INT32, ""),
            ("message", 2, kinds.TYPE_STRING, ""),
            ("details", 3, kinds.TYPE_MESSAGE, ".bot.Any"),
        ),
        "Duration": (("seconds", 1, kinds.TYPE_INT64, ""), ("nanos", 2, kinds.TYPE_INT32, "")),
        "RetryInfo": (("retry_delay", 1, kinds.TYPE_MESSAGE, ".bot.Duration"),),
        "ErrorInfo": (("reason", 1, kinds.TYPE_STRING, ""), ("domain", 2, kinds.TYPE_STRING, "")),
    }
    for name, fields in shapes.items():
        message = file.message_type.add(name=name)
        for field, number, kind, type_name in fields:
            label = kinds.LABEL_REPEATED if field == "details" else kinds.LABEL_OPTIONAL
            message.field.add(name=field, number=number, type=kind, label=label, type_name=type_name or None)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"bot.{name}")) for name in shapes}


_MESSAGES: Final = _messages()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended. `reason` is the referee's, UPPER_SNAKE or empty; `retry_after` its wish in seconds."""

    code: grpc.StatusCode
    text: str
    reason: str = ""
    retry_after: float | None = None

    @classmethod
    def read(cls, code: grpc.StatusCode, text: str | None, trailers: Iterable[tuple[str, str | bytes]]) -> Ending:
        """Return the ending that status and *trailers* tell. Details that cannot be read are passed over."""
        reason, retry_after = "", None
        for key, value in trailers:
            if key != DETAILS or not isinstance(value, bytes):
                continue
            try:
                for detail in _MESSAGES["Status"].FromString(value).details:
                    if detail.type_url.endswith("/google.rpc.ErrorInfo"):
                        reason = _MESSAGES["ErrorInfo"].FromString(detail.value).reason
                    elif detail.type_url.endswith("/google.rpc.RetryInfo"):
                        delay = _MESSAGES["RetryInfo"].FromString(detail.value).retry_delay
                        retry_after = delay.seconds + delay.nanos / 1e9
            except DecodeError:
                continue
        return cls(code, text or "", reason, retry_after)

    @property
    def replaced(self) -> bool:
        """Return whether another process of the same bot and instance has taken over."""
        return self.reason == "SESSION_REPLACED"

    @property
    def unauthenticated(self) -> bool:
        """Return whether the token does not admit."""
        return self.code is grpc.StatusCode.UNAUTHENTICATED

    @property
    def final(self) -> bool:
        """Return whether coming back is of no use."""
        if self.replaced or self.unauthenticated:
            return True
        return self.code in _FINAL and self.retry_after is None

    def __str__(self) -> str:
        reason = f" {self.reason}" if self.reason else ""
        return f"{self.code.name}{reason}: {self.text or 'no further word'}"


class BackOff:
    """How long to wait before each next try: doubling, with jitter, and never less than the referee asks for."""

    def __init__(self, first: float = FIRST_DELAY, last: float = LAST_DELAY) -> None:
        self._first = first
        self._last = last
        self._tries = 0
        self._random = random.Random()  # noqa: S311 - spreads retries, guards nothing

    def reset(self) -> None:
        """Begin again: the last try went well."""
        self._tries = 0

    def next(self, retry_after: float | None = None) -> float:
        """Return the seconds to wait now."""
        delay = min(self._last, self._first * 2.0 ** min(self._tries, 20))
        self._tries += 1
        delay *= self._random.uniform(0.5, 1.0)
        if retry_after is not None:
            delay = max(delay, retry_after * self._random.uniform(1.0, 1.2))
        return delay
