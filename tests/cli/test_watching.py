"""Watching a tournament while its server comes and goes."""

from __future__ import annotations

from concurrent import futures
from typing import TYPE_CHECKING

import grpc
import pytest
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.tournaments import watching
from arena.storage.ports import StorageUnavailable, StorageUnfit
from arena.transport.status import status_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cli.calling import Caller


class Fickle:
    """An arena each of whose streams is told beforehand: a number of matches done, an error, or its end."""

    def __init__(self) -> None:
        self.streams: list[list[int | Exception]] = []
        self.asked = 0

    def watch(
        self, request: pb.WatchTournamentRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.WatchTournamentResponse]:
        """Tell what this stream is to tell; the last one is told again and again."""
        stream = self.streams[min(self.asked, len(self.streams) - 1)]
        self.asked += 1
        for told in stream:
            if isinstance(told, Exception):
                status = status_of(told)
                assert status is not None
                context.abort_with_status(status)
            else:
                state = pb.TOURNAMENT_STATE_FINISHED if told == 8 else pb.TOURNAMENT_STATE_RUNNING
                tournament = pb.Tournament(tournament=request.tournament, state=state, matches_done=told)
                yield pb.WatchTournamentResponse(tournament=tournament)


@pytest.fixture
def fickle(call: Caller, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Fickle]:
    """Serve such an arena where the command line looks for one, which looks again soon."""
    del call  # which empties the environment, before this fills it
    monkeypatch.setattr(watching, "RETRY_SECONDS", 0.01)
    arena = Fickle()
    server = grpc.server(futures.ThreadPoolExecutor(2))
    handler = grpc.unary_stream_rpc_method_handler(
        arena.watch,
        request_deserializer=pb.WatchTournamentRequest.FromString,
        response_serializer=pb.WatchTournamentResponse.SerializeToString,
    )
    server.add_generic_rpc_handlers(
        [grpc.method_handlers_generic_handler("hearts.v1.ArenaService", {"WatchTournament": handler})]
    )
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    (tmp_path / "token").write_text("arena_admin_x\n")
    monkeypatch.setenv("ARENA_SERVER", f"127.0.0.1:{port}")
    monkeypatch.setenv("ARENA_TOKEN_FILE", str(tmp_path / "token"))
    yield arena
    server.stop(None).wait()


AWAY = StorageUnavailable("Connection refused")


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_outages_are_sat_out(fickle: Fickle, call: Caller, options: tuple[str, ...]) -> None:
    """Storage that is away, and a server that stops, end the watching of nobody; each outage is told once."""
    fickle.streams = [[1, AWAY], [AWAY], [AWAY], [2], [], [3, 8]]
    called = call("tournament", "watch", "cup", *options)
    assert called.code == 0, called.err
    assert called.err.count("storage is away") == 1
    assert called.err.count("without a word") == 1
    assert called.err.count("watching goes on") == 2
    if options:
        assert [line.count('"matches_done": 8') for line in called.out.splitlines()] == [0, 0, 0, 1]
    else:
        assert "finished" in called.out


def test_patience_ends(fickle: Fickle, call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that does not come back is told of in the end."""
    monkeypatch.setattr(watching, "PATIENCE", 0.2)
    fickle.streams = [[1, AWAY], [AWAY]]
    called = call("tournament", "watch", "cup")
    assert called.code == 1
    assert fickle.asked > 3
    assert called.err.splitlines()[-1].startswith("arena: error: the arena's storage is away")


@pytest.mark.parametrize("streams", [[[AWAY]], [[1, StorageUnfit("no AOF")]], [[]]])
def test_what_is_not_sat_out(fickle: Fickle, call: Caller, streams: list[list[int | Exception]]) -> None:
    """A server that has told nothing yet, and one that will never do, are told of at once."""
    fickle.streams = list(streams)
    called = call("tournament", "watch", "cup")
    assert called.code == 1
    assert fickle.asked == 1
