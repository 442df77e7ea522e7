"""The gate that every call passes which has no door of its own: whoever calls, calls are counted before they are heard.

gRPC lets in whatever opens a stream, and waits for its message without limit. So a call is counted by its address from
its first byte on, its message has to come soon, and health and reflection, which ask for no token, have few places of
their own: nobody's calls can take those of everybody else.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from contextlib import ExitStack, aclosing
from typing import TYPE_CHECKING, Any, Final, NoReturn

import grpc

from referee.host.hall import SessionRefused
from referee.transport.doors import Doors, StreamLimits, address_of
from referee.transport.errors import status_with
from referee.transport.reasons import code_of

Context = grpc.aio.ServicerContext[Any, Any]
if TYPE_CHECKING:  # generic for the checker only
    Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]]

REQUEST_SECONDS: Final = 10.0
NO_TOKEN: Final = StreamLimits(streams=256, per_address=32, waiting=32)
"""Calls of services that ask for no token."""


class Gate(grpc.aio.ServerInterceptor):
    """Counts the calls of *services*, by full name, at their doors; those with None have doors of their own.

    *refused* is told method and status code of what is not let in.
    """

    def __init__(
        self,
        services: Mapping[str, Doors | None],
        refused: Callable[[str, str], None] = lambda _method, _code: None,
        seconds: float = REQUEST_SECONDS,
    ) -> None:
        self._services = services
        self._others = Doors(NO_TOKEN)
        self._refused = refused
        self._seconds = seconds

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Put the gate before the handler of a call."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        doors = self._services.get(method.rpartition("/")[0].removeprefix("/"), self._others)
        if handler is None or doors is None:
            return handler
        # On the wire a single request is a stream of one, which can be waited for here.
        make = (
            grpc.stream_stream_rpc_method_handler
            if handler.response_streaming
            else grpc.stream_unary_rpc_method_handler
        )
        wrapped: grpc.RpcMethodHandler[Any, Any] = make(
            self._gated(handler, doors, method),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )
        return wrapped

    def _gated(self, handler: Any, doors: Doors, method: str) -> Callable[[Any, Context], Awaitable[Any]]:  # noqa: ANN401
        behaviour = handler.stream_stream or handler.stream_unary or handler.unary_stream or handler.unary_unary

        async def call(requests: Any, context: Context) -> Any:  # noqa: ANN401
            with ExitStack() as inside:
                address = address_of(context.peer())
                try:
                    inside.enter_context(doors.stream(address))
                    with doors.waiting(address):
                        given = requests if handler.request_streaming else await self._request(context, method)
                except SessionRefused as error:
                    await self._refuse(context, method, error.reason, str(error), error.retry)
                answer = behaviour(given, context)
                if not inspect.isasyncgen(answer):
                    return await answer
                async with aclosing(answer):
                    async for response in answer:
                        await context.write(response)
            return None

        return call

    async def _request(self, context: Context, method: str) -> Any:  # noqa: ANN401
        """Return the one message of a call."""
        try:
            async with asyncio.timeout(self._seconds):
                request: Any = await context.read()
        except TimeoutError:
            request = grpc.aio.EOF
        if request is grpc.aio.EOF:
            text = f"no message came within {self._seconds:.0f} seconds"
            await self._refuse(context, method, "REQUEST_EXPECTED", text)
        return request

    async def _refuse(
        self, context: Context, method: str, reason: str, text: str, retry: float | None = None
    ) -> NoReturn:
        code = code_of(reason)
        self._refused(method.rpartition("/")[2], code.name)
        await context.abort_with_status(status_with(code, reason, text, retry))
        raise AssertionError("an aborted call raises")
