"""What may happen to a cluster: each kind of disturbance, and how it passes."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tests.e2e.cluster import Cluster


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Something that happens `at` seconds after the start, to whom, and for how long."""

    at: float
    kind: str
    target: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.kind} {self.target} at {self.at:.2f} s for {self.seconds:.2f} s"


Act = Callable[["Cluster", str, float], None]


def _kill(arena: Cluster, name: str, seconds: float) -> None:
    arena.kill(name)
    time.sleep(seconds)
    arena.start(name)


def _drain(arena: Cluster, name: str, seconds: float) -> None:
    arena.stop(name)
    time.sleep(seconds)
    arena.start(name)


def _freeze(arena: Cluster, name: str, seconds: float) -> None:
    arena.send(name, signal.SIGSTOP)
    time.sleep(seconds)
    arena.send(name, signal.SIGCONT)


def _kill_bot(arena: Cluster, name: str, seconds: float) -> None:
    arena.kill(name)
    time.sleep(seconds)
    arena.start_known_bot(name)


def _kill_valkey(arena: Cluster, _name: str, seconds: float) -> None:
    arena.kill_valkey()
    time.sleep(seconds)
    arena.valkey.start()


def _freeze_valkey(arena: Cluster, _name: str, seconds: float) -> None:
    arena.signal_valkey(signal.SIGSTOP)
    time.sleep(seconds)
    arena.signal_valkey(signal.SIGCONT)


def _reset(arena: Cluster, name: str, _seconds: float) -> None:
    arena.proxy(name).reset()


def _half_close(arena: Cluster, name: str, _seconds: float) -> None:
    arena.proxy(name).half_close()


def _hold(arena: Cluster, name: str, seconds: float) -> None:
    arena.proxy(name).hold()
    time.sleep(seconds)
    arena.proxy(name).let_go()


def _swallow(arena: Cluster, name: str, seconds: float) -> None:
    arena.proxy(name).hold()
    time.sleep(seconds)
    arena.proxy(name).reset()


def _lag(arena: Cluster, name: str, seconds: float) -> None:
    arena.proxy(name).lag(0.01)
    time.sleep(seconds)
    arena.proxy(name).lag(0.0)


LONGEST: Final[dict[str, dict[str, tuple[float, Act]]]] = {
    "referee": {"kill": (2.0, _kill), "drain": (0.5, _drain), "freeze": (4.0, _freeze)},
    "scheduler": {"kill": (1.0, _kill), "freeze": (2.0, _freeze)},
    "web": {"kill": (0.5, _kill), "freeze": (1.0, _freeze)},
    "valkey": {"kill": (1.0, _kill_valkey), "freeze": (3.0, _freeze_valkey)},
    "bot": {"kill": (0.5, _kill_bot), "freeze": (2.0, _freeze)},
    "proxy": {
        "reset": (0.0, _reset),
        "half-close": (0.0, _half_close),
        "hold": (3.0, _hold),
        "swallow": (3.0, _swallow),
        "lag": (2.0, _lag),
    },
}
"""By kind of target, what may happen to it, for how many seconds at most."""

_WEIGHTS: Final = {"referee": 4, "scheduler": 1, "web": 1, "valkey": 3, "bot": 3, "proxy": 4}


def script(random: Random, referees: int, bots: int, events: int, within: float) -> list[Disturbance]:
    """Draw so many *events* that begin in the first *within* seconds, in the order in which they begin."""
    drawn = []
    for _ in range(events):
        (kind,) = random.choices(list(_WEIGHTS), weights=list(_WEIGHTS.values()))
        what = random.choice(list(LONGEST[kind]))
        number = {"referee": referees, "proxy": referees, "bot": bots}.get(kind, 0)
        target = kind if not number else f"{kind}-{random.randrange(number)}"
        seconds = random.uniform(0, LONGEST[kind][what][0])
        drawn.append(Disturbance(random.uniform(0.1, within), what, target, seconds))
    return sorted(drawn, key=lambda each: each.at)


def disturb(arena: Cluster, script_: Sequence[Disturbance]) -> None:
    """Let everything in the script happen, one after the other, as near to its time as may be."""
    begun = time.monotonic()
    for each in script_:
        time.sleep(max(0.0, begun + each.at - time.monotonic()))
        kind = each.target.partition("-")[0]
        name = each.target.replace("-", "") if kind == "bot" else each.target
        LONGEST[kind][each.kind][1](arena, name, each.seconds)
