"""The port for machines that watch the arena."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress

import pytest
from prometheus_client import CollectorRegistry, Counter, Gauge

from arena.app import http
from arena.app.http import MetricsServer
from tests.support.waiting import until


async def ask(port: int, data: bytes) -> bytes:
    """Send *data* and return what comes until the connection is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(data)
    writer.write_eof()
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    return answer


@pytest.mark.parametrize(
    ("request_line", "status", "body"),
    [
        (b"GET /metrics HTTP/1.1", b"200 OK", b"things_total 1.0"),
        (b"GET /metrics?name=x HTTP/1.1", b"200 OK", b"things_total 1.0"),
        (b"GET /healthz HTTP/1.1", b"200 OK", b"ok"),
        (b"GET /ready HTTP/1.1", b"503 Unavailable", b"storage is away"),
        (b"GET /../etc/passwd HTTP/1.1", b"404 Not Found", b"/metrics"),
        (b"POST /metrics HTTP/1.1", b"405 Method Not Allowed", b"GET"),
        (b"hello", b"400 Bad Request", b"HTTP"),
    ],
)
async def test_answers(request_line: bytes, status: bytes, body: bytes) -> None:
    """Three paths are answered, everything else is refused in HTTP."""
    registry = CollectorRegistry()
    Counter("things", "Things.", registry=registry).inc()
    server = MetricsServer(registry, lambda: "storage is away")
    port = await server.start("127.0.0.1", 0)
    answer = await ask(port, request_line + b"\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 " + status)
    assert body in answer
    await server.stop()


@pytest.mark.parametrize("data", [b"", b"GET /metrics", b"x" * 20_000, b"\x16\x03\x01\x00\r\n\r\n"])
async def test_nonsense_is_dropped(data: bytes) -> None:
    """What is no request is dropped, and the next request is answered."""
    server = MetricsServer(CollectorRegistry(), lambda: "")
    port = await server.start("127.0.0.1", 0)
    with suppress(ConnectionError):
        await ask(port, data)
    assert b"ready" in await ask(port, b"GET /ready HTTP/1.1\r\n\r\n")
    await server.stop()


async def test_who_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who asks for a long page and does not read it is not kept, nor is the page."""
    monkeypatch.setattr(http, "_SECONDS", 0.5)
    registry = CollectorRegistry()
    gauge = Gauge("things", "Things.", ["name"], registry=registry)
    for number in range(20_000):
        gauge.labels(f"{number:0400}").set(number)  # far more than the system keeps for a socket
    server = MetricsServer(registry, lambda: "")
    port = await server.start("127.0.0.1", 0)
    with socket.socket() as silent:
        silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        silent.setblocking(False)
        loop = asyncio.get_running_loop()
        idle = len(asyncio.all_tasks())
        await loop.sock_connect(silent, ("127.0.0.1", port))
        await loop.sock_sendall(silent, b"GET /metrics HTTP/1.1\r\n\r\n")

        async def heard() -> bool:
            return len(asyncio.all_tasks()) > idle

        async def given_up() -> bool:
            return len(asyncio.all_tasks()) == idle

        await until(heard)
        await until(given_up)
        left = b""
        while more := await loop.sock_recv(silent, 1 << 20):
            left += more
    assert b"200 OK" in left
    assert len(left) < 8_000_000  # the rest had been dropped, not kept until somebody might read it
    assert b"ready" in await ask(port, b"GET /ready HTTP/1.1\r\n\r\n")
    await server.stop()
