"""Logs as they were: what a test sets up, as the server's commands do, must not reach the next one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
import structlog
from structlog.stdlib import ProcessorFormatter


@pytest.fixture(autouse=True)
def untouched_logs() -> Iterator[None]:
    """Undo what the test has set up in structlog and in the root logger."""
    yield
    if structlog.is_configured():
        structlog.reset_defaults()
        root = logging.getLogger()
        root.handlers[:] = [each for each in root.handlers if not isinstance(each.formatter, ProcessorFormatter)]
        root.setLevel(logging.WARNING)
