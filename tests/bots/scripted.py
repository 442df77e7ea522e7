"""A referee that follows a script: a real gRPC server whose streams do what a test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import grpc
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status
from hearts.v1 import referee_service_pb2 as pb
from hearts.v1.referee_service_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server
from hearts_bot.connection import Connection
from hearts_bot.conversation import Endpoint
from hearts_bot.session import Session
from hearts_bot.status import BackOff

Context = grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]
Script = Callable[["Stream"], Awaitable[None]]


class Stream:
    """One stream, from the referee's side. `hello` is what the bot said first."""

    def __init__(self, context: Context, hello: pb.Hello) -> None:
        self.hello = hello
        self._context = context

    async def send(self, response: pb.PlayResponse) -> None:
        """Send a frame."""
        await self._context.write(response)

    async def welcome(self, **fields: int) -> None:
        """Welcome the bot."""
        await self.send(pb.PlayResponse(welcome=pb.Welcome(bot="b_1", bot_name="test", **fields)))  # type: ignore[arg-type]

    async def receive(self) -> pb.PlayRequest | None:
        """Return the next frame, or None when the bot has closed its side."""
        request: object = await self._context.read()
        return request if isinstance(request, pb.PlayRequest) else None

    async def abort(self, code: grpc.StatusCode, reason: str = "", retry_seconds: float | None = None) -> None:
        """End the stream as the referee does: with a reason, and a delay if coming back later may help."""
        status = status_pb2.Status(code=code_pb2.Code.Value(code.name), message=f"because of {reason}")
        if reason:
            status.details.add().Pack(error_details_pb2.ErrorInfo(reason=reason, domain="test"))
        if retry_seconds is not None:
            retry = error_details_pb2.RetryInfo()
            retry.retry_delay.FromNanoseconds(round(retry_seconds * 1e9))
            status.details.add().Pack(retry)
        await self._context.abort_with_status(rpc_status.to_status(status))


class ScriptedReferee(RefereeServiceServicer):
    """Plays one script after the other, one for each stream; the last one serves all further streams."""

    def __init__(self, *scripts: Script) -> None:
        self.streams: list[Stream] = []
        self.address = ""
        self._scripts = list(scripts)

    async def Play(self, _requests: object, context: Context) -> None:  # type: ignore[override]  # noqa: N802
        """Serve a stream."""
        first = await context.read()
        assert isinstance(first, pb.PlayRequest)
        assert first.HasField("hello")
        stream = Stream(context, first.hello)
        self.streams.append(stream)
        script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        await script(stream)


@asynccontextmanager
async def serving(*scripts: Script) -> AsyncIterator[ScriptedReferee]:
    """Serve *scripts* on a port of the system's choice."""
    referee = ScriptedReferee(*scripts)
    server = grpc.aio.server()
    add_RefereeServiceServicer_to_server(referee, server)  # type: ignore[no-untyped-call,unused-ignore]
    referee.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield referee
    finally:
        await server.stop(None)


def connection_to(address: str, new_session: Callable[[], Session], *, give_up_after: float = 0.0) -> Connection:
    """Return a connection that comes back fast."""
    return Connection(
        [Endpoint(address, "secret")],
        pb.Hello(protocol_version=1, instance="one"),
        new_session,
        give_up_after=give_up_after,
        back_off=BackOff(first=0.01, last=0.05),
    )
