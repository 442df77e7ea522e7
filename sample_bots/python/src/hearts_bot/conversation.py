"""One stream to a referee, from hello to its end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import grpc
import grpc.aio
from hearts.v1 import referee_service_pb2 as pb
from hearts.v1.referee_service_pb2_grpc import RefereeServiceStub

from hearts_bot.secure import TLS, is_secure
from hearts_bot.session import Session
from hearts_bot.status import Ending

SILENT_HEARTBEATS: Final = 3
FAREWELL_SECONDS: Final = 1.0

_Call = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to play: `host:port`, or `tls://host:port` for an encrypted stream."""

    address: str
    token: str = field(repr=False)
    credentials: grpc.ChannelCredentials | None = field(default=None, repr=False)
    """Whom to trust where the stream is encrypted; None: the system's authorities."""

    def channel(self) -> grpc.aio.Channel:
        """Return a new channel to it, which shares nothing with earlier ones: their back-off is not ours."""
        options: list[tuple[str, Any]] = [
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.initial_reconnect_backoff_ms", 200),
            ("grpc.keepalive_time_ms", 30_000),
            ("grpc.keepalive_timeout_ms", 15_000),
            ("grpc.http2.max_pings_without_data", 0),
        ]
        if is_secure(self.address):
            credentials = self.credentials or grpc.ssl_channel_credentials()
            return grpc.aio.secure_channel(self.address.removeprefix(TLS), credentials, options)
        return grpc.aio.insecure_channel(self.address, options)

    def invited(self, invite: pb.Invite) -> Endpoint:
        """Return where *invite* points: with its ticket, never the token, and encrypted if this endpoint is."""
        address = invite.address.removeprefix(TLS)
        tls = is_secure(self.address) or is_secure(invite.address)
        return Endpoint(TLS + address if tls else address, invite.ticket, self.credentials)


class Conversation:
    """Frames to and fro. `heard` is the loop's time when the referee was last heard, 0 if it never was."""

    def __init__(
        self, endpoint: Endpoint, hello: pb.Hello, session: Session, invited: Callable[[Endpoint], None]
    ) -> None:
        """Prepare to talk; *hello* is everything but the token, *invited* is told of other referees to visit."""
        self.heard = 0.0
        self._endpoint = endpoint
        self._hello = hello
        self._session = session
        self._invited = invited
        self._silence = 0.0
        self._fell_silent = False
        self._timer: asyncio.TimerHandle | None = None

    async def hold(self, stop: asyncio.Event) -> Ending | None:
        """Talk until the stream ends, and return how; or return None if *stop* ended it."""
        async with self._endpoint.channel() as channel:
            call: _Call = RefereeServiceStub(channel).Play()
            watch = asyncio.create_task(_part(call, stop))
            talk = asyncio.create_task(self._talk(call))
            try:
                await asyncio.wait((watch, talk), return_when=asyncio.FIRST_COMPLETED)
                if talk.done() and not talk.cancelled() and (failure := talk.exception()):
                    raise failure
                if stop.is_set():
                    return None
                if self._fell_silent:
                    return Ending(grpc.StatusCode.UNAVAILABLE, f"nothing heard for {self._silence:.1f} s")
                return Ending.read(await call.code(), await call.details(), await call.trailing_metadata() or ())
            finally:
                if self._timer is not None:
                    self._timer.cancel()
                watch.cancel()
                talk.cancel()
                call.cancel()
                await asyncio.gather(watch, talk, return_exceptions=True)

    async def _talk(self, call: _Call) -> None:
        """Exchange frames until the stream ends, for whatever reason: its status will tell."""
        now = asyncio.get_running_loop().time
        handle = self._session.handle
        hello = pb.Hello()
        hello.CopyFrom(self._hello)
        hello.token = self._endpoint.token
        try:
            await call.write(pb.PlayRequest(hello=hello))
            while True:
                response = await call.read()
                if not isinstance(response, pb.PlayResponse):
                    return
                for request in handle(response):
                    await call.write(request)
                self.heard = now()  # after the bot has thought: its own silence is not the referee's
                if response.HasField("welcome"):
                    self._watch_silence(call, response.welcome.heartbeat_millis)
                if response.HasField("invite"):
                    self._invited(self._endpoint.invited(response.invite))
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the latter: a write to a stream that has ended
            return
        except asyncio.CancelledError:
            if not self._fell_silent:
                raise

    def _watch_silence(self, call: _Call, heartbeat_millis: int) -> None:
        """Cancel *call* when three heartbeats are missing."""
        if not heartbeat_millis or self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        beat = heartbeat_millis / 1000
        self._silence = beat * SILENT_HEARTBEATS

        def look() -> None:
            if loop.time() - self.heard > self._silence:
                self._fell_silent = True
                call.cancel()
            else:
                self._timer = loop.call_later(beat, look)

        self._timer = loop.call_later(beat, look)


async def _part(call: _Call, stop: asyncio.Event) -> None:
    """Say farewell when *stop* is set: close our side, and give the referee a moment to close its own."""
    await stop.wait()
    try:
        await asyncio.wait_for(call.done_writing(), FAREWELL_SECONDS)
        await asyncio.wait_for(call.code(), FAREWELL_SECONDS)
    except (TimeoutError, grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return
