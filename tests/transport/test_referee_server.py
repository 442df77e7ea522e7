"""The gRPC server around the stream: health, reflection, the address, and stopping."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from referee.transport.server import SERVICE, AddressInUse, serve
from tests.host.world import World, order_of
from tests.transport.referee_client import connected, running


@pytest.mark.parametrize("service", ["", SERVICE])
async def test_health(service: str) -> None:
    """The server as a whole and the service by name are told to be serving."""
    async with running() as referee, grpc.aio.insecure_channel(referee.address) as channel:
        answer = await health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service))
        assert answer.status == health_pb2.HealthCheckResponse.SERVING


async def test_reflection() -> None:
    """The services and the file that describes them can be asked for without a token."""
    async with running() as referee, grpc.aio.insecure_channel(referee.address) as channel:
        stub = reflection_pb2_grpc.ServerReflectionStub(channel)
        request = reflection_pb2.ServerReflectionRequest
        call = stub.ServerReflectionInfo(iter([request(list_services=""), request(file_containing_symbol=SERVICE)]))
        answers = [answer async for answer in call]
        names = {service.name for service in answers[0].list_services_response.service}
        assert {SERVICE, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"} == names
        assert answers[1].file_descriptor_response.file_descriptor_proto


async def test_unknown_methods() -> None:
    """A method that does not exist is unimplemented."""
    async with running() as referee, grpc.aio.insecure_channel(referee.address) as channel:
        cheat: Any = channel.unary_unary("/hearts.v1.RefereeService/Cheat")
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await cheat(b"")
        assert error.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_port_in_use() -> None:
    """A port that somebody listens on is refused in words that say what to do."""
    world = World()
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(AddressInUse, match=f"127.0.0.1:{port}.*choose another port"):
            await serve(world.hall, "127.0.0.1", port)


async def test_stopping() -> None:
    """A server that stops tells its bots to come back, closes its port, and leaves no session."""
    async with running() as referee, connected(referee, "bot-b0") as client, connected(referee, "bot-b1") as other:
        referee.hall.host(order_of())
        await asyncio.wait_for(referee.server.stop(5.0), 10.0)
        assert await client.ended() == (grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN", 1.0)
        assert (await other.ended())[1] == "SHUTTING_DOWN"
        assert referee.hall.presences() == {}
        async with connected(referee) as late:
            assert (await late.ended())[0] is grpc.StatusCode.UNAVAILABLE
