"""`hearts.v1.ArenaService`: reads a request, calls one use case, writes the response. It decides nothing.

Errors are raised and become statuses in the interceptor. Each change that was made is one line of the log, with the id
of the token that asked for it.
"""

# ruff: noqa: N802 - the contract names the methods

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

import grpc
import structlog
from hearts.v1 import arena_service_pb2 as pb
from hearts.v1.arena_service_pb2_grpc import ArenaServiceServicer

from arena.service.access import Caller
from arena.service.entries import Entries
from arena.service.faults import Faults
from arena.service.news import News
from arena.service.paging import next_token, page_of, window_of
from arena.service.people import People
from arena.service.records import OVER
from arena.service.tournaments import TournamentService
from arena.service.views import Views
from arena.storage.ports import TournamentRow
from arena.transport.convert import (
    CHANGES,
    ROLES,
    bot_to_wire,
    entrant_to_wire,
    fault_to_wire,
    known,
    match_to_wire,
    owner_to_wire,
    ranking_to_wire,
    spec_from_wire,
    token_to_wire,
    tournament_to_wire,
)
from arena.transport.guarding import while_good

Context = grpc.aio.ServicerContext[Any, Any]

PROTOCOL_VERSION: Final = 1
WATCH_DEFAULT: Final = 500
WATCH_BOUNDS: Final = (50, 60_000)
"""Milliseconds between two messages of a watch: the default, and what is made of smaller and larger wishes."""

LOOK_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class UseCases:
    """All that the servicer calls."""

    people: People
    tournaments: TournamentService
    entries: Entries
    views: Views
    faults: Faults
    news: News
    version: str


class ArenaServicer(ArenaServiceServicer):
    """Serves the use cases. Method names and order are those of the contract."""

    def __init__(self, use_cases: UseCases) -> None:
        self._people = use_cases.people
        self._tournaments = use_cases.tournaments
        self._entries = use_cases.entries
        self._views = use_cases.views
        self._faults = use_cases.faults
        self._news = use_cases.news
        self._version = use_cases.version
        self._log = structlog.get_logger("changes")

    def _changed(self, event: str, caller: Caller, **what: str) -> None:
        """Log a change that *caller* has made."""
        self._log.info(event, by=caller.token, by_role=caller.role.value, **what)

    async def _caller(self, context: Context) -> Caller:
        """Return who calls; raise `NotAuthenticated` if that cannot be said."""
        metadata = context.invocation_metadata() or ()
        values = [str(value) for name, value in metadata if name == "authorization"]
        kind, _, secret = values[0].strip().partition(" ") if values else ("", "", "")
        return await self._people.authenticate(secret.strip() if kind.lower() == "bearer" else "")

    async def GetServer(self, request: pb.GetServerRequest, context: Context) -> pb.GetServerResponse:
        """Tell who answers."""
        return pb.GetServerResponse(
            version=self._version,
            protocol_version=PROTOCOL_VERSION,
            referee_addresses=await self._views.addresses(),
        )

    # --- people

    async def CreateOwner(self, request: pb.CreateOwnerRequest, context: Context) -> pb.CreateOwnerResponse:
        """Register an owner."""
        caller = await self._caller(context)
        owner = await self._people.create_owner(caller, request.name)
        self._changed("owner_created", caller, owner=owner.id, name=owner.name)
        return pb.CreateOwnerResponse(owner=owner_to_wire(owner))

    async def ListOwners(self, request: pb.ListOwnersRequest, context: Context) -> pb.ListOwnersResponse:
        """List owners."""
        owners = await self._people.owners(await self._caller(context))
        page = page_of(owners, request.page_size, request.page_token)
        return pb.ListOwnersResponse(owners=map(owner_to_wire, page.items), next_page_token=page.next_token)

    async def CreateBot(self, request: pb.CreateBotRequest, context: Context) -> pb.CreateBotResponse:
        """Register a bot."""
        caller = await self._caller(context)
        bot = await self._people.create_bot(caller, request.owner, request.name)
        self._changed("bot_created", caller, bot=bot.id, name=bot.name, owner=bot.owner)
        return pb.CreateBotResponse(bot=bot_to_wire(bot, 0))

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """List bots."""
        bots = await self._people.bots(await self._caller(context), request.owner)
        page = page_of(bots, request.page_size, request.page_token)
        sessions = await self._views.present()
        return pb.ListBotsResponse(
            bots=[bot_to_wire(bot, sessions.get(bot.id, 0)) for bot in page.items], next_page_token=page.next_token
        )

    async def CreateToken(self, request: pb.CreateTokenRequest, context: Context) -> pb.CreateTokenResponse:
        """Issue a token."""
        caller = await self._caller(context)
        role = known("role", request.role, ROLES, pb.Role.DESCRIPTOR)
        token, secret = await self._people.create_token(
            caller, role, request.subject, request.lifetime_seconds, request.label
        )
        self._changed("token_issued", caller, token=token.id, token_role=role.value, subject=token.subject)
        return pb.CreateTokenResponse(token=token_to_wire(token), secret=secret)

    async def ListTokens(self, request: pb.ListTokensRequest, context: Context) -> pb.ListTokensResponse:
        """List tokens."""
        tokens = await self._people.tokens(await self._caller(context), request.subject)
        page = page_of(tokens, request.page_size, request.page_token)
        return pb.ListTokensResponse(tokens=map(token_to_wire, page.items), next_page_token=page.next_token)

    async def RevokeToken(self, request: pb.RevokeTokenRequest, context: Context) -> pb.RevokeTokenResponse:
        """Revoke a token."""
        caller = await self._caller(context)
        await self._people.revoke_token(caller, request.token)
        self._changed("token_revoked", caller, token=request.token)
        return pb.RevokeTokenResponse()

    # --- tournaments

    async def CreateTournament(
        self, request: pb.CreateTournamentRequest, context: Context
    ) -> pb.CreateTournamentResponse:
        """Create a tournament."""
        caller = await self._caller(context)
        row = await self._tournaments.create(caller, spec_from_wire(request.spec))
        self._changed("tournament_created", caller, tournament=row.id, name=row.name)
        return pb.CreateTournamentResponse(tournament=await self._tournament(row))

    async def EnterBot(self, request: pb.EnterBotRequest, context: Context) -> pb.EnterBotResponse:
        """Enter a bot."""
        caller = await self._caller(context)
        entrant = await self._entries.enter(caller, request.tournament, request.bot)
        self._changed("bot_entered", caller, tournament=request.tournament, bot=entrant.bot)
        present = entrant.bot in await self._views.present()
        return pb.EnterBotResponse(entrant=entrant_to_wire(entrant, present=present))

    async def WithdrawBot(self, request: pb.WithdrawBotRequest, context: Context) -> pb.WithdrawBotResponse:
        """Withdraw a bot."""
        caller = await self._caller(context)
        await self._entries.withdraw(caller, request.tournament, request.bot)
        self._changed("bot_withdrawn", caller, tournament=request.tournament, bot=request.bot)
        return pb.WithdrawBotResponse()

    async def ChangeTournament(
        self, request: pb.ChangeTournamentRequest, context: Context
    ) -> pb.ChangeTournamentResponse:
        """Move a tournament to another state."""
        caller = await self._caller(context)
        change = known("change", request.change, CHANGES, pb.TournamentChange.DESCRIPTOR)
        row = await self._tournaments.change(caller, request.tournament, change)
        self._changed("tournament_changed", caller, tournament=row.id, name=row.name, change=change.value)
        return pb.ChangeTournamentResponse(tournament=await self._tournament(row))

    async def DeleteTournament(
        self, request: pb.DeleteTournamentRequest, context: Context
    ) -> pb.DeleteTournamentResponse:
        """Delete a tournament."""
        caller = await self._caller(context)
        await self._tournaments.delete(caller, request.tournament)
        self._changed("tournament_deleted", caller, tournament=request.tournament)
        return pb.DeleteTournamentResponse()

    async def GetTournament(self, request: pb.GetTournamentRequest, context: Context) -> pb.GetTournamentResponse:
        """Return one tournament."""
        row = await self._row(request.tournament, context)
        return pb.GetTournamentResponse(tournament=await self._tournament(row))

    async def ListTournaments(self, request: pb.ListTournamentsRequest, context: Context) -> pb.ListTournamentsResponse:
        """List tournaments."""
        rows = await self._tournaments.list(await self._caller(context))
        page = page_of(rows, request.page_size, request.page_token)
        tournaments = map(tournament_to_wire, await self._views.tournaments(page.items))
        return pb.ListTournamentsResponse(tournaments=tournaments, next_page_token=page.next_token)

    async def WatchTournament(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncIterator[pb.WatchTournamentResponse]:
        """Send the tournament now and whenever it changes, until it is over."""
        async for response in while_good(self._watch(request, context), lambda: self._caller(context)):
            yield response

    async def _watch(
        self, request: pb.WatchTournamentRequest, context: Context
    ) -> AsyncGenerator[pb.WatchTournamentResponse, None]:
        least, most = WATCH_BOUNDS
        interval = min(max(request.interval_millis or WATCH_DEFAULT, least), most) / 1000
        last: pb.WatchTournamentResponse | None = None
        while not context.done():  # a cancellation can get lost on its way through storage
            wait = self._news.watch()
            row = await self._row(request.tournament, context)
            over = row.state in OVER
            view = await self._views.tournament(row)
            ranking = await self._views.ranking(row, recent=not over)
            message = pb.WatchTournamentResponse(
                tournament=tournament_to_wire(view), standings=ranking_to_wire(view, ranking)
            )
            if message != last:
                last = message
                yield message
            if over:
                return
            await asyncio.sleep(interval)
            await wait(LOOK_SECONDS)

    # --- results

    async def GetStandings(self, request: pb.GetStandingsRequest, context: Context) -> pb.GetStandingsResponse:
        """Return the standings."""
        row = await self._row(request.tournament, context)
        view = await self._views.tournament(row)
        return pb.GetStandingsResponse(standings=ranking_to_wire(view, await self._views.ranking(row)))

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        """List matches."""
        row = await self._row(request.tournament, context)
        start, count = window_of(request.page_size, request.page_token)
        matches, total = await self._views.matches(row, start, count)
        return pb.ListMatchesResponse(
            matches=map(match_to_wire, matches), next_page_token=next_token(start + count, total)
        )

    async def ListRecords(
        self, request: pb.ListRecordsRequest, context: Context
    ) -> AsyncIterator[pb.ListRecordsResponse]:
        """Send the released records."""
        async for response in while_good(self._records(request, context), lambda: self._caller(context)):
            yield response

    async def _records(
        self, request: pb.ListRecordsRequest, context: Context
    ) -> AsyncGenerator[pb.ListRecordsResponse, None]:
        row = await self._row(request.tournament, context)
        async for number, record in self._views.records(row, request.matches):
            yield pb.ListRecordsResponse(match=number, record=record)

    async def ListFaults(self, request: pb.ListFaultsRequest, context: Context) -> AsyncIterator[pb.ListFaultsResponse]:
        """Send faults."""
        async for response in while_good(self._found_faults(request, context), lambda: self._caller(context)):
            yield response

    async def _found_faults(
        self, request: pb.ListFaultsRequest, context: Context
    ) -> AsyncGenerator[pb.ListFaultsResponse, None]:
        caller = await self._caller(context)
        async for found in self._faults.of(caller, request.tournament, request.bot):
            yield pb.ListFaultsResponse(fault=fault_to_wire(found))

    async def _row(self, tournament: str, context: Context) -> TournamentRow:
        return await self._tournaments.get(await self._caller(context), tournament)

    async def _tournament(self, row: TournamentRow) -> pb.Tournament:
        return tournament_to_wire(await self._views.tournament(row))
