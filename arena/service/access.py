"""Who may do what: one table, from actions to roles.

The table answers for the role alone. What an owner may do to bots and tokens that are not its own, and what it may
see, is asked where they are known, in `people` and `tournaments`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from arena.errors import NotAllowed
from arena.storage.ports import Role, TokenId


@dataclass(frozen=True, slots=True)
class Caller:
    """Who is calling: the token used, its role, and the owner or bot it speaks for, if the role has one."""

    token: TokenId
    role: Role
    subject: str = ""

    @property
    def organises(self) -> bool:
        """Whether the caller may see and change what belongs to others."""
        return self.role in (Role.ADMIN, Role.ORGANISER)


class Action(StrEnum):
    """What can be asked of the arena. The value completes the sentence `may not ...`."""

    CREATE_OWNER = "register owners"
    LIST_OWNERS = "list owners"
    CREATE_BOT = "register bots"
    LIST_BOTS = "list bots"
    CREATE_TOKEN = "issue tokens"  # noqa: S105 - a verb
    LIST_TOKENS = "list tokens"
    REVOKE_TOKEN = "revoke tokens"  # noqa: S105 - a verb
    CREATE_TOURNAMENT = "create tournaments"
    ENTER_BOT = "enter bots"
    WITHDRAW_BOT = "withdraw bots"
    CHANGE_TOURNAMENT = "change tournaments"
    DELETE_TOURNAMENT = "delete tournaments"
    READ = "read tournaments"
    READ_FAULTS = "read faults"


_ORGANISERS: Final = (Role.ADMIN, Role.ORGANISER)
_OWNERS: Final = (*_ORGANISERS, Role.OWNER)
_READERS: Final = (*_OWNERS, Role.READER)

ROLES: Final[Mapping[Action, tuple[Role, ...]]] = MappingProxyType(
    {
        Action.CREATE_OWNER: _ORGANISERS,
        Action.LIST_OWNERS: _OWNERS,
        Action.CREATE_BOT: _OWNERS,
        Action.LIST_BOTS: _OWNERS,
        Action.CREATE_TOKEN: _OWNERS,
        Action.LIST_TOKENS: _OWNERS,
        Action.REVOKE_TOKEN: _OWNERS,
        Action.CREATE_TOURNAMENT: _ORGANISERS,
        Action.ENTER_BOT: _OWNERS,
        Action.WITHDRAW_BOT: _OWNERS,
        Action.CHANGE_TOURNAMENT: _ORGANISERS,
        Action.DELETE_TOURNAMENT: _ORGANISERS,
        Action.READ: _READERS,
        Action.READ_FAULTS: _OWNERS,
    }
)


def require(caller: Caller, action: Action) -> None:
    """Raise `NotAllowed` unless the caller's role allows *action*."""
    if caller.role not in ROLES[action]:
        raise NotAllowed(caller.role.value, ROLES[action], action.value)
