"""The topics of wakeups. A wakeup is a hint: what changed is always read again from storage."""

from __future__ import annotations

from typing import Final

TOURNAMENTS: Final = "tournaments"
"""A tournament was created, changed or deleted, or somebody was entered or withdrawn."""

MATCHES: Final = "matches"
"""A match got its result, or was given back."""

FLEET: Final = "fleet"
"""Bots or referees came or went."""

ALL: Final = (TOURNAMENTS, MATCHES, FLEET)

CALLS: Final = "calls"
"""A referee calls for bots that are at another."""

TOKENS: Final = "tokens"
"""A token was revoked."""
