"""Ten disturbed tournaments; many more are for `make soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.chaos.runner import chaos, summary

pytestmark = pytest.mark.full

SEEDS = range(1, 11)


@pytest.mark.timeout(1800)
def test_nothing_is_lost(scratch: Path) -> None:
    """Whatever is killed, frozen or cut: records, standings and faults are those of the undisturbed tournament."""
    with chaos(scratch) as world:
        runs = [world.run(seed) for seed in SEEDS]
    assert not [run.seed for run in runs if run.different], summary(runs)
