"""The life of a role's process: start, tell where it listens, run, stop in order.

A role stops on SIGTERM or SIGINT, and when it has lost its parent: a supervisor holds the other end of its standard
input, and when that ends, the supervisor is gone. A second signal makes the stop a hurried one.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from json import dumps
from typing import Any, Final, TypeVar

import structlog

from referee.transport.server import AddressInUse, refusal

Bound = TypeVar("Bound")

BIND_PATIENCE: Final = 6.0
"""Seconds that a port may still belong to a predecessor that is stopping."""

ORPHAN_GRACE: Final = 1.0
AGAIN_SECONDS: Final = 0.25


@dataclass(frozen=True, slots=True)
class Listening:
    """Where a role listens: the service itself, `host:port` or `tls://host:port`, and the metrics, `host:port`."""

    address: str
    metrics: str


class Stop:
    """Says when this process is to stop, and how much time it may take for that."""

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.asked = asyncio.Event()
        self.hurried = asyncio.Event()

    def ask(self) -> None:
        """Ask to stop; the second time, at once."""
        if self.asked.is_set():
            self.hurried.set()
        self.asked.set()
        structlog.get_logger("role").info("stopping", hurried=self.hurried.is_set())

    def on_signals(self) -> None:
        """Stop on SIGTERM and SIGINT."""
        loop = asyncio.get_running_loop()
        for signum in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(signum, self.ask)

    def with_parent(self) -> None:
        """Stop when standard input ends."""
        loop = asyncio.get_running_loop()

        def readable() -> None:
            if not os.read(0, 4096):
                loop.remove_reader(0)
                self.grace = min(self.grace, ORPHAN_GRACE)
                self.ask()

        loop.add_reader(0, readable)

    async def within_grace(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work*, which takes at most about the grace; give up on it when hurried."""
        task, hurry = asyncio.create_task(work), asyncio.create_task(_wait_for(self.hurried))
        await asyncio.wait((task, hurry), return_when=asyncio.FIRST_COMPLETED)
        await cancelled([hurry])
        if not task.done():
            await cancelled([task])
        if not task.cancelled() and (error := task.exception()) is not None:
            structlog.get_logger("role").error("stop_failed", exc_info=error)


async def run_until(stop: Stop, loops: Sequence[Coroutine[Any, Any, None]]) -> Sequence[asyncio.Task[None]]:
    """Run *loops*, which never end by themselves, until a stop is asked for; return their tasks, still running.

    A loop that breaks breaks the process: whoever supervises it starts it again, and storage knows all that counts.
    """
    tasks = [asyncio.create_task(loop) for loop in loops]
    asked = asyncio.create_task(_wait_for(stop.asked))
    done, _ = await asyncio.wait((*tasks, asked), return_when=asyncio.FIRST_COMPLETED)
    await cancelled([asked])
    for task in done - {asked}:
        await cancelled(tasks)
        task.result()
        raise AssertionError("a loop of this role ended")
    return tasks


async def _wait_for(event: asyncio.Event) -> None:
    await event.wait()


async def cancelled(tasks: Iterable[asyncio.Task[None]]) -> None:
    """Cancel *tasks* and wait until they have ended.

    Once is not enough: `asyncio.wait_for`, through which redis-py sends its commands, forgets a cancellation that comes
    together with what it waits for (Python 3.11).
    """
    waiting = set(tasks)
    while waiting:
        for task in waiting:
            task.cancel()
        ended, waiting = await asyncio.wait(waiting, timeout=AGAIN_SECONDS)
        for task in ended:
            if not task.cancelled():
                task.exception()


async def bound(listen: Callable[[], Awaitable[Bound]]) -> Bound:
    """Return what *listen* returns, trying again for a while when its port is in use."""
    deadline = asyncio.get_running_loop().time() + BIND_PATIENCE
    while True:
        try:
            return await listen()
        except AddressInUse:
            if asyncio.get_running_loop().time() > deadline:
                raise
        await asyncio.sleep(0.1)


async def bound_port(listen: Callable[[str, int], Awaitable[int]], host: str, port: int) -> int:
    """Do the same for a plain socket, whose failure is an `OSError`."""

    async def attempt() -> int:
        try:
            return await listen(host, port)
        except (OSError, UnicodeError) as error:
            raise refusal(host, port, error) from error

    return await bound(attempt)


def reachable(host: str, port: int) -> str:
    """Return how a client on this machine reaches a server that listens on *host*."""
    if host in ("0.0.0.0", "::", ""):  # noqa: S104 - compared, not bound
        host = "127.0.0.1"
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def tell(facts: Mapping[str, str]) -> None:
    """Write one line of JSON to standard output, for the supervisor. If that is gone, nobody is told."""
    with suppress(BrokenPipeError):
        os.write(1, dumps(facts).encode() + b"\n")
