"""Calls that ask for nothing, say nothing or never end take nobody else's place."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2
from hearts.v1 import arena_service_pb2 as pb

from arena.transport import server as api
from arena.transport.interceptor import EdgeTally
from referee.transport.doors import Doors, StreamLimits
from referee.transport.errors import reason_of
from referee.transport.gate import NO_TOKEN, Gate
from tests.service.builders import World
from tests.support.waiting import until
from tests.transport.arena_client import Arena, reason
from tests.transport.referee_client import connected, running

CODE = grpc.StatusCode
GET_SERVER = "/hearts.v1.ArenaService/GetServer"
WATCH = "/grpc.health.v1.Health/Watch"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


def silent(channel: grpc.aio.Channel, method: str = GET_SERVER) -> Any:  # noqa: ANN401 - a call
    """Open a call that brings no message."""
    return channel.stream_stream(method, request_serializer=bytes)()


def health_watch(channel: grpc.aio.Channel) -> Any:  # noqa: ANN401 - a call
    """Watch the health of the server."""
    watch: Any = channel.unary_stream(WATCH, response_deserializer=health_pb2.HealthCheckResponse.FromString)
    return watch(b"")


async def watched(channel: grpc.aio.Channel, count: int) -> list[Any]:
    """Watch the health of the server so many times at once, until each watch has told something."""
    watches = [health_watch(channel) for _ in range(count)]
    for watch in watches:
        assert (await watch.read()).status == health_pb2.HealthCheckResponse.SERVING
    return watches


@asynccontextmanager
async def served(world: World, limits: StreamLimits) -> AsyncIterator[tuple[grpc.aio.Channel, EdgeTally]]:
    """Run an API with these limits."""
    tally = EdgeTally()
    server = await api.serve(world.control.use_cases, tally, "127.0.0.1", 0, limits=limits)
    async with grpc.aio.insecure_channel(f"127.0.0.1:{server.port}") as channel:
        yield channel, tally
    await server.stop(0)


async def test_calls_are_counted_before_their_message(arena: Arena) -> None:
    """Who opens calls and says nothing uses up places of its own address only; what ends gives its place back."""
    limits = StreamLimits(streams=10, per_address=3, waiting=2)
    async with served(arena.world, limits) as (channel, tally):
        hanging = [silent(channel) for _ in range(2)]
        for call in hanging:
            await call.wait_for_connection()
        await until(lambda: _refused(channel))
        assert tally.calls["GetServer", "RESOURCE_EXHAUSTED"] >= 1
        for call in hanging:
            call.cancel()
        await until(lambda: _answered(channel))


async def _status(channel: grpc.aio.Channel) -> tuple[grpc.StatusCode, str]:
    call = channel.unary_unary(GET_SERVER, pb.GetServerRequest.SerializeToString, pb.GetServerResponse.FromString)
    try:
        await call(pb.GetServerRequest())
    except grpc.aio.AioRpcError as error:
        return error.code(), reason(error)
    return CODE.OK, ""


async def _refused(channel: grpc.aio.Channel) -> bool:
    return await _status(channel) == (CODE.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")


async def _answered(channel: grpc.aio.Channel) -> bool:
    return await _status(channel) == (CODE.OK, "")


async def test_a_message_has_to_come_soon() -> None:
    """A call without a message is ended with a reason."""
    server = grpc.aio.server(interceptors=[Gate({"a.B": Doors(StreamLimits())}, seconds=0.05)])

    async def never(_request: bytes, _context: object) -> bytes:
        raise AssertionError("there was no message")

    handlers: Any = {"C": grpc.unary_unary_rpc_method_handler(never)}
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("a.B", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        for halfway in (False, True):
            call = silent(channel, "/a.B/C")
            if halfway:
                await call.done_writing()
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await call.read()
            assert (ended.value.code(), reason_of(ended.value)) == (CODE.INVALID_ARGUMENT, "REQUEST_EXPECTED")
    await server.stop(0)


async def test_who_needs_no_token_takes_no_place_of_the_api(arena: Arena) -> None:
    """Calls of the API go through, however many watch the health of the server or hold reflection open."""
    channel = arena.channel
    watches = await watched(channel, NO_TOKEN.per_address)
    for refused in (health_watch(channel), silent(channel, REFLECTION), silent(channel, WATCH)):
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await refused.read()
        assert (ended.value.code(), reason_of(ended.value)) == (CODE.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS")
    await arena.call("ListOwners", pb.ListOwnersRequest())
    watches[0].cancel()
    await until(lambda: _told(channel))


async def _told(channel: grpc.aio.Channel) -> bool:
    try:
        return bool(await health_watch(channel).read())
    except grpc.aio.AioRpcError:
        return False


async def test_who_needs_no_token_takes_no_place_of_a_bot() -> None:
    """The same at a referee: bots come in beside all that watch its health, whose number is limited."""
    async with AsyncExitStack() as stack:
        referee = await stack.enter_async_context(running(streams=StreamLimits(per_address=2)))
        channel = await stack.enter_async_context(grpc.aio.insecure_channel(referee.address))
        await watched(channel, NO_TOKEN.per_address)
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await health_watch(channel).read()
        assert reason_of(ended.value) == "TOO_MANY_STREAMS"
        for number in range(2):
            await stack.enter_async_context(connected(referee, f"bot-b{number}"))
        assert len(referee.hall.presences()) == 2


async def test_reflection_goes_through(arena: Arena) -> None:
    """A stream of several requests is answered one by one."""
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    call: Any = arena.channel.stream_stream(
        REFLECTION,
        reflection_pb2.ServerReflectionRequest.SerializeToString,
        reflection_pb2.ServerReflectionResponse.FromString,
    )()
    for _ in range(3):
        await call.write(request)
        names = {each.name for each in (await call.read()).list_services_response.service}
        assert "hearts.v1.ArenaService" in names
    await call.done_writing()
    assert await asyncio.wait_for(call.code(), 10) is CODE.OK
