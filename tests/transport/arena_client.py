"""An API server on real storage, and clients of every role."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.arena_service_pb2_grpc import ArenaServiceStub

from arena.service.people import digest_of, new_secret
from arena.storage.ports import Role, Token, TokenId
from arena.transport.interceptor import EdgeTally
from arena.transport.server import serve
from tests.service.builders import NOW, World

METHODS = pb.DESCRIPTOR.services_by_name["ArenaService"].methods
REQUESTS: Mapping[str, type[Message]] = {method.name: getattr(pb, method.input_type.name) for method in METHODS}
STREAMS = {method.name for method in METHODS if method.server_streaming}


@dataclass(slots=True)
class Arena:
    """A running API. `secrets` are tokens by role; that of the owner speaks for `owner`, that of the bot for `bot`."""

    world: World
    channel: grpc.aio.Channel
    tally: EdgeTally
    secrets: dict[Role, str]
    owner: str = ""
    bot: str = ""
    address: str = ""

    @property
    def stub(self) -> Any:  # noqa: ANN401 - the asynchronous stub, which the generated types know under another name
        """Return the stub."""
        return ArenaServiceStub(self.channel)

    async def call(self, method: str, request: Message, secret: str | None = None) -> list[Any]:
        """Call *method* with a token, the admin's if none is given, and return what comes: one response or several."""
        token = self.secrets[Role.ADMIN] if secret is None else secret
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        if method in STREAMS:
            call = getattr(self.stub, method)(request, metadata=metadata, timeout=20)
            return [response async for response in call]
        return [await getattr(self.stub, method)(request, metadata=metadata, timeout=20)]

    async def status(self, method: str, request: Message, secret: str | None = None) -> tuple[grpc.StatusCode, str]:
        """Call *method* and return status code and reason."""
        try:
            await self.call(method, request, secret)
        except grpc.aio.AioRpcError as error:
            return error.code(), reason(error)
        return grpc.StatusCode.OK, ""


def reason(error: grpc.aio.AioRpcError) -> str:
    """Return the reason in the details of a failed call."""
    trailers = dict(error.trailing_metadata() or ())
    status = rpc_status.status_pb2.Status.FromString(trailers[rpc_status.GRPC_DETAILS_METADATA_KEY])
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in status.details if detail.Is(info.DESCRIPTOR))
    assert info.domain == "hearts-arena"
    return str(info.reason)


@asynccontextmanager
async def arena_on(world: World) -> AsyncIterator[Arena]:
    """Serve the API of *world* on a free port."""
    tally = EdgeTally()
    server = await serve(world.control.use_cases, tally, "127.0.0.1", 0)
    owner = await world.owner("alice")
    bot = await world.control.use_cases.people.create_bot(owner, "", "first")
    secrets = {}
    for role in Role:
        secrets[role] = new_secret(role)
        subject = {Role.OWNER: owner.subject, Role.BOT: bot.id}.get(role, "")
        token = Token(TokenId(f"k_{role.value}"), role, subject, NOW)
        await world.storage.registry.add_token(token, digest_of(secrets[role]))
    address = f"127.0.0.1:{server.port}"
    async with grpc.aio.insecure_channel(address) as channel:
        yield Arena(world, channel, tally, secrets, owner.subject, bot.id, address)
    await server.stop(0)
