"""Registers a local run's owner, bots, tokens and tournament, once: a resumed run finds them as they are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import grpc
from hearts.v1 import arena_service_pb2 as pb

from arena.cli.client import Refused, all_bots, all_owners
from arena.cli.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from arena.cli.client import Api
    from arena.cli.local.layout import Layout, Settings

_OWNER: Final = "local"


def enrol(api: Api, layout: Layout, settings: Settings) -> tuple[dict[str, str], dict[str, str]]:
    """Return bot ids and token secrets by bot name, the tournament being there and the bots being entered."""
    owners = [owner.owner for owner in all_owners(api) if owner.name == _OWNER]
    owner = owners[0] if owners else api.ask(api.stub.CreateOwner, pb.CreateOwnerRequest(name=_OWNER)).owner.owner
    bots = {bot.name: bot.bot for bot in all_bots(api, owner)}
    for bot in settings.bots:
        if bot.name not in bots:
            request = pb.CreateBotRequest(owner=owner, name=bot.name)
            bots[bot.name] = api.ask(api.stub.CreateBot, request).bot.bot
    tokens = _tokens(api, layout.bots / "tokens.json", bots)
    tournament = _tournament(api, settings)
    if tournament.state in (pb.TOURNAMENT_STATE_DRAFT, pb.TOURNAMENT_STATE_OPEN):
        for bot in settings.bots:
            api.ask(api.stub.EnterBot, pb.EnterBotRequest(tournament=settings.spec.name, bot=bots[bot.name]))
    return bots, tokens


def get_tournament(api: Api, name: str) -> pb.Tournament:
    """Return the tournament as it stands."""
    return api.ask(api.stub.GetTournament, pb.GetTournamentRequest(tournament=name)).tournament


def _tournament(api: Api, settings: Settings) -> pb.Tournament:
    try:
        return get_tournament(api, settings.spec.name)
    except Refused as error:
        if error.status is not grpc.StatusCode.NOT_FOUND:
            raise
    return api.ask(api.stub.CreateTournament, pb.CreateTournamentRequest(spec=settings.spec)).tournament


def _tokens(api: Api, file: Path, bots: Mapping[str, str]) -> dict[str, str]:
    """Return the bots' tokens by name, those in *file* and new ones; the file is for nobody else's eyes.

    It goes by the bots' ids, so that a server that knows nothing of an earlier one's tokens is given none of them.
    """
    tokens = _known_tokens(file)
    missing = [bot for bot in bots.values() if bot not in tokens]
    for bot in missing:
        request = pb.CreateTokenRequest(role=pb.ROLE_BOT, subject=bot, label="arena run")
        tokens[bot] = api.ask(api.stub.CreateToken, request).secret
    if missing:
        write_atomically(file, json.dumps(tokens).encode(), mode=0o600)
    return {name: tokens[bot] for name, bot in bots.items()}


def _known_tokens(file: Path) -> dict[str, str]:
    """Return the tokens in *file*; none if it is damaged or not there, as others can be issued."""
    try:
        found = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError, RecursionError):
        return {}
    pairs = found.items() if isinstance(found, dict) else ()
    return {bot: secret for bot, secret in pairs if isinstance(secret, str)}
