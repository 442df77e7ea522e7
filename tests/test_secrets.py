"""Values that hold secrets do not show them."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from typing import Any

import hearts_bot
import pytest

import arena
import referee

TELLING = ("secret", "token", "ticket", "password", "root", "credentials", "key_pem")
NO_SECRETS = {
    ("arena.service.access", "Caller", "token"): "the id of a token",
}


def _values() -> Iterator[tuple[type, Field[Any]]]:
    """Yield the fields of all dataclasses whose names tell of secrets."""
    for package in (arena, referee, hearts_bot):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.rpartition(".")[2] == "__main__" or module.name.startswith("hearts_bot.bots."):
                continue
            for kind in vars(importlib.import_module(module.name)).values():
                if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == module.name:
                    for field in fields(kind):
                        if field.name in TELLING and any(word in str(field.type) for word in ("str", "bytes", "Token")):
                            yield kind, field


def test_values_do_not_show_their_secrets() -> None:
    """No dataclass shows a field that is a secret by its name, so neither does a log line or an error with it."""
    shown = [
        (kind.__module__, kind.__name__, field.name)
        for kind, field in _values()
        if field.repr and (kind.__module__, kind.__name__, field.name) not in NO_SECRETS
    ]
    assert shown == []


@pytest.mark.parametrize("part", ["secret", "token", "ticket"])
def test_the_search_finds_some(part: str) -> None:
    """The values that are known to hold secrets are among those looked at."""
    assert any(field.name == part for _, field in _values())
