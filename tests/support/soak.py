"""A pytest plugin for `make soak`: every property is tried with SOAK_EXAMPLES examples, new ones each time."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "soak",
    max_examples=int(os.environ.get("SOAK_EXAMPLES", "2000")),
    deadline=None,
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("soak")
