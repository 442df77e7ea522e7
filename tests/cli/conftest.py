"""Fixtures for tests of the command line."""

from __future__ import annotations

import pytest

from tests.cli.calling import Caller


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Caller:
    """Give the command line, in this process, with nothing of the arena in the environment."""
    for name in ("ARENA_SERVER", "ARENA_TOKEN_FILE", "ARENA_DEBUG", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    return Caller(capfd)
