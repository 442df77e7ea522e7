"""The gRPC server of the API: `ArenaService`, health and reflection."""

from __future__ import annotations

from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.arena_service_pb2_grpc import add_ArenaServiceServicer_to_server

from arena.transport.interceptor import EdgeTally, StatusInterceptor
from arena.transport.servicer import ArenaServicer, UseCases
from referee.transport.doors import Doors, StreamLimits
from referee.transport.gate import Gate
from referee.transport.server import CONNECTIONS, listen
from referee.transport.tls import Certificates

SERVICE: Final = pb.DESCRIPTOR.services_by_name["ArenaService"].full_name
MAX_MESSAGE_BYTES: Final = 1 << 20
CALLS: Final = StreamLimits(streams=2_000, per_address=500, waiting=200)
"""How many calls may be open: in all, of one address, and of one address without their message."""

OPTIONS: Final = (
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    ("grpc.max_send_message_length", 64 << 20),  # a page of tournaments with hundreds of entrants each
    *CONNECTIONS,
)


class ApiServer:
    """A server that listens on `port`."""

    def __init__(self, server: grpc.aio.Server, status: health.aio.HealthServicer, port: int) -> None:
        self._server = server
        self._status = status
        self.port = port

    async def stop(self, grace: float) -> None:
        """Take no more calls, and end those that still run after *grace* seconds."""
        await self._status.enter_graceful_shutdown()
        await self._server.stop(grace)


async def serve(
    use_cases: UseCases,
    tally: EdgeTally,
    host: str,
    port: int,
    certificates: Certificates | None = None,
    limits: StreamLimits = CALLS,
) -> ApiServer:
    """Listen on *host* and *port* (0: any free one), encrypted if there are *certificates*, or raise `CannotListen`."""
    gate = Gate({SERVICE: Doors(limits)}, tally.refused)
    server = grpc.aio.server(interceptors=[gate, StatusInterceptor(SERVICE, tally)], options=OPTIONS)
    add_ArenaServiceServicer_to_server(ArenaServicer(use_cases), server)
    status = health.aio.HealthServicer()
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    for name in ("", SERVICE):
        await status.set(name, health_pb2.HealthCheckResponse.SERVING)
    reflection.enable_server_reflection((SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    bound = listen(server, host, port, certificates)
    await server.start()
    return ApiServer(server, status, bound)
