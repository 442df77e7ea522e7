"""Values of the rules cannot be changed once they are made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from referee.rules.dealing import DealSource
from referee.rules.options import OPTIONS
from referee.rules.presets import resolve, rules_digest
from referee.rules.variant import Variant

VARIANT = resolve("standard")
SOURCE = DealSource(bytes(32), rules_digest(VARIANT), "t", "b")


@pytest.mark.parametrize("value", [VARIANT, SOURCE, SOURCE.deal(VARIANT, 1, 0), OPTIONS["deals"]])
def test_values_are_frozen_and_hold_nothing_beside_their_fields(value: object) -> None:
    """No field can be set, and there is no room for others."""
    name = fields(value)[0].name  # type: ignore[arg-type]
    with pytest.raises(FrozenInstanceError):
        setattr(value, name, None)
    assert not hasattr(value, "__dict__")


def test_a_rule_set_is_made_by_naming_its_options() -> None:
    """Twenty-four values in a row could be mistaken for one another."""
    assert all(field.kw_only for field in fields(Variant))


def test_a_source_of_deals_does_not_show_its_secret() -> None:
    """Neither printed nor in a traceback."""
    shown = repr(DealSource(b"hush", rules_digest(VARIANT), "t", "b"))
    assert "hush" not in shown
    assert "secret" not in shown
