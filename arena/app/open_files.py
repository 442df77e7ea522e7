"""How many files a role may have open: as many as the system lets it.

Every connection is a file. Most systems begin with 1,024, which a few hundred bots and one stranger that holds
connections would use up; then nobody else gets in, and storage that went away cannot be reached again.
"""

from __future__ import annotations

import resource
from typing import Final

import structlog

SPARE: Final = 512
"""Files beside those of streams: storage, the pages for monitoring, connections that have no stream yet."""


def raise_limit(wanted: int) -> int:
    """Raise the limit to what the system allows, say so if that is less than *wanted* connections need; return it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
            soft = hard
        except (ValueError, OSError):  # some systems name a hard limit that they do not allow
            pass
    if soft != resource.RLIM_INFINITY and soft < wanted + SPARE:
        structlog.get_logger("role").warning(
            "few_open_files", limit=soft, streams=wanted, advice="raise it (ulimit -n, LimitNOFILE) or lower the limits"
        )
    return soft
