"""What the arena refuses, as one tree.

    ArenaError              something a caller or an operator can put right
    ├── Invalid             a value that is not allowed: which field, what it was, what is allowed
    ├── NotAuthenticated    no token, or one that is good for nothing (any more)
    ├── NotAllowed          a token whose role does not suffice
    ├── TooMany             more than one owner may have
    ├── WrongState          not possible as things stand now
    └── ConfigError         a setting of this process; ends it with exit code 2

Storage has its own refusals, beside its ports: `NotFound`, `AlreadyExists`, `StaleState`, `StorageUnavailable`,
`StorageUnfit`. `arena.transport.status` maps both to gRPC. What bots do wrong is never an exception.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_SHOWN: Final = 200
_LONGEST: Final = 80


class ArenaError(Exception):
    """The base. `reason` is UPPER_SNAKE and listed in docs/protocol.md; `details` go with it."""

    reason: str = "INTERNAL"

    @property
    def details(self) -> dict[str, str]:
        """The particulars of the refusal, by name."""
        return {}


class Invalid(ArenaError):
    """A value that is not allowed. `field` is a path such as `spec.clock.bank_millis`."""

    reason = "INVALID_FIELD"

    def __init__(self, field: str, value: object, allowed: str) -> None:
        # The name of an option is a caller's text too; what is told of it must fit into the trailers of a call.
        self.field = ascii(field)[1:-1][:_LONGEST]
        self.value, self.allowed = _shown(value), allowed
        super().__init__(f"{self.field}: {self.value} is not allowed; allowed: {allowed}")

    @property
    def details(self) -> dict[str, str]:
        """Field, value, and what is allowed."""
        return {"field": self.field, "value": self.value, "allowed": self.allowed}


class NotAuthenticated(ArenaError):
    """A token that does not say who is calling. `reason` says why: TOKEN_MISSING, TOKEN_UNKNOWN, ..."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


class NotAllowed(ArenaError):
    """A role that does not suffice for what was asked."""

    reason = "ROLE_INSUFFICIENT"

    def __init__(self, role: str, needed: Iterable[str], what: str) -> None:
        self.role, self.needed = role, tuple(needed)
        super().__init__(f"a token with the role {role} may not {what}; this needs {' or '.join(self.needed)}")

    @property
    def details(self) -> dict[str, str]:
        """The role, and those that would suffice."""
        return {"role": self.role, "needed": ",".join(self.needed)}


class WrongState(ArenaError):
    """What cannot be done as things stand: `state` says how they do, the text what to do first."""

    reason = "WRONG_STATE"

    def __init__(self, state: str, text: str) -> None:
        super().__init__(text)
        self.state = state

    @property
    def details(self) -> dict[str, str]:
        """The state."""
        return {"state": self.state}


class TooMany(ArenaError):
    """One more than a caller may have: `kind` of what, and the `most`."""

    reason = "TOO_MANY"

    def __init__(self, kind: str, most: int, text: str) -> None:
        super().__init__(text)
        self.kind, self.most = kind, most

    @property
    def details(self) -> dict[str, str]:
        """The kind, and how many there may be."""
        return {"kind": self.kind, "most": str(self.most)}


class ConfigError(ArenaError):
    """A setting that this process cannot run with. `variable` names the environment variable or the option."""

    reason = "CONFIGURATION"

    def __init__(self, variable: str, text: str) -> None:
        super().__init__(f"{variable}: {text}")
        self.variable = variable


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
