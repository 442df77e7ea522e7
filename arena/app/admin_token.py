"""The file with the first admin token, which a new server is entered with."""

from __future__ import annotations

import os
import time
from pathlib import Path

from arena.errors import ConfigError
from arena.service.bootstrap import admin_secret
from arena.storage.ports import Registry


async def ensure_admin_token(registry: Registry, path: Path) -> None:
    """See to it that *path*, mode 0600, holds an admin token that is good; raise `ConfigError` if it cannot."""
    try:
        held = _read(path)
        secret = await admin_secret(registry, held, time.time())
        if secret != held:
            replace_file(path, secret.encode() + b"\n", 0o600)
    except OSError as error:
        text = f"{path} cannot be read and written: {error.strerror}; name a file that can"
        raise ConfigError("ARENA_ADMIN_TOKEN_FILE", text) from None


def _read(path: Path) -> str:
    return path.read_text(encoding="ascii", errors="replace").strip() if path.exists() else ""


def replace_file(path: Path, data: bytes, mode: int) -> None:
    """Replace *path* whole or not at all; nobody but *mode* allows ever reads it."""
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
