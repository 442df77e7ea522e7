"""Settings: what is read, what is refused, and that the documentation lists them all."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from arena.config import Config, from_env, table, to_env
from arena.errors import ConfigError

DOCUMENT = Path(__file__).parents[2] / "docs" / "operations.md"


def test_defaults_and_values() -> None:
    """Nothing set gives the defaults; what is set is read with its type; other programs' variables are left alone."""
    assert from_env({"PATH": "/bin", "ARENA_SERVER": "x", "ARENA_TOKEN": "y"}) == Config()
    config = from_env({"ARENA_PORT": "0", "ARENA_LEASE_SECONDS": "4.5", "ARENA_REQUIRE_AOF": "false"})
    assert (config.port, config.lease_seconds, config.require_aof) == (0, 4.5, False)
    assert from_env(to_env(config)) == config


@pytest.mark.parametrize(
    ("variable", "value", "told"),
    [
        ("ARENA_PROT", "1", "did you mean ARENA_PORT?"),
        ("ARENA_XYZZY", "1", "there is no such setting"),
        ("ARENA_PORT", "65536", "0 to 65535"),
        ("ARENA_PORT", "٣", "0 to 65535"),
        ("ARENA_PORT", "", "0 to 65535"),
        ("ARENA_LEASE_SECONDS", "nan", "3 to 600"),
        ("ARENA_LEASE_SECONDS", "soon", "3 to 600"),
        ("ARENA_REQUIRE_AOF", "yes", "true or false"),
        ("ARENA_LOG_LEVEL", "loud", "debug, info"),
        ("ARENA_HOST", "a\nb", "printable"),
        *(
            ("ARENA_ADVERTISE", value, "HOST:PORT")
            for value in ("a", ":1", "a:0", "a:99999", "a:٣", "a b:1", "http://a:1")
        ),
    ],
)
def test_what_is_refused(variable: str, value: str, told: str) -> None:
    """A wrong setting is refused with the variable's name and what is allowed."""
    with pytest.raises(ConfigError, match=variable) as refused:
        from_env({variable: value})
    assert refused.value.variable == variable
    assert told in str(refused.value)


def test_passwords_are_not_shown() -> None:
    """The URL of Redis, which may hold a password, is in no text of a config or of a refusal."""
    config = from_env({"ARENA_REDIS_URL": "redis://:hunter2@h/0"})
    assert config.redis_url.startswith("redis://:hunter2@")
    assert "hunter2" not in repr(config)
    with pytest.raises(ConfigError) as refused:
        from_env({"ARENA_REDIS_URL": "redis://:hunter2@\n"})
    assert "hunter2" not in str(refused.value)


def test_the_document_lists_every_setting() -> None:
    """docs/operations.md holds the table of settings as the code has it."""
    text = DOCUMENT.read_text(encoding="utf-8")
    between = text.split("<!-- settings -->\n")[1].split("<!-- /settings -->")[0]
    assert between.strip() == table().strip()
    assert len(table().splitlines()) == 2 + len(fields(Config))
