"""Logs of the server's processes: one JSON object a line on stderr, without secrets.

Tokens look like nothing else, so whatever looks like one is blotted out here, wherever it comes from; nothing should
log one in the first place.
"""

from __future__ import annotations

import logging
import re
import sys
from typing import Any, Final

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_TOKEN: Final = re.compile(r"arena_(admin|organiser|owner|bot|reader|ticket)_[A-Za-z0-9_-]{20,}")
_PASSWORD: Final = re.compile(r"((?:rediss?|unix)://[^:/@\s]*:)[^@\s]+@")


def without_secrets(_logger: WrappedLogger, _method: str, line: Any) -> str:  # noqa: ANN401 - the text that the renderer has made
    """Blot out what looks like a token, a ticket or a password, wherever it stands in a line that is ready."""
    return _PASSWORD.sub(r"\1***@", _TOKEN.sub(r"arena_\1_***", str(line)))


def configure(level: str, role: str) -> None:
    """Send what structlog and the standard library log to stderr, marked with *role*."""

    def mark(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
        event.setdefault("role", role)
        return event

    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        mark,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
            without_secrets,
        ],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
