"""Options of the roles."""

from __future__ import annotations

from pathlib import Path

from arena.cli.roles import settings
from tests.cli.calling import Caller


def test_options_become_variables() -> None:
    """What was given is a variable, flags too; what was not is none."""
    assert settings(host="h", port=0, tls_key=None, insecure=True) == {
        "ARENA_HOST": "h",
        "ARENA_PORT": "0",
        "ARENA_INSECURE": "true",
    }
    assert settings(insecure=False) == {}


def test_no_server_listens_in_the_clear_for_others(call: Caller, tmp_path: Path) -> None:
    """`arena serve` on a public address without a certificate says what to do instead, and starts nothing."""
    called = call("serve", "--data-dir", str(tmp_path / "data"), "--host", "0.0.0.0")  # noqa: S104 - nothing is bound
    assert called.code == 2
    assert "ARENA_HOST" in called.err
    assert "arena cert" in called.err
    assert "--insecure" in called.err
    assert not (tmp_path / "data").exists()
