"""A referee over real gRPC on a free port, and a client that speaks to it frame by frame."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status
from hearts.v1 import referee_service_pb2 as pb

from referee.host.hall import Hall, HallConfig
from referee.host.metrics import HostMetrics
from referee.host.ports import Admission, BotId, BotIdentity, NotAdmitted
from referee.transport.doors import StreamLimits
from referee.transport.errors import reason_of
from referee.transport.server import RefereeServer, serve
from tests.host.world import Sink

PLAY = "/hearts.v1.RefereeService/Play"


class Door:
    """Admits every token that begins with `bot-`, as the bot of that name."""

    async def admit(self, token: str) -> BotIdentity:
        """Return the bot, or refuse."""
        if not token.startswith("bot-"):
            raise NotAdmitted("TOKEN_UNKNOWN" if token else "TOKEN_MISSING", "no such token: ask an organiser for one")
        return BotIdentity(BotId(token.removeprefix("bot-")), token)


class Referee:
    """A running referee."""

    def __init__(self, hall: Hall, sink: Sink, server: RefereeServer) -> None:
        self.hall = hall
        self.sink = sink
        self.server = server
        self.address = f"127.0.0.1:{server.port}"


@asynccontextmanager
async def running(
    config: HallConfig | None = None, door: Admission | None = None, streams: StreamLimits | None = None
) -> AsyncIterator[Referee]:
    """Run a referee on a free port of this machine."""
    sink = Sink()
    hall = Hall(door or Door(), sink, config or HallConfig(), HostMetrics())
    server = await serve(hall, "127.0.0.1", 0, limits=streams or StreamLimits())
    clock = asyncio.create_task(hall.run())
    try:
        yield Referee(hall, sink, server)
    finally:
        clock.cancel()
        with suppress(asyncio.CancelledError):
            await clock
        await server.stop(0.2)


def first(token: str, **fields: object) -> pb.PlayRequest:
    """Return a first request with a hello in it."""
    return pb.PlayRequest(hello=pb.Hello(**({"token": token, "protocol_version": 1} | fields)))  # type: ignore[arg-type]


def _bytes_of(request: pb.PlayRequest | bytes) -> bytes:
    return request if isinstance(request, bytes) else request.SerializeToString()


class Client:
    """One stream of raw frames."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.aio.insecure_channel(
            address, options=[("grpc.max_send_message_length", -1), ("grpc.use_local_subchannel_pool", 1)]
        )
        self.call: Any = self.channel.stream_stream(
            PLAY,
            request_serializer=_bytes_of,
            response_deserializer=pb.PlayResponse.FromString,
        )()
        self.hands: dict[int, list[int]] = {}
        self.opened: list[pb.SeatOpened] = []
        self.snapshots = 0
        self.closed: list[pb.SeatClosed] = []
        self.notices: list[pb.Notice] = []
        self.rejections: list[pb.Rejection] = []
        self.open: dict[int, int] = {}

    async def send(self, request: pb.PlayRequest | bytes) -> None:
        """Send one message; a stream that has ended says so when it is read."""
        with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError):
            await self.call.write(request)

    async def hello(self, token: str, **fields: object) -> pb.Welcome:
        """Say hello and return the welcome."""
        await self.send(first(token, **fields))
        frame = await self.read()
        assert frame.HasField("welcome")
        return frame.welcome

    async def read(self) -> pb.PlayResponse:
        """Return the next frame; the stream must not have ended."""
        async with asyncio.timeout(20):
            frame = await self.call.read()
        assert frame is not grpc.aio.EOF, await self.call.details()
        assert isinstance(frame, pb.PlayResponse)
        return frame

    async def ended(self) -> tuple[grpc.StatusCode, str, float | None]:
        """Read to the stream's end; return its code, its reason, and after how many seconds to come back."""
        async with asyncio.timeout(20):
            try:
                while await self.call.read() is not grpc.aio.EOF:
                    pass
            except grpc.aio.AioRpcError as error:
                return error.code(), reason_of(error), _retry(error)
            return await self.call.code(), "", None

    def answers_to(self, frame: pb.PlayResponse) -> pb.PlayRequest:
        """Return the frame that answers *frame*: seats are ready, the first legal cards are played."""
        request = pb.PlayRequest()
        for opened in frame.opened:
            self.opened.append(opened)
            request.ready.add(seat=opened.seat)
        for update in frame.updates:
            self.snapshots += update.snapshot
            if update.HasField("deal"):
                self.hands[update.seat] = list(update.deal.hand)
            if update.decision:
                self.open[update.seat] = update.decision
                action = request.actions.add(seat=update.seat, decision=update.decision)
                if update.kind == pb.DECISION_KIND_PASS:
                    action.cards.extend(self.hands[update.seat][:3])  # type: ignore[arg-type]
                elif update.kind == pb.DECISION_KIND_MOON:
                    action.moon = pb.MOON_EFFECT_OTHERS_PLUS
                else:
                    action.card = update.legal[0]
        self.closed.extend(frame.closed)
        self.notices.extend(frame.notices)
        self.rejections.extend(frame.rejections)
        return request

    async def play(self, until: Callable[[], bool]) -> None:
        """Play until *until* says that it is enough; it is asked after each frame."""
        while not until():
            request = self.answers_to(await self.read())
            if request.ByteSize():
                await self.send(request)

    async def play_out(self, matches: int = 1) -> None:
        """Play until so many matches are over."""
        await self.play(lambda: len(self.closed) >= matches)

    async def close(self) -> None:
        """Break the stream and the connection."""
        self.call.cancel()
        await self.channel.close()


def _retry(error: grpc.aio.AioRpcError) -> float | None:
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        info = error_details_pb2.RetryInfo()
        if detail.Is(info.DESCRIPTOR):
            detail.Unpack(info)
            return float(info.retry_delay.ToNanoseconds() / 1e9)
    return None


@asynccontextmanager
async def connected(referee: Referee, token: str = "", **fields: object) -> AsyncIterator[Client]:
    """Open a stream, and say hello if a *token* is given."""
    client = Client(referee.address)
    try:
        if token:
            await client.hello(token, **fields)
        yield client
    finally:
        await client.close()
