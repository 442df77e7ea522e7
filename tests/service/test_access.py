"""Who may do what, by role alone."""

from __future__ import annotations

import pytest

from arena.errors import NotAllowed
from arena.service.access import Action, Caller, require
from arena.storage.ports import Role, TokenId

ORGANISERS = {Role.ADMIN, Role.ORGANISER}
OWNERS = ORGANISERS | {Role.OWNER}
EXPECTED = {
    Action.CREATE_OWNER: ORGANISERS,
    Action.LIST_OWNERS: OWNERS,
    Action.CREATE_BOT: OWNERS,
    Action.LIST_BOTS: OWNERS,
    Action.CREATE_TOKEN: OWNERS,
    Action.LIST_TOKENS: OWNERS,
    Action.REVOKE_TOKEN: OWNERS,
    Action.CREATE_TOURNAMENT: ORGANISERS,
    Action.ENTER_BOT: OWNERS,
    Action.WITHDRAW_BOT: OWNERS,
    Action.CHANGE_TOURNAMENT: ORGANISERS,
    Action.DELETE_TOURNAMENT: ORGANISERS,
    Action.READ: OWNERS | {Role.READER},
    Action.READ_FAULTS: OWNERS,
}


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("action", Action)
def test_role(action: Action, role: Role) -> None:
    """A role may do exactly what the table says, and a refusal names the roles that may."""
    caller = Caller(TokenId("k"), role)
    if role in EXPECTED[action]:
        require(caller, action)
        return
    with pytest.raises(NotAllowed) as refused:
        require(caller, action)
    assert set(refused.value.needed) == {each.value for each in EXPECTED[action]}
    assert action.value in str(refused.value)
