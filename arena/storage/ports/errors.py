"""How storage says no."""

from __future__ import annotations


class StorageUnavailable(Exception):
    """Redis cannot be reached. The caller keeps what it has and tries again."""


class StorageUnfit(Exception):
    """Redis can be reached but not used: wrong version, eviction on, a newer schema. The text says what to do."""


class NotFound(Exception):
    """There is no such thing. `kind` and `id` say what was asked for."""

    def __init__(self, kind: str, ident: str) -> None:
        super().__init__(f"there is no {kind} {ident!r}")
        self.kind, self.ident = kind, ident


class AlreadyExists(Exception):
    """The name is taken."""

    def __init__(self, kind: str, name: str) -> None:
        super().__init__(
            f"there is already {'an' if kind[0] in 'aeiou' else 'a'} {kind} named {name!r}; choose another name"
        )
        self.kind, self.name = kind, name


class StaleState(Exception):
    """Somebody else changed it first; the text says what it is now."""


class FenceLost(Exception):
    """The attempt is not the match's latest, or the match has its result already. What was to be written is void."""
