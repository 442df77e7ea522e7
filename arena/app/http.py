"""The port for machines that watch the arena: `/metrics` for Prometheus, `/healthz` and `/ready` for orchestrators.

It answers GET on these three paths and nothing else, and closes after each answer, so there is little that a stranger
could do with it.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, generate_latest

_LONGEST: Final = 8192
_SECONDS: Final = 5.0
_PLAIN: Final = "text/plain; charset=utf-8"
_METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
_REASONS: Final = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 503: "Unavailable"}

Answer = tuple[int, str, bytes]


class MetricsServer:
    """Serves one process, over HTTPS with *tls*. *ready* returns why it is not ready, or nothing if it is."""

    def __init__(
        self, registry: CollectorRegistry, ready: Callable[[], str], tls: ssl.SSLContext | None = None
    ) -> None:
        self._registry = registry
        self._ready = ready
        self._tls = tls
        self._server: asyncio.Server | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen, and return the port. Raises `OSError` when it cannot."""
        self._server = await asyncio.start_server(self._serve, host, port, limit=_LONGEST, ssl=self._tls)
        bound: int = self._server.sockets[0].getsockname()[1]
        return bound

    async def stop(self) -> None:
        """Close the port."""
        if self._server is not None:
            self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
                status, kind, body = await self._answer(head)
                writer.write(
                    f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\n"
                    f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode()
                    + body
                )
                await writer.drain()
        except TimeoutError:
            writer.transport.abort()  # closing would wait for somebody who does not read
        except (OSError, EOFError, asyncio.LimitOverrunError):
            pass  # nobody there, or somebody who does not speak HTTP
        finally:
            writer.close()

    async def _answer(self, head: bytes) -> Answer:
        words = head.split(b"\r\n", 1)[0].split()
        if len(words) != 3:
            return 400, _PLAIN, b"this is not HTTP\n"
        if words[0] != b"GET":
            return 405, _PLAIN, b"only GET is answered here\n"
        match words[1].split(b"?")[0]:
            case b"/metrics":
                return 200, _METRICS, await asyncio.to_thread(generate_latest, self._registry)
            case b"/healthz":
                return 200, _PLAIN, b"ok\n"
            case b"/ready":
                why = self._ready()
                return (503, _PLAIN, f"{why}\n".encode()) if why else (200, _PLAIN, b"ready\n")
        return 404, _PLAIN, b"there are /metrics, /healthz and /ready\n"
