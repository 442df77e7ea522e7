"""The life of a role: stopping, cancelling, binding."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import grpc
import pytest

from arena.app import lifecycle
from arena.app.lifecycle import Stop, bound_port, cancelled, reachable, run_until
from referee.transport.server import AddressInUse, CannotListen, listen


async def for_ever() -> None:
    """Wait for ever."""
    await asyncio.Event().wait()


async def test_a_stop_leaves_the_loops_running() -> None:
    """When a stop is asked for, the loops are handed back, running, to be ended in order."""
    stop = Stop(5)
    asyncio.get_running_loop().call_soon(stop.ask)
    tasks = await run_until(stop, [for_ever(), for_ever()])
    assert not any(task.done() for task in tasks)
    await cancelled(tasks)
    assert all(task.cancelled() for task in tasks)


async def test_a_loop_that_breaks_breaks_the_role() -> None:
    """A fault of ours is not lived with: the role ends with it."""

    async def broken() -> None:
        raise RuntimeError("a bug")

    with pytest.raises(RuntimeError, match="a bug"):
        await run_until(Stop(5), [for_ever(), broken()])


async def test_cancelling_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that forgets its first cancellation is cancelled again."""
    monkeypatch.setattr(lifecycle, "AGAIN_SECONDS", 0.01)
    forgotten = 0

    async def forgetful() -> None:
        nonlocal forgotten
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                if forgotten:
                    raise
                forgotten += 1

    task = asyncio.create_task(forgetful())
    await asyncio.sleep(0)
    await cancelled([task])
    assert forgotten == 1


async def test_a_second_request_hurries() -> None:
    """A stop that is asked for twice waits for nothing more."""
    stop = Stop(60)
    stop.ask()
    asyncio.get_running_loop().call_soon(stop.ask)
    await asyncio.wait_for(stop.within_grace(for_ever()), 5)
    assert stop.hurried.is_set()


async def test_a_port_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port is waited for a while, then told as in use."""
    monkeypatch.setattr(lifecycle, "BIND_PATIENCE", 0.1)
    server = await asyncio.start_server(lambda *_: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]

    async def listen(host: str, number: int) -> int:
        other = await asyncio.start_server(lambda *_: None, host, number)
        other.close()
        return number

    with pytest.raises(AddressInUse, match=str(port)):
        await bound_port(listen, "127.0.0.1", port)
    server.close()
    assert await bound_port(listen, "127.0.0.1", port) == port


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid", "a" * 300, "1.2.3", "::1::2"])
async def test_a_host_that_is_not_ours(host: str) -> None:
    """What cannot be listened on, whatever the port, is refused at once, with the system's reason, by both kinds."""

    async def plain(host: str, port: int) -> int:
        server = await asyncio.start_server(lambda *_: None, host, port)
        server.close()
        return port

    begun = asyncio.get_running_loop().time()
    with pytest.raises(CannotListen, match="choose an address and a port that this machine may use"):
        await bound_port(plain, host, 0)
    with pytest.raises(CannotListen, match="choose an address and a port that this machine may use"):
        listen(grpc.aio.server(), host, 0, None)
    assert asyncio.get_running_loop().time() - begun < lifecycle.BIND_PATIENCE


def test_how_a_server_is_reached() -> None:
    """A server that listens everywhere is reached here; IPv6 addresses have brackets."""
    hosts = ("0.0.0.0", "::1", "10.0.0.1")  # noqa: S104 - nothing is bound
    assert [reachable(host, 1) for host in hosts] == ["127.0.0.1:1", "[::1]:1", "10.0.0.1:1"]


def test_nobody_to_tell() -> None:
    """A role whose supervisor is gone before it could tell it anything ends without a word."""
    program = "from arena.app.lifecycle import tell; tell({'address': 'a'}); tell({'error': 'b'})"
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as role:
        assert role.stdout is not None
        assert role.stderr is not None
        role.stdout.close()
        said = role.stderr.read()
    assert (role.returncode, said) == (0, b"")
