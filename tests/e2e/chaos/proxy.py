"""A TCP proxy that misbehaves when told to: it delays, stalls, swallows, half-closes and resets.

It runs its own event loop in a thread, so that a test that blocks does not stop the traffic.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Callable, Coroutine
from typing import Any

LINGER_NOT = struct.pack("ii", 1, 0)  # close by a reset


class Proxy:
    """Forwards connections on *port* to *target*, both on this machine."""

    def __init__(self, port: int, target: int) -> None:
        self.port = port
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"proxy {port}", daemon=True)
        self._links: set[_Link] = set()
        self._lag = 0.0
        self._server: asyncio.Server | None = None

    def start(self) -> None:
        """Listen."""
        self._thread.start()
        self._call(self._listen())

    def stop(self) -> None:
        """Cut everything and listen no more."""
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def reset(self) -> None:
        """Cut all connections with a reset."""
        self._call(self._each(_Link.reset))

    def half_close(self) -> None:
        """Close the way from the referee to the bots, and leave the other one open."""
        self._call(self._each(_Link.half_close))

    def hold(self) -> None:
        """Forward nothing that is in the pipe or comes into it, until `let_go`."""
        self._call(self._each(lambda link: link.gate.clear()))

    def let_go(self) -> None:
        """Forward again, all that was held back first."""
        self._call(self._each(lambda link: link.gate.set()))

    def lag(self, seconds: float) -> None:
        """Hold every piece of data back for so long from now on."""
        self._lag = seconds

    def _call(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _each(self, do: Callable[[_Link], object]) -> None:
        for link in list(self._links):
            do(link)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._forward, "127.0.0.1", self.port)

    async def _end(self) -> None:
        assert self._server is not None
        self._server.close()
        for link in list(self._links):
            link.reset()
        for _ in range(3):
            await asyncio.sleep(0)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            _reset(writer)
            return
        link = _Link(writer, back)
        self._links.add(link)
        try:
            link.pumps = [
                asyncio.create_task(self._pump(link, reader, back)),
                asyncio.create_task(self._pump(link, there, writer)),
            ]
            await asyncio.wait(link.pumps)
        finally:
            self._links.discard(link)
            link.reset()

    async def _pump(self, link: _Link, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(1 << 16):
                await link.gate.wait()
                if self._lag:
                    await asyncio.sleep(self._lag)
                writer.write(data)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()


class _Link:
    """One connection of a bot, and the one that it is forwarded on."""

    def __init__(self, bot: asyncio.StreamWriter, referee: asyncio.StreamWriter) -> None:
        self.gate = asyncio.Event()
        self.gate.set()
        self.pumps: list[asyncio.Task[None]] = []
        self._bot = bot
        self._referee = referee

    def reset(self) -> None:
        """Cut both connections with a reset."""
        for pump in self.pumps:
            pump.cancel()
        _reset(self._bot)
        _reset(self._referee)

    def half_close(self) -> None:
        """Tell the bot that nothing more comes."""
        with contextlib.suppress(OSError):
            self._bot.write_eof()


def _reset(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        sock: socket.socket = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER_NOT)
    writer.transport.abort()
