"""The API over real gRPC: a whole tournament, tokens, roles, pages, watching."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest
from hearts.v1 import arena_service_pb2 as pb
from structlog.testing import capture_logs

from arena.service.access import ROLES as ALLOWED
from arena.service.access import Action
from arena.storage.ports import Role, TokenId
from tests.service.builders import ADMIN
from tests.transport.arena_client import METHODS, REQUESTS, Arena, reason

OK = grpc.StatusCode.OK
ACTIONS = {
    "CreateOwner": Action.CREATE_OWNER,
    "ListOwners": Action.LIST_OWNERS,
    "CreateBot": Action.CREATE_BOT,
    "ListBots": Action.LIST_BOTS,
    "CreateToken": Action.CREATE_TOKEN,
    "ListTokens": Action.LIST_TOKENS,
    "RevokeToken": Action.REVOKE_TOKEN,
    "CreateTournament": Action.CREATE_TOURNAMENT,
    "EnterBot": Action.ENTER_BOT,
    "WithdrawBot": Action.WITHDRAW_BOT,
    "ChangeTournament": Action.CHANGE_TOURNAMENT,
    "DeleteTournament": Action.DELETE_TOURNAMENT,
    "GetTournament": Action.READ,
    "ListTournaments": Action.READ,
    "WatchTournament": Action.READ,
    "GetStandings": Action.READ,
    "ListMatches": Action.READ,
    "ListRecords": Action.READ,
    "ListFaults": Action.READ_FAULTS,
}
SPEC = pb.TournamentSpec(name="cup", deals=2, boards=pb.BOARDS_ROTATIONS, seed="7", passes=2)


async def running(arena: Arena) -> str:
    """Create a tournament of four bots over the wire, start it, and return its id."""
    tournament = (await arena.call("CreateTournament", pb.CreateTournamentRequest(spec=SPEC)))[0].tournament
    for bot in await arena.world.bots(4, "bob"):
        await arena.call("EnterBot", pb.EnterBotRequest(tournament="cup", bot=bot.id))
    start = pb.ChangeTournamentRequest(tournament="cup", change=pb.TOURNAMENT_CHANGE_START)
    started = (await arena.call("ChangeTournament", start))[0].tournament
    assert (started.state, started.matches_total) == (pb.TOURNAMENT_STATE_RUNNING, 8)
    await arena.world.attend(await arena.world.storage.tournaments.tournament("cup"))
    ident: str = tournament.tournament
    return ident


async def play(arena: Arena, ident: str, *, all_of_it: bool = True) -> None:
    """Play what is in line, and what follows from it."""
    row = await arena.world.storage.tournaments.tournament(ident)
    while True:
        arena.world.monotonic += 2
        await arena.world.control.scheduler.look()
        keys = await arena.world.in_line(row)
        await arena.world.play(keys)
        if not keys or not all_of_it:
            return


async def test_a_tournament_over_the_wire(arena: Arena) -> None:
    """From creation to records, everything can be done and seen through the API."""
    ident = await running(arena)
    await play(arena, ident)
    tournament = (await arena.call("GetTournament", pb.GetTournamentRequest(tournament="cup")))[0].tournament
    assert tournament.state == pb.TOURNAMENT_STATE_FINISHED
    assert (tournament.matches_done, tournament.deals_done, tournament.revealed_round) == (8, 16, 2)
    assert tournament.rules.deals == 2
    assert tournament.spec.passes == 2
    assert tournament.spec.clock.decision_millis == 2000
    assert tournament.HasField("end_time")
    assert len(tournament.revealed_secret) == 64
    assert all(entrant.present for entrant in tournament.entrants)
    standings = (await arena.call("GetStandings", pb.GetStandingsRequest(tournament="cup")))[0].standings
    assert (len(standings.rows), standings.blocks_used, standings.blocks_total) == (4, 2, 2)
    assert {row.bot for row in standings.rows} == {entrant.bot for entrant in tournament.entrants}
    matches = (await arena.call("ListMatches", pb.ListMatchesRequest(tournament="cup", page_size=5)))[0]
    assert [match.number for match in matches.matches] == list(range(5))
    assert matches.matches[0].termination == "deals"
    assert matches.matches[0].released
    token = matches.next_page_token
    rest = (await arena.call("ListMatches", pb.ListMatchesRequest(tournament="cup", page_token=token)))[0]
    assert ([match.number for match in rest.matches], rest.next_page_token) == ([5, 6, 7], "")
    records = await arena.call("ListRecords", pb.ListRecordsRequest(tournament="cup"))
    assert [record.match for record in records] == list(range(8))
    await arena.call("DeleteTournament", pb.DeleteTournamentRequest(tournament="cup"))
    listed = await arena.call("ListTournaments", pb.ListTournamentsRequest())
    assert len(listed[0].tournaments) == 0


async def test_people_over_the_wire(arena: Arena) -> None:
    """Owners, bots and tokens are registered, listed and revoked; a secret is shown once."""
    owner = (await arena.call("CreateOwner", pb.CreateOwnerRequest(name="carol")))[0].owner
    assert owner.HasField("create_time")
    bot = (await arena.call("CreateBot", pb.CreateBotRequest(owner=owner.owner, name="x")))[0].bot
    made = (
        await arena.call(
            "CreateToken",
            pb.CreateTokenRequest(role=pb.ROLE_OWNER, subject=owner.owner, lifetime_seconds=60, label="l"),
        )
    )[0]
    assert made.token.expire_time.seconds - made.token.create_time.seconds == 60
    bots = (await arena.call("ListBots", pb.ListBotsRequest(), made.secret))[0].bots
    assert [each.bot for each in bots] == [bot.bot]
    tokens = (await arena.call("ListTokens", pb.ListTokensRequest(subject=owner.owner)))[0].tokens
    assert [token.label for token in tokens] == ["l"]
    await arena.call("RevokeToken", pb.RevokeTokenRequest(token=made.token.token))
    refused = await arena.status("ListBots", pb.ListBotsRequest(), made.secret)
    assert refused == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_REVOKED")
    owners = (await arena.call("ListOwners", pb.ListOwnersRequest(page_size=1)))[0]
    assert [each.name for each in owners.owners] == ["alice"]
    assert owners.next_page_token


async def test_changes_are_logged_with_who_made_them(arena: Arena) -> None:
    """Each change is a line with the id of the token that asked for it; what was refused or only read is none."""
    admin = (await arena.world.control.use_cases.people.authenticate(arena.secrets[Role.ADMIN])).token
    with capture_logs() as lines:
        owner = (await arena.call("CreateOwner", pb.CreateOwnerRequest(name="carol")))[0].owner
        bot = (await arena.call("CreateBot", pb.CreateBotRequest(owner=owner.owner, name="x")))[0].bot
        token = pb.CreateTokenRequest(role=pb.ROLE_BOT, subject=bot.bot)
        made = (await arena.call("CreateToken", token))[0]
        await arena.call("CreateTournament", pb.CreateTournamentRequest(spec=SPEC))
        entry = {"tournament": "cup", "bot": bot.bot}
        await arena.call("EnterBot", pb.EnterBotRequest(**entry))
        await arena.call("WithdrawBot", pb.WithdrawBotRequest(**entry))
        for change in (pb.TOURNAMENT_CHANGE_OPEN, pb.TOURNAMENT_CHANGE_CANCEL):
            await arena.call("ChangeTournament", pb.ChangeTournamentRequest(tournament="cup", change=change))
        await arena.call("DeleteTournament", pb.DeleteTournamentRequest(tournament="cup"))
        await arena.call("RevokeToken", pb.RevokeTokenRequest(token=made.token.token))
        await arena.call("ListTokens", pb.ListTokensRequest())
        await arena.status("CreateOwner", pb.CreateOwnerRequest(name="dave"), arena.secrets[Role.READER])
    assert [line["event"] for line in lines] == [
        "owner_created",
        "bot_created",
        "token_issued",
        "tournament_created",
        "bot_entered",
        "bot_withdrawn",
        "tournament_changed",
        "tournament_changed",
        "tournament_deleted",
        "token_revoked",
    ]
    assert {(line["by"], line["by_role"]) for line in lines} == {(admin, "admin")}
    assert made.secret not in str(lines)


@pytest.mark.parametrize("method", sorted(REQUESTS))
async def test_nothing_without_a_token(arena: Arena, method: str) -> None:
    """Every call but GetServer is refused without a token, and with one that is unknown."""
    for secret, missing in (("", "TOKEN_MISSING"), ("arena_admin_no", "TOKEN_UNKNOWN")):
        status = await arena.status(method, REQUESTS[method](), secret)
        assert status == ((OK, "") if method == "GetServer" else (grpc.StatusCode.UNAUTHENTICATED, missing))


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("method", sorted(ACTIONS))
async def test_roles(arena: Arena, method: str, role: Role) -> None:
    """A role that does not suffice is refused as such; one that does gets as far as its empty request."""
    request = REQUESTS[method]()
    if isinstance(request, pb.CreateTokenRequest):
        request.role = pb.ROLE_READER
    if isinstance(request, pb.ChangeTournamentRequest):
        request.change = pb.TOURNAMENT_CHANGE_OPEN
    code, told = await arena.status(method, request, arena.secrets[role])
    denied = (code, told) == (grpc.StatusCode.PERMISSION_DENIED, "ROLE_INSUFFICIENT")
    owners_reader = (method, role) == ("CreateToken", Role.OWNER)  # its own bots' tokens it may issue, this it may not
    assert denied == (role not in ALLOWED[ACTIONS[method]] or owners_reader)
    assert code is not grpc.StatusCode.INTERNAL


def test_every_method_has_an_action() -> None:
    """The table of roles names every method but GetServer."""
    assert set(ACTIONS) | {"GetServer"} == {method.name for method in METHODS}


async def test_faults_over_the_wire(arena: Arena) -> None:
    """What bots did wrong can be read, and of one bot alone."""
    ident = await running(arena)
    row = await arena.world.storage.tournaments.tournament(ident)
    await arena.world.control.scheduler.look()
    (key, *_) = await arena.world.in_line(row)
    await arena.world.play([key], faulted=(True, False, False, True))
    found = [item.fault for item in await arena.call("ListFaults", pb.ListFaultsRequest(tournament="cup"))]
    assert len(found) == 12
    first = found[0]
    assert (first.kind, first.decision, first.play, first.expected) == ("timeout", "play", 1, "QS 2C")
    bot = row.entrants[first.entrant].bot
    of_one = [item.fault for item in await arena.call("ListFaults", pb.ListFaultsRequest(tournament="cup", bot=bot))]
    assert of_one == [fault for fault in found if fault.entrant == first.entrant]


async def test_the_token_comes_as_a_bearer(arena: Arena) -> None:
    """Only `authorization: Bearer TOKEN` counts, the word in any case."""
    secret = arena.secrets[Role.READER]
    for value, code in (
        (f"bearer  {secret} ", OK),
        (secret, grpc.StatusCode.UNAUTHENTICATED),
        (f"Basic {secret}", grpc.StatusCode.UNAUTHENTICATED),
        ("", grpc.StatusCode.UNAUTHENTICATED),
    ):
        call = arena.stub.ListTournaments(pb.ListTournamentsRequest(), metadata=(("authorization", value),))
        assert await call.code() is code


async def test_watching(arena: Arena) -> None:
    """A watcher gets the tournament now, again when it changes, and the end."""
    ident = await running(arena)
    listening = asyncio.create_task(arena.world.control.news.run())
    request = pb.WatchTournamentRequest(tournament="cup", interval_millis=50)
    metadata = (("authorization", f"Bearer {arena.secrets[Role.READER]}"),)
    watch = arena.stub.WatchTournament(request, metadata=metadata, timeout=20)
    first = await watch.read()
    assert (first.tournament.state, first.tournament.matches_done) == (pb.TOURNAMENT_STATE_RUNNING, 0)
    await play(arena, ident, all_of_it=False)
    second = await watch.read()
    assert second.tournament.matches_done == 2
    await play(arena, ident)
    last = second
    while (news := await watch.read()) is not grpc.aio.EOF:
        last = news
    assert last.tournament.state == pb.TOURNAMENT_STATE_FINISHED
    assert last.standings.blocks_used == 2
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)


@pytest.mark.parametrize("how", ["TOKEN_REVOKED", "TOKEN_EXPIRED"])
async def test_a_watch_ends_with_its_token(how: str, arena: Arena) -> None:
    """A token that is revoked or expires ends what is being watched with it within seconds, also while nothing comes.

    What is watched with another token of the same role goes on.
    """
    await running(arena)
    asked = pb.CreateTokenRequest(role=pb.ROLE_READER, lifetime_seconds=60)
    made = (await arena.call("CreateToken", asked))[0]
    request = pb.WatchTournamentRequest(tournament="cup", interval_millis=60_000)

    def watching(secret: str) -> Any:  # noqa: ANN401 - a call
        return arena.stub.WatchTournament(request, metadata=(("authorization", f"Bearer {secret}"),), timeout=20)

    watch, other = watching(made.secret), watching(arena.secrets[Role.READER])
    await watch.read()
    await other.read()
    if how == "TOKEN_EXPIRED":
        arena.world.epoch += 61
    else:
        await arena.world.control.use_cases.people.revoke_token(ADMIN, TokenId(made.token.token))
    with pytest.raises(grpc.aio.AioRpcError) as ended:
        await asyncio.wait_for(watch.read(), 5)
    assert (ended.value.code(), reason(ended.value)) == (grpc.StatusCode.UNAUTHENTICATED, how)
    assert not other.done()
    other.cancel()


async def test_the_server_tells_where_bots_connect(arena: Arena) -> None:
    """GetServer names the protocol and the live referees, without a token."""
    await running(arena)
    told = (await arena.call("GetServer", pb.GetServerRequest(), ""))[0]
    assert (told.protocol_version, list(told.referee_addresses)) == (1, ["127.0.0.1:1"])
    assert told.version


async def test_a_seed_is_told_when_its_cards_are_played(arena: Arena) -> None:
    """Nobody reads a stated seed before the tournament is over, for who knows it knows the cards; then all may."""
    ident = await running(arena)

    async def told() -> str:
        asked = pb.GetTournamentRequest(tournament="cup")
        one = (await arena.call("GetTournament", asked, arena.secrets[Role.READER]))[0].tournament
        (listed,) = (await arena.call("ListTournaments", pb.ListTournamentsRequest()))[0].tournaments
        assert one.spec.seed == listed.spec.seed
        return str(one.spec.seed)

    assert await told() == ""
    await play(arena, ident)
    assert await told() == SPEC.seed
