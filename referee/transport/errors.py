"""A refusal as a gRPC status: code, text, and a machine-readable reason.

Every refusal of both edges is built here, so that a client finds the same three things in each: the status code, a
sentence that says what was wrong and what to do, and a `google.rpc.ErrorInfo` whose reason it can act on.
A refusal that is worth repeating carries a `google.rpc.RetryInfo` too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

DOMAIN: Final = "hearts-arena"
NO_METADATA: Final[Mapping[str, str]] = MappingProxyType({})
MAX_TEXT: Final = 1_500
MAX_DETAIL: Final = 800
"""Bytes of a status text, and of each of its details: trailers share one header list, whose size clients limit."""


def status_with(
    code: grpc.StatusCode,
    reason: str,
    text: str,
    retry_seconds: float | None = None,
    metadata: Mapping[str, str] = NO_METADATA,
) -> grpc.Status:
    """Return the status to end a call with, by `context.abort_with_status`.

    *reason* is UPPER_SNAKE and listed in docs/protocol.md; *text* is for people; *metadata* are the reason's details
    by name; *retry_seconds* says when the same call may succeed.
    """
    status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=_fitting(text, MAX_TEXT))
    info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN)
    for name, value in metadata.items():
        info.metadata[name] = _fitting(value, MAX_DETAIL)
    status.details.add().Pack(info)
    if retry_seconds is not None:
        retry = error_details_pb2.RetryInfo()
        retry.retry_delay.FromNanoseconds(round(retry_seconds * 1e9))
        status.details.add().Pack(retry)
    result: grpc.Status = rpc_status.to_status(status)
    return result


def _fitting(text: str, most: int) -> str:
    """Return as much of *text* as takes at most *most* bytes in trailers, where all but plain ASCII takes three a byte.

    gRPC drops a call whose trailers exceed 8 KiB, and the caller would never learn why.
    """
    plain = text.isascii() and text.isprintable()
    return text.encode(errors="replace")[: most if plain else most // 3].decode(errors="ignore")


def reason_of(error: grpc.RpcError) -> str:
    """Return the reason that a failed call was given, or the empty text."""
    status = rpc_status.from_call(error)
    if status is not None:
        info = error_details_pb2.ErrorInfo()
        for detail in status.details:
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR) and detail.Unpack(info):
                return str(info.reason)
    return ""
