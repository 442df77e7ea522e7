"""What is over is freed at once: nothing of a match waits for the garbage collector, which comes rarely here."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator

import pytest

from referee.host.match import HostedMatch
from referee.host.seat import Seat
from referee.table.machine import Table
from tests.host.world import World, order_of

ENDS: dict[str, Callable[[World, HostedMatch], None]] = {
    "given up": lambda _, match: match.give_up("draining"),
    "cancelled": lambda _, match: match.void(cancelled=True),
    "broken": lambda world, match: world.hall.broke(match, AssertionError("ours")),
}


@pytest.fixture
def _no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def there() -> int:
    """Return how many matches, seats and tables there are."""
    return sum(isinstance(each, (HostedMatch, Seat, Table)) for each in gc.get_objects())


@pytest.mark.parametrize("end", ["finished", *ENDS])
@pytest.mark.usefixtures("_no_collector")
async def test_a_match_that_is_over_leaves_nothing(end: str, capsys: pytest.CaptureFixture[str]) -> None:
    """However it ends, seats and table go with it, though the bots stay, once the deadlines have let the seats go."""
    before = there()
    world = World()
    await world.table(order_of())
    assert there() > before
    if end in ENDS:
        for bot in world.bots:
            bot.turn()
        ENDS[end](world, next(iter(world.hall._matches.values())))
    await world.settle()
    world.hall.deadlines._heap.clear()
    for bot in world.bots:
        bot.updates.clear()
    assert there() == before
    capsys.readouterr()
