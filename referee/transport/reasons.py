"""Why the referee ends a stream: every reason with its status code. docs/protocol.md says what a bot does about each.

`Admission` may refuse for reasons of its own, which are told with `UNAUTHENTICATED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import grpc

from referee.host.conduct import BAN

_CODE: Final = grpc.StatusCode

CODES: Final[Mapping[str, grpc.StatusCode]] = MappingProxyType(
    {
        "NOT_A_REQUEST": _CODE.INVALID_ARGUMENT,
        "REQUEST_EXPECTED": _CODE.INVALID_ARGUMENT,
        "HELLO_EXPECTED": _CODE.INVALID_ARGUMENT,
        "HELLO_ALONE": _CODE.INVALID_ARGUMENT,
        "HELLO_TWICE": _CODE.INVALID_ARGUMENT,
        "PROTOCOL_VERSION": _CODE.INVALID_ARGUMENT,
        "BAD_LABEL": _CODE.INVALID_ARGUMENT,
        "MESSAGE_TOO_LARGE": _CODE.RESOURCE_EXHAUSTED,
        "TOO_MANY_SESSIONS": _CODE.RESOURCE_EXHAUSTED,
        "TOO_MANY_STREAMS": _CODE.RESOURCE_EXHAUSTED,
        "TOO_MANY_MESSAGES": _CODE.RESOURCE_EXHAUSTED,
        "STREAM_STALLED": _CODE.RESOURCE_EXHAUSTED,
        "TOKEN_MISSING": _CODE.UNAUTHENTICATED,
        "TOKEN_UNKNOWN": _CODE.UNAUTHENTICATED,
        "TOKEN_EXPIRED": _CODE.UNAUTHENTICATED,
        "TOKEN_REVOKED": _CODE.UNAUTHENTICATED,
        "TICKET_UNKNOWN": _CODE.UNAUTHENTICATED,
        "TICKET_MISMATCH": _CODE.UNAUTHENTICATED,
        "ALREADY_HERE": _CODE.ALREADY_EXISTS,
        "ROLE_INSUFFICIENT": _CODE.PERMISSION_DENIED,
        "SESSION_REPLACED": _CODE.ABORTED,
        "DRAINING": _CODE.UNAVAILABLE,
        "SHUTTING_DOWN": _CODE.UNAVAILABLE,
        "STORAGE_UNAVAILABLE": _CODE.UNAVAILABLE,
        "INTERNAL": _CODE.INTERNAL,
    }
)

RETRY_SECONDS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "MESSAGE_TOO_LARGE": 1.0,
        "STREAM_STALLED": 1.0,
        "TOO_MANY_MESSAGES": BAN,
        "SHUTTING_DOWN": 1.0,
        "STORAGE_UNAVAILABLE": 1.0,
        "INTERNAL": 1.0,
    }
)
"""When coming back may help, where whoever refuses does not say it."""


def code_of(reason: str) -> grpc.StatusCode:
    """Return the status code that goes with *reason*."""
    return CODES.get(reason, grpc.StatusCode.UNAUTHENTICATED)
