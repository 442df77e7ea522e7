"""A bot as a program: arguments, environment, signals, exit codes."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import signal
import sys
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from types import FrameType
from typing import NoReturn

from hearts.v1 import referee_service_pb2 as pb

from hearts_bot.bot import Bot
from hearts_bot.connection import Connection
from hearts_bot.conversation import Endpoint
from hearts_bot.secure import CannotRead, credentials, is_secure, secured
from hearts_bot.session import Session
from hearts_bot.status import Ending
from hearts_bot.table import BotFailed

log = logging.getLogger("hearts_bot")

EPILOG = """\
environment:
  ARENA_ADDRESS    the referee, host:port, or tls://host:port; several with commas between: the first that is there
  ARENA_TOKEN      the bot's token; never given as an argument, because others can read those
  ARENA_CA_FILE    whom to trust, PEM, where the referee's certificate is signed by an authority of its own; encrypts
  ARENA_CLIENT_CERT, ARENA_CLIENT_KEY   the bot's own certificate, where the referee asks for one
  ARENA_INSTANCE   tells several processes of one bot apart; a second process with the same instance replaces the first

exit codes:
  0 stopped by a signal   1 the bot failed (--strict)   2 wrong usage   3 the token does not admit
  4 replaced by another process of the same bot and instance   5 refused for good   6 gave up (--give-up-after)
"""


class Exit(IntEnum):
    """What the exit code says."""

    STOPPED = 0
    BOT_FAILED = 1
    USAGE = 2
    UNAUTHENTICATED = 3
    REPLACED = 4
    REFUSED = 5
    GAVE_UP = 6


def run(bot: type[Bot], argv: Sequence[str] | None = None) -> NoReturn:
    """Play with *bot* until told to stop, and exit. *argv* is `sys.argv[1:]` unless given; `--help` tells the rest."""
    options = _parse(bot, argv)
    logging.basicConfig(
        level=logging.WARNING if options.quiet else logging.INFO,
        format="%(asctime)s %(levelname)s %(message)s",
        stream=sys.stderr,
    )
    sys.exit(asyncio.run(play(bot, options)))


async def play(bot: type[Bot], options: argparse.Namespace) -> Exit:
    """Play with *bot* until a signal or a final ending, and return the exit code."""
    stop = asyncio.Event()
    _stop_on_signals(stop)
    connection = Connection(
        [Endpoint(address, options.token, options.credentials) for address in options.addresses],
        _hello(bot, options),
        lambda: Session(bot, strict=options.strict),
        give_up_after=options.give_up_after,
    )
    try:
        ending = await connection.run(stop)
    except BotFailed as failure:
        log.critical("%s", failure, exc_info=failure.__cause__)
        return Exit.BOT_FAILED
    session = connection.session
    log.info("stopped after %d decisions in %d matches", session.decisions, session.matches)
    return Exit.STOPPED if ending is None else _judge(ending, options)


def _judge(ending: Ending, options: argparse.Namespace) -> Exit:
    if ending.replaced:
        log.critical(
            "another process of this bot with instance %r has taken over, so this one stops; "
            "give each process its own ARENA_INSTANCE to run several",
            options.instance,
        )
        return Exit.REPLACED
    if ending.unauthenticated:
        log.critical("the token does not admit this bot (%s): look at ARENA_TOKEN", ending)
        return Exit.UNAUTHENTICATED
    if ending.final:
        log.critical("refused for good: %s", ending)
        return Exit.REFUSED
    log.critical("gave up after %.0f s without a referee at %s: %s", options.give_up_after, options.address, ending)
    return Exit.GAVE_UP


def _hello(bot: type[Bot], options: argparse.Namespace) -> pb.Hello:
    hello = pb.Hello(
        protocol_version=1,
        bot_version=bot.version,
        instance=options.instance,
        max_tables=options.max_tables,
        max_open_decisions=options.max_open_decisions,
    )
    hello.capabilities.max_packs = bot.max_packs
    hello.capabilities.min_players = bot.min_players
    hello.capabilities.max_players = bot.max_players
    return hello


def _stop_on_signals(stop: asyncio.Event) -> None:
    """Set *stop* on the first SIGTERM or SIGINT; on the second exit at once, even out of a bot that thinks for ever."""
    loop = asyncio.get_running_loop()
    asked = False

    def on_signal(number: int, _frame: FrameType | None) -> None:
        nonlocal asked
        if asked:
            os._exit(128 + number)
        asked = True
        os.write(2, b"stopping; once more to stop at once\n")  # a log call could be inside another one
        loop.call_soon_threadsafe(stop.set)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, on_signal)


def _parse(bot: type[Bot], argv: Sequence[str] | None) -> argparse.Namespace:
    environment = os.environ
    parser = argparse.ArgumentParser(
        description=f"{bot.__name__}: {(bot.__doc__ or 'a bot for Hearts Arena').strip().splitlines()[0]}",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--address", default=environment.get("ARENA_ADDRESS", ""), help="instead of ARENA_ADDRESS")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="read the token here instead of ARENA_TOKEN")
    parser.add_argument("--instance", default=environment.get("ARENA_INSTANCE", ""), help="instead of ARENA_INSTANCE")
    parser.add_argument("--max-tables", type=int, default=bot.max_tables, metavar="N", help="tables at once")
    parser.add_argument(
        "--max-open-decisions", type=int, default=bot.max_open_decisions, metavar="N", help="decisions open at once"
    )
    parser.add_argument(
        "--strict", action="store_true", help="stop when the bot fails or answers something illegal, to debug it"
    )
    parser.add_argument(
        "--give-up-after", type=float, default=0.0, metavar="SECONDS", help="stop when no referee is there for so long"
    )
    parser.add_argument("--quiet", action="store_true", help="say only what went wrong")
    options = parser.parse_args(argv)
    try:
        token = options.token_file.read_text().strip() if options.token_file else environment.get("ARENA_TOKEN", "")
    except OSError as error:
        parser.error(f"the token file cannot be read: {error}")
    if not options.address:
        parser.error("no referee given: set ARENA_ADDRESS to host:port, or use --address")
    if not token:
        parser.error("no token given: set ARENA_TOKEN, or use --token-file")
    if min(options.max_tables, options.max_open_decisions) < 0 or options.give_up_after < 0:
        parser.error("--max-tables, --max-open-decisions and --give-up-after cannot be negative")
    options.token = token
    options.addresses = [secured(address.strip(), environment) for address in options.address.split(",")]
    try:
        options.credentials = credentials(environment) if any(map(is_secure, options.addresses)) else None
    except CannotRead as error:
        parser.error(str(error))
    return options
