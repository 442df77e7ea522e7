"""The sweep: matches of referees that died go back in line, and the log says whose they were.

Every referee sweeps now and then, and what one has found dead no other finds again, so a death is told once.
"""

from __future__ import annotations

import structlog

from arena.storage.ports import Fleet


async def sweep(fleet: Fleet, *, lease: float, park_after: int) -> None:
    """Hand on what dead referees held: those not heard for *lease* seconds. Matches tried so often are parked."""
    log = structlog.get_logger("sweep")
    for lost in await fleet.sweep(lease=lease, park_after=park_after):
        log.warning("referee_lost", referee=lost.id, address=lost.address, put_back=lost.put_back, parked=lost.parked)
