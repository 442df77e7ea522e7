"""The one place where errors of a call become its status, and calls are counted.

Servicers raise; nothing in them knows of statuses. What is not in the map is a fault of ours: it is logged with its
traceback, counted, and told to nobody. Bytes that are no message are the caller's fault, not ours, which gRPC would
have it otherwise.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

import grpc
import structlog

from arena.transport.status import internal, malformed, status_of

Context = grpc.aio.ServicerContext[Any, Any]
if TYPE_CHECKING:  # generic for the checker only
    Continuation = Callable[[grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]]

_MALFORMED: Final = object()


class EdgeTally:
    """Calls ended, by method and status code."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()

    def refused(self, method: str, code: str) -> None:
        """Count a call that was not let in."""
        self.calls[method, code] += 1


class StatusInterceptor(grpc.aio.ServerInterceptor):
    """Applies the map of statuses to every method of *service* (its full name)."""

    def __init__(self, service: str, tally: EdgeTally) -> None:
        self._prefix = f"/{service}/"
        self._tally = tally
        self._log = structlog.get_logger("api")

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Wrap the handler of a call."""
        handler = await continuation(handler_call_details)
        method = str(handler_call_details.method)
        if handler is None or not method.startswith(self._prefix):
            return handler
        name = method.removeprefix(self._prefix)
        make = (
            grpc.unary_stream_rpc_method_handler if handler.response_streaming else grpc.unary_unary_rpc_method_handler
        )
        behaviour = self._stream(handler, name) if handler.response_streaming else self._unary(handler, name)
        wrapped: grpc.RpcMethodHandler[Any, Any] = make(
            behaviour,
            request_deserializer=_lenient(handler.request_deserializer),
            response_serializer=handler.response_serializer,
        )
        return wrapped

    def _unary(self, handler: Any, name: str) -> Callable[[Any, Context], Awaitable[Any]]:  # noqa: ANN401
        async def call(request: Any, context: Context) -> Any:  # noqa: ANN401
            try:
                if request is _MALFORMED:
                    await self._end(context, name, malformed())
                response = await handler.unary_unary(request, context)
            except Exception as error:
                await self._fail(context, name, error)
            self._tally.calls[name, "OK"] += 1
            return response

        return call

    def _stream(self, handler: Any, name: str) -> Callable[[Any, Context], AsyncIterator[Any]]:  # noqa: ANN401
        async def call(request: Any, context: Context) -> AsyncIterator[Any]:  # noqa: ANN401
            try:
                if request is _MALFORMED:
                    await self._end(context, name, malformed())
                async for response in handler.unary_stream(request, context):
                    yield response
            except Exception as error:
                await self._fail(context, name, error)
            self._tally.calls[name, "OK"] += 1

        return call

    async def _fail(self, context: Context, name: str, error: Exception) -> NoReturn:
        """End a call because of *error*."""
        if isinstance(error, grpc.aio.AbortError | asyncio.CancelledError):
            raise error
        status = status_of(error)
        if status is None:
            self._log.error("call_broke", method=name, exc_info=error)
            status = internal()
        await self._end(context, name, status)

    async def _end(self, context: Context, name: str, status: grpc.Status) -> NoReturn:
        self._tally.calls[name, status.code.name] += 1
        await context.abort_with_status(status)
        raise AssertionError("abort raises")


def _lenient(parse: Callable[[bytes], Any] | None) -> Callable[[bytes], Any]:
    def parse_or_mark(data: bytes) -> Any:  # noqa: ANN401
        try:
            return data if parse is None else parse(data)
        except Exception:
            return _MALFORMED

    return parse_or_mark
