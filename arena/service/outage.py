"""An outage of storage: told once when it begins and once when it is over, however often storage is asked meanwhile."""

from __future__ import annotations

import structlog


class Outage:
    """Whether storage is away, as one loop sees it. *where* names the log."""

    def __init__(self, where: str) -> None:
        self._away = False
        self._log = structlog.get_logger(where)

    def begins(self, error: Exception) -> None:
        """Note that storage did not answer, or not with what can be read."""
        if not self._away:
            self._log.warning("storage_away", error=str(error))
        self._away = True

    def ends(self) -> None:
        """Note that storage answered."""
        if self._away:
            self._log.info("storage_back")
        self._away = False
