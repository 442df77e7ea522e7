"""The users of deploy/redis/users.acl on a server of the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from redis import Redis

FILE: Final = Path(__file__).resolve().parents[2] / "deploy" / "redis" / "users.acl"
ROLES: Final = ("api", "scheduler", "referee", "web")


def put_up(url: str) -> None:
    """Make the users on the server at *url*; the one without password stays, to prepare things with."""
    with Redis.from_url(url) as client:
        for line in FILE.read_text(encoding="utf-8").splitlines():
            _, name, *rules = line.split()
            if name != "default":
                client.execute_command("ACL", "SETUSER", name, "reset", *rules)


def url_for(url: str, role: str) -> str:
    """Return the *url* of a socket with the login of a role."""
    return url.replace("unix://", f"unix://arena-{role}:CHANGE-ME-{role.upper()}@", 1)
