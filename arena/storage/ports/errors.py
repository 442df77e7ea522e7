"""How storage says no."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


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


class Damaged(Exception):
    """What is stored of one thing is not what the arena wrote. It concerns that thing alone; the text says what to do.

    Nothing of the arena's does that: somebody changed it by hand, or a later version wrote it.
    """

    def __init__(self, what: str, why: str) -> None:
        super().__init__(
            f"what is stored of {what} cannot be read ({why}): update the arena if a later version wrote it, else put "
            "it back from a backup, or do without it"
        )
        self.what, self.why = what, why


@contextmanager
def reading(what: str) -> Iterator[None]:
    """Turn what goes wrong in reading stored data into `Damaged`, which names *what* was read."""
    try:
        yield
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise Damaged(what, f"{type(error).__name__}: {error}"[:200]) from error


class StaleState(Exception):
    """Somebody else changed it first; the text says what it is now."""


class FenceLost(Exception):
    """The attempt is not the match's latest, or the match has its result already. What was to be written is void."""
