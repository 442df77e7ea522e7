"""`arena chaos-bot`: a bot that misbehaves on purpose, for those who want to see their arena stand it."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from hearts_bot.conversation import Endpoint
from hearts_bot.secure import CannotRead, credentials, is_secure, secured

from arena.cli.chaosbot.plan import ANSWERS, KINDS, STATES, Plan
from arena.cli.errors import Misuse
from arena.cli.options import duration, path
from arena.cli.style import example_text, new_app

app = new_app()

Kind = StrEnum("Kind", {kind: kind for kind in KINDS})  # type: ignore[misc]  # the names are in the plan
State = StrEnum("State", {state: state for state in STATES})  # type: ignore[misc]

_TABLE = "\b\nKinds of fault:\n" + "\n".join(f"  {kind:16}{text}" for kind, text in KINDS.items())


@app.command(
    epilog=_TABLE
    + "\n\n"
    + example_text(
        """
        arena run --bot bad='arena chaos-bot --fault illegal' --bot ./mybot --bot ./mybot --bot ./mybot
        arena run --bot bad='arena chaos-bot --fault disconnect --at pass --times 3' --bot ./a --bot ./b --bot ./c
        ARENA_ADDRESS=127.0.0.1:7071 arena chaos-bot --fault slow --delay 3s --after 10 --token-file bot.token
        """
    )
)
def chaos_bot(
    *,
    fault: Annotated[Kind, typer.Option(metavar="KIND", help="What it does wrong; the list is below.")],
    at: Annotated[
        State | None,
        typer.Option(
            metavar="STATE", help=f"Where it does that: {', '.join(STATES)}.", show_default="at every decision"
        ),
    ] = None,
    after: Annotated[int, typer.Option(min=0, metavar="N", help="Behave so many times there first.")] = 0,
    times: Annotated[int, typer.Option(min=0, metavar="N", help="Misbehave so often, then behave; 0: for ever.")] = 0,
    delay: Annotated[str, typer.Option(metavar="TIME", help="How long, for slow, unread and fork.")] = "5s",
    seed: Annotated[int, typer.Option(metavar="S", help="Chooses cards and bytes where there is a choice.")] = 0,
    token_file: Annotated[
        Path | None, typer.Option("--token-file", parser=path, metavar="FILE", help="Instead of ARENA_TOKEN.")
    ] = None,
) -> None:
    """Play, and misbehave on purpose. Otherwise it plays what the referee would: the lowest legal card.

    It is a bot like any other: ARENA_ADDRESS and ARENA_TOKEN say where it plays, ARENA_INSTANCE which of several it is.
    It always comes back, at once, whatever it is told, until it is stopped by a signal.
    """
    state = at.value if at is not None else ""
    if fault.value in ANSWERS and state in ("hello", "welcome", "deal-end"):
        raise Misuse(f"--at {state}: nothing is to be answered there; choose among opened, pass, return, play, moon")
    if state == "opened" and fault.value in ANSWERS and fault.value != "silent":
        raise Misuse(f"--at opened: {fault.value} is about decisions; choose among pass, return, play, moon")
    plan = Plan(fault.value, state, after, times, duration(delay, "--delay"), seed)
    endpoints = _endpoints(token_file)
    with suppress(asyncio.CancelledError):
        asyncio.run(_play(endpoints, plan))


def _endpoints(token_file: Path | None) -> list[Endpoint]:
    try:
        token = token_file.read_text().strip() if token_file else os.environ.get("ARENA_TOKEN", "")
    except OSError as error:
        raise Misuse(f"--token-file {token_file}: {error.strerror}") from None
    given = os.environ.get("ARENA_ADDRESS", "")
    if not given or not token:
        raise Misuse("set ARENA_ADDRESS to the referee's host:port, and ARENA_TOKEN to the bot's token")
    addresses = [secured(address.strip(), os.environ) for address in given.split(",")]
    try:
        trust = credentials(os.environ) if any(map(is_secure, addresses)) else None
    except CannotRead as error:
        raise Misuse(str(error)) from None
    return [Endpoint(address, token, trust) for address in addresses]


async def _play(endpoints: list[Endpoint], plan: Plan) -> None:
    from arena.cli.chaosbot.bot import ChaosBot  # noqa: PLC0415 - gRPC is for those who play
    from arena.cli.chaosbot.relay import Relay  # noqa: PLC0415

    relay = None
    if plan.kind == "half":
        endpoint = endpoints[0]
        if is_secure(endpoint.address):
            raise Misuse("--fault half: cuts plain connections only, as those of arena run")
        host, _, port = endpoint.address.rpartition(":")
        relay = Relay(host.strip("[]"), int(port))
        endpoints = [Endpoint(await relay.start(), endpoint.token)]
    task = asyncio.current_task()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel if task else int)
    await ChaosBot(endpoints, os.environ.get("ARENA_INSTANCE", ""), plan, relay).run()
