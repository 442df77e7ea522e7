"""The map from errors to gRPC statuses: one table, whose reasons docs/protocol.md lists."""

from __future__ import annotations

import grpc

from arena.errors import ArenaError, ConfigError, Invalid, NotAllowed, NotAuthenticated, TooMany, WrongState
from arena.storage.ports import (
    AlreadyExists,
    Damaged,
    FenceLost,
    NotFound,
    StaleState,
    StorageUnavailable,
    StorageUnfit,
)
from referee.rules.variant import VariantError
from referee.transport.errors import status_with

CODES = {
    Invalid: grpc.StatusCode.INVALID_ARGUMENT,
    NotAuthenticated: grpc.StatusCode.UNAUTHENTICATED,
    NotAllowed: grpc.StatusCode.PERMISSION_DENIED,
    TooMany: grpc.StatusCode.RESOURCE_EXHAUSTED,
    WrongState: grpc.StatusCode.FAILED_PRECONDITION,
    ConfigError: grpc.StatusCode.FAILED_PRECONDITION,
}

RETRY_SECONDS = 1.0


def status_of(error: Exception) -> grpc.Status | None:
    """Return the status that tells *error* to a client, or None for a fault of ours, of which nothing is told."""
    if isinstance(error, ArenaError):
        code = CODES.get(type(error))
        return None if code is None else status_with(code, error.reason, str(error), metadata=error.details)
    if isinstance(error, VariantError):
        details = {"field": f"rules.{error.option}", "value": repr(error.value), "allowed": error.allowed}
        return status_with(grpc.StatusCode.INVALID_ARGUMENT, Invalid.reason, str(error), metadata=details)
    if isinstance(error, Damaged):
        return status_with(grpc.StatusCode.DATA_LOSS, "STORED_DAMAGED", str(error))
    return _of_storage(error)


def _of_storage(error: Exception) -> grpc.Status | None:
    match error:
        case NotFound():
            details = {"kind": error.kind, "id": error.ident}
            return status_with(grpc.StatusCode.NOT_FOUND, "NOT_FOUND", str(error), metadata=details)
        case AlreadyExists():
            details = {"kind": error.kind, "name": error.name}
            return status_with(grpc.StatusCode.ALREADY_EXISTS, "ALREADY_EXISTS", str(error), metadata=details)
        case StaleState() | FenceLost():
            return status_with(grpc.StatusCode.ABORTED, "CHANGED_MEANWHILE", f"{error}; look again and repeat", 0.1)
        case StorageUnavailable():
            text = "the arena's storage is away: nothing is lost, try again in a while"
            return status_with(grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE", text, RETRY_SECONDS)
        case StorageUnfit():
            return status_with(grpc.StatusCode.UNAVAILABLE, "STORAGE_UNFIT", str(error))
    return None


def internal() -> grpc.Status:
    """Return the status for a fault of ours."""
    return status_with(grpc.StatusCode.INTERNAL, "INTERNAL", "the arena failed; the fault is ours, and it was logged")


def malformed() -> grpc.Status:
    """Return the status for bytes that are no message."""
    text = "the bytes are not the message that this method takes"
    return status_with(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", text)
