"""A quarter of a minute of noise; the half hour is for `make soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.chaos.runner import chaos
from tests.fuzz.ports import played_in_noise

pytestmark = [
    pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc"),
    pytest.mark.full,
]


def test_noise_disturbs_nobody(scratch: Path) -> None:
    """Tournaments end as in peace, nothing is logged as an error, and memory, files and threads stay as they were."""
    with chaos(scratch) as world:
        counts, played, sizes = played_in_noise(world, 15, seed=1)
    assert counts["connections"] > 100
    assert played > 0
    for name, (before, after) in sizes.items():
        assert after.kilobytes < before.kilobytes + 30_000, name
        assert after.files <= before.files + 60, name  # what is still open on our side is closed with us
        assert after.threads <= before.threads + 20, name
