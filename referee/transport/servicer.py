"""The Play stream: it moves frames between a bot and its session, and knows neither rules nor tables.

A stream has two tasks for its whole life, one that reads and one that writes; none is made for a message.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from time import monotonic
from traceback import format_exception
from typing import Final, NoReturn, TypeVar

import grpc
import structlog
from google.protobuf.message import DecodeError
from hearts.v1 import referee_service_pb2 as pb

from referee.host import attendance, conduct
from referee.host.faults import Fault
from referee.host.hall import PROTOCOL_VERSION, Hall, SessionRefused
from referee.host.ports import AdmissionUnavailable, NotAdmitted
from referee.host.session import FRAME_ITEMS, End, Session
from referee.transport.convert import MalformedFrame, add_closing, add_opened, add_updates, greeting_from_wire
from referee.transport.doors import Doors, StreamLimits, address_of
from referee.transport.errors import status_with
from referee.transport.reasons import RETRY_SECONDS, code_of

MAX_MESSAGE_BYTES: Final = StreamLimits().message_bytes
HELLO_SECONDS: Final = 10.0
GRPC_TIMES: Final = 4  # beyond so many times the limit gRPC itself ends the stream, without a reason
MALFORMED: Final = pb.PlayRequest()
OVERSIZED: Final = pb.PlayRequest()
EOF: Final[object] = grpc.aio.EOF  # typed as object, so that a request may be compared with it

_T = TypeVar("_T")
Context = grpc.aio.ServicerContext[pb.PlayRequest, bytes]


def parse_request(data: bytes, most: int = MAX_MESSAGE_BYTES) -> pb.PlayRequest:
    """Return the request in *data*, or `MALFORMED` or `OVERSIZED`: an exception here would be our own towards gRPC."""
    if len(data) > most:
        return OVERSIZED
    try:
        return pb.PlayRequest.FromString(data)
    except DecodeError:
        return MALFORMED


class _Wanted:
    """An event for one waiter that clears itself, for half the price of `asyncio.Event`: each frame waits for it."""

    __slots__ = ("_future", "_loop", "_set")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[None] | None = None
        self._set = False

    def set(self) -> None:
        """Let the waiter go on, now or when it comes."""
        self._set = True
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    async def wait(self) -> None:
        """Wait for `set`."""
        if not self._set:
            self._future = self._loop.create_future()
            await self._future
        self._set = False


class RefereeServicer:
    """Serves `RefereeService` out of a hall."""

    def __init__(self, hall: Hall, limits: StreamLimits | None = None) -> None:
        self._hall = hall
        self._limits = limits or StreamLimits()
        self._doors = Doors(self._limits)
        self._log = structlog.get_logger("referee")

    async def play(self, _requests: object, context: Context) -> None:
        """Serve one bot until either side goes away."""
        session: Session | None = None
        address = address_of(context.peer())
        try:
            with self._doors.stream(address):
                with self._doors.waiting(address):
                    session = await self._admit(context)
                await self._play(session, context)
        except AdmissionUnavailable as error:
            await _abort(context, "STORAGE_UNAVAILABLE", str(error))
        except SessionRefused as error:
            await _abort(context, error.reason, str(error), error.retry)
        except (NotAdmitted, MalformedFrame) as error:
            await _abort(context, error.reason, str(error))
        except (grpc.aio.AbortError, asyncio.CancelledError):
            raise
        except grpc.aio.BaseError:
            pass  # the stream broke under a write; there is nobody left to tell
        except Exception as error:
            text = "".join(format_exception(error))
            self._log.error("stream_broke", bot=session.bot if session else None, exception=text)
            await _abort(context, "INTERNAL", "the referee failed; the fault is ours")
        finally:
            if session is not None:
                self._hall.left(session)

    async def _play(self, session: Session, context: Context) -> None:
        welcome: pb.PlayResponse = self._welcome(session)
        await context.write(welcome.SerializeToString())
        end = await self._serve(session, context)
        if end is not None:
            await _abort(context, end.reason, end.text)

    async def _admit(self, context: Context) -> Session:
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                first = await context.read()
        except TimeoutError:
            raise MalformedFrame("HELLO_EXPECTED", f"no `hello` came within {HELLO_SECONDS:.0f} seconds") from None
        if first is EOF:
            raise MalformedFrame("HELLO_EXPECTED", "the stream ended before `hello`")
        if wrong := self._wrong(first):
            raise MalformedFrame(*wrong)
        return await self._hall.admit(greeting_from_wire(first, PROTOCOL_VERSION))

    def _welcome(self, session: Session) -> pb.PlayResponse:
        return pb.PlayResponse(
            welcome=pb.Welcome(
                bot=session.bot,
                bot_name=session.name,
                session=session.id,
                max_tables=session.max_tables,
                max_open_decisions=session.max_open,
                max_message_bytes=self._limits.message_bytes,
                heartbeat_millis=round(self._hall.config.heartbeat * 1000),
                reconnect_grace_millis=round(self._hall.config.reconnect_grace * 1000),
            )
        )

    async def _serve(self, session: Session, context: Context) -> End | None:
        """Move frames until the bot goes (None), or the session is ended by us."""
        reader = asyncio.create_task(self._read(session, context))
        writer = asyncio.create_task(self._write(session, context))
        session.cut = reader.cancel
        try:
            done, _ = await asyncio.wait((reader, writer), return_when=asyncio.FIRST_COMPLETED)
            if session.end is None:
                for task in done:
                    task.result()
            return session.end
        finally:
            reader.cancel()
            writer.cancel()
            await asyncio.gather(reader, writer, return_exceptions=True)

    async def _read(self, session: Session, context: Context) -> None:
        hall, now = self._hall, self._hall.clock.now
        while True:
            request = await context.read()
            if request is EOF or session.end is not None:
                return
            wrong = self._wrong(request)
            if request.HasField("hello"):
                wrong = "HELLO_TWICE", "only the first request may hold `hello`"
            if wrong is not None:
                conduct.end_at_fault(hall, session, End(*wrong), Fault.PROTOCOL, came=wrong[1])
                return
            hall.flusher.hear()
            try:
                self._apply(session, request, now())
            finally:
                due = hall.flusher.heard()
            if due is not None:
                await due.send()
            if session.wasted:
                conduct.check_waste(hall, session, now())

    def _apply(self, session: Session, request: pb.PlayRequest, now: float) -> None:
        if request.actions:
            session.receive(request.actions, now)
        else:
            session.frames += 1
            session.wasted += not (request.ready or request.leaves)
        seats = session.seats
        for ready in request.ready:
            if (seat := seats.get(ready.seat)) is not None and attendance.ready(seat):
                session.answered(now)
            else:
                session.wasted += 1
        for leave in request.leaves:
            if (seat := seats.get(leave.seat)) is None or not attendance.leave(seat):
                session.wasted += 1
        if session.outbox and session.has_something:
            self._hall.flusher.touch(
                session
            )  # answers made room for decisions that had to wait, or end the holding back

    def _wrong(self, request: pb.PlayRequest) -> tuple[str, str] | None:
        """Return the reason and the text of what is wrong with the form of a *request*."""
        if request is MALFORMED:
            return "NOT_A_REQUEST", "the bytes are not a PlayRequest"
        if request is OVERSIZED:
            most = self._limits.message_bytes
            return "MESSAGE_TOO_LARGE", f"a message has at most {most} bytes: send smaller frames"
        return None

    async def _write(self, session: Session, context: Context) -> None:
        wanted = _Wanted()
        session.wake = wanted.set
        session.send = partial(self._send_for_other, session, context)
        wanted.set()  # something may have come about before the writer was there
        while session.end is None:
            await wanted.wait()
            if session.writing_since != 0.0:
                continue  # `send` is at it for somebody else, and sets `wanted` again if there is more
            if session.has_something and session.end is None:
                await self._send(session, context)
            else:
                session.dirty_since = 0.0  # what is there waits for room: it is touched again when there is some

    async def _send(self, session: Session, context: Context) -> None:
        """Write one frame of what waits for *session*."""
        frame = self._frame(session, self._hall.clock.now())
        data: bytes = frame.SerializeToString()
        session.unread += len(data)
        self._hall.flusher.sent(session, monotonic())
        try:
            await context.write(data)
        finally:
            session.writing_since = 0.0

    async def _send_for_other(self, session: Session, context: Context) -> None:
        """Write a frame for *session* on behalf of another one's reader, which its breaking must not touch."""
        try:
            if session.end is None and session.has_something:
                with contextlib.suppress(grpc.aio.BaseError, asyncio.InvalidStateError):
                    await self._send(session, context)
        finally:  # also when that reader is cancelled: what came meanwhile is the writer's again
            if session.has_something:
                session.wake()
            else:
                session.dirty_since = 0.0  # what is there waits for room

    def _frame(self, session: Session, now: float) -> pb.PlayResponse:
        frame = pb.PlayResponse()
        session.beat = False
        if session.opened:
            for seat, again in _some(session.opened):
                add_opened(frame, seat, again=again)
        if not session.opened:  # else updates of seats that are still to be opened might be among them
            if session.outbox:
                add_updates(frame, session.take(now))
            if session.closings:
                for closing in session.take_closings():
                    add_closing(frame, closing)
        if session.refusals or session.notes or session.invitations or session.draining is not None:
            _add_rarities(frame, session)
        return frame


def _add_rarities(frame: pb.PlayResponse, session: Session) -> None:
    """Add what most frames do not have."""
    for refusal in _some(session.refusals):
        frame.rejections.add(
            seat=refusal.handle,
            decision=refusal.number,
            reason=refusal.reason,
            text=refusal.text,
            rule=refusal.rule,
        )
    for note in _some(session.notes):
        frame.notices.add(code=note.code, text=note.text, seat=note.handle)
    if session.invitations:
        invitation = session.invitations.popleft()  # one a frame
        frame.invite.address, frame.invite.ticket = invitation.address, invitation.ticket
    if session.draining is not None:
        frame.draining.remaining_millis = round(session.draining * 1000)
        session.draining = None


def _some(items: list[_T]) -> list[_T]:
    """Take as many of *items* as go into a frame, so that no frame is larger than a message may be."""
    some = items[:FRAME_ITEMS]
    del items[:FRAME_ITEMS]
    return some


async def _abort(context: Context, reason: str, text: str, retry: float | None = None) -> NoReturn:
    seconds = RETRY_SECONDS.get(reason) if retry is None else retry
    await context.abort_with_status(status_with(code_of(reason), reason, text, seconds))
    raise AssertionError("an aborted call raises")
