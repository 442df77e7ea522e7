"""A relay on this machine through which a connection can be cut in the middle of a message."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

CHUNK: Final = 1 << 16


class Relay:
    """Passes bytes between a bot and its referee. `halve` lets half of what the bot says next through, and no more."""

    def __init__(self, host: str, port: int) -> None:
        self._target = (host, port)
        self._halve = False
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def start(self) -> str:
        """Listen, and return the address."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"{host}:{port}"

    def halve(self) -> None:
        """Break the next connection in the middle of what the bot says next."""
        self._halve = True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            there, back = await asyncio.open_connection(*self._target)
            ends = (writer, back)
            self._writers.update(ends)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._pass_on(reader, back, ends, may_halve=True))
                    group.create_task(self._pass_on(there, writer, ends, may_halve=False))
            finally:
                self._writers.difference_update(ends)
                for end in ends:
                    end.transport.abort()

    async def _pass_on(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        ends: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
        *,
        may_halve: bool,
    ) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(CHUNK):
                if may_halve and self._halve:
                    self._halve = False
                    writer.write(data[: len(data) // 2])
                    await writer.drain()
                    break
                writer.write(data)
                await writer.drain()
        for end in ends:
            end.close()

    async def stop(self) -> None:
        """Break all connections and listen no more."""
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.transport.abort()
