"""Options of the roles."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli.main import load
from arena.cli.roles import settings
from arena.config import Config
from tests.cli.calling import Caller


def test_options_become_variables() -> None:
    """What was given is a variable, flags too; what was not is none."""
    assert settings(host="h", port=0, tls_key=None, insecure=True) == {
        "ARENA_HOST": "h",
        "ARENA_PORT": "0",
        "ARENA_INSECURE": "true",
    }
    assert settings(insecure=False) == {}


@pytest.mark.parametrize(
    ("command", "option", "setting"),
    [
        *(("serve", name, name) for name in ("port", "referee_port", "metrics_port", "referee_metrics_port")),
        ("web", "port", "port"),
        ("web", "metrics_port", "metrics_port"),
        ("scheduler", "metrics_port", "scheduler_metrics_port"),
        ("referee", "port", "referee_port"),
        ("referee", "metrics_port", "referee_metrics_port"),
        ("referee", "capacity", "capacity"),
    ],
)
def test_help_tells_the_settings_defaults(command: str, option: str, setting: str) -> None:
    """What holds where an option is not given is what the settings say."""
    told = next(param.show_default for param in load(command).params if param.name == option)
    assert told == str(getattr(Config(), setting))


def test_no_server_listens_in_the_clear_for_others(call: Caller, tmp_path: Path) -> None:
    """`arena serve` on a public address without a certificate says what to do instead, and starts nothing."""
    called = call("serve", "--data-dir", str(tmp_path / "data"), "--host", "0.0.0.0")  # noqa: S104 - nothing is bound
    assert called.code == 2
    assert "ARENA_HOST" in called.err
    assert "arena cert" in called.err
    assert "--insecure" in called.err
    assert not (tmp_path / "data").exists()
