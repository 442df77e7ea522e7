"""Waiting for a thing to be so, instead of for a time that it usually takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Value = TypeVar("Value")


async def until(probe: Callable[[], Awaitable[Value]], timeout: float = 45.0) -> Value:
    """Ask *probe* until its answer is true, and return that; `AssertionError` after *timeout* seconds."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + timeout
    while not (value := await probe()):
        if loop.time() > deadline:
            raise AssertionError(f"not so within {timeout} s; the last answer was {value!r}")
        await asyncio.sleep(0.02)
    return value
