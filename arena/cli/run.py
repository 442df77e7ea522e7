"""`arena run`: a whole tournament on this machine."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from arena.cli.errors import Misuse
from arena.cli.local.bots import read_bots
from arena.cli.local.layout import Layout, Settings
from arena.cli.local.playing import check_bots, play, resume_settings
from arena.cli.options import (
    AutoPlayForced,
    Bank,
    BoardsOption,
    Deals,
    Json,
    Limit,
    NoClock,
    Players,
    RevealOpponents,
    RuleOptions,
    Rules,
    Seed,
    Target,
    duration,
    path,
)
from arena.cli.spec import SpecOptions, TimeOptions, build_spec
from arena.cli.style import example_text, new_app

app = new_app()

PASSES = 10


@app.command(
    epilog=example_text(
        """
        arena run --bot ./mybot --bot ./mybot --bot 'python -m hearts_bot.bots.counter' --bot 'node bot.js'
        arena run --bot new=./mybot --bot old='git/v1/mybot --fast' --bot a=./other --bot b=./other --passes 50
        arena run --bot me=wait --bot 'python -m hearts_bot.bots.random' --bot ./b --bot ./c --no-clock
        arena run --bot ./a --bot ./b --bot ./c --bot ./d --seed 7 --boards balanced --json
        arena run --resume arena-run-20261130-221503
        """
    )
)
def run(
    *,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", metavar="[NAME=]CMD", help="A bot's command, or NAME=wait to start it by hand. Repeat."),
    ] = None,
    rules: Rules = "standard",
    players: Players = None,
    option: RuleOptions = None,
    deals: Deals = None,
    target: Target = None,
    boards: BoardsOption = None,
    passes: Annotated[
        int | None,
        typer.Option(
            "--passes", min=1, max=100_000, help="How often the schedule is played.", show_default=str(PASSES)
        ),
    ] = None,
    seed: Seed = None,
    limit: Limit = None,
    bank: Bank = None,
    no_clock: NoClock = False,
    concurrency: Annotated[
        int | None,
        typer.Option(
            "--concurrency", min=1, max=1_000_000, help="The most matches at once.", show_default="as many as fit"
        ),
    ] = None,
    auto_play_forced: AutoPlayForced = False,
    reveal_opponents: RevealOpponents = False,
    name: Annotated[str | None, typer.Option("--name", help="The tournament's name.", show_default="run")] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", parser=path, metavar="DIR", help="Where all goes.", show_default="arena-run-DATE-TIME"),
    ] = None,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", parser=path, metavar="DIR", help="Go on with the run in DIR; settings are its own."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The API's port; 0: any.")] = 0,
    referee_port: Annotated[
        int, typer.Option("--referee-port", min=0, max=65535, help="The port that bots connect to; 0: any.")
    ] = 0,
    start_timeout: Annotated[
        str | None, typer.Option("--start-timeout", metavar="TIME", help="For a bot to connect.", show_default="60s")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play a whole tournament on this machine, the bots being child processes.

    Each bot gets ARENA_ADDRESS and ARENA_TOKEN in its environment; without a NAME it is named after its command. What
    it prints is kept in DIR/bots. The end is a ranking, DIR/records.jsonl and DIR/standings.json. Ctrl-C stops cleanly
    and prints the command that goes on from there; finished matches are neither lost nor played again.
    """
    if resume is not None:
        given = (players, option, deals, target, boards, passes, seed, limit, bank, concurrency, name, out)
        if (
            any(value is not None for value in given)
            or rules != "standard"
            or any((no_clock, auto_play_forced, reveal_opponents))
        ):
            raise Misuse("--resume takes its settings from DIR; only --bot NAME=CMD, ports and --json go with it")
        layout = Layout(resume)
        settings = resume_settings(layout, bot or [], port, referee_port, start_timeout)
        play(layout, settings, as_json=as_json, fresh=False)
        return
    options = SpecOptions(
        "run" if name is None else name,
        rules,
        option or (),
        deals,
        target,
        boards,
        passes or PASSES,
        seed,
        concurrency,
        auto_play_forced=auto_play_forced,
        reveal_opponents=reveal_opponents,
        time=TimeOptions(limit, bank, no_clock),
        players=players,
    )
    spec, variant = build_spec(options)
    bots = read_bots(bot or [])
    check_bots(bots, variant, Path.cwd(), boards)
    timeout = 60.0 if start_timeout is None else duration(start_timeout, "--start-timeout")
    settings = Settings(spec, tuple(bots), Path.cwd(), port, referee_port, timeout)
    layout = Layout(out or Path(time.strftime("arena-run-%Y%m%d-%H%M%S")))
    play(layout, settings, as_json=as_json, fresh=True)
