"""`arena demo`: a whole tournament of six bots, and whether the better ones won."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from arena.cli.errors import FAILED
from arena.cli.local.bots import LocalBot
from arena.cli.local.layout import Layout, Settings
from arena.cli.local.playing import conduct, document, tell
from arena.cli.options import Json, path
from arena.cli.output import note, print_json, stdout, table
from arena.cli.spec import SpecOptions, build_spec
from arena.cli.style import example_text, new_app

if TYPE_CHECKING:
    from hearts.v1 import arena_service_pb2 as pb

    from arena.cli.plain import Plain

app = new_app()

KINDS: Final = ("counter", "cautious", "random")
_DEALS: Final = 6
_PASSES: Final = 2
_SECONDS: Final = 75.0


@app.command(epilog=example_text("arena demo\narena demo --json\narena demo --out demo && arena record check demo"))
def demo(
    *,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", parser=path, metavar="DIR", help="Where all goes.", show_default="a new directory in /tmp"
        ),
    ] = None,
    passes: Annotated[int, typer.Option(min=1, max=100_000, help="How often the schedule is played.")] = _PASSES,
    deals: Annotated[int, typer.Option(min=1, max=1000, help="Deals a match.")] = _DEALS,
    as_json: Json = False,
) -> None:
    """Play a tournament of six bots: two that count cards, two cautious ones, two that play at random.

    One of the random ones is JavaScript on Node, where Node and its gRPC package are installed. It takes less than two
    minutes. Exit code 0 if counting beats caution and caution beats chance, each by more than the intervals' width.
    """
    ends = time.monotonic() + _SECONDS
    spec, _ = build_spec(SpecOptions("demo", boards="balanced", deals=deals, passes=passes, seed="demo"))
    layout = Layout(out or Path(tempfile.mkdtemp(prefix="arena-demo-")))
    settings = Settings(spec, tuple(_bots()), Path.cwd())
    played = conduct(layout, settings, fresh=True, until=lambda _: time.monotonic() > ends)
    gaps = [_gap(played.standings, better, worse) for better, worse in pairwise(KINDS)]
    clear = all(gap[4] for gap in gaps)
    if as_json:
        keys = ("better", "worse", "gap", "interval", "clear")
        shown: list[Plain] = [dict(zip(keys, gap, strict=True)) for gap in gaps]
        print_json(document(layout, played) | {"gaps": shown, "clear": clear})
    else:
        tell(layout, played)
        _tell_gaps(gaps)
    if not clear:
        note("arena: error: not every gap is clear of its interval; play more with --passes")
        raise typer.Exit(FAILED)


def _bots() -> list[LocalBot]:
    bots = [LocalBot(f"{kind}-{number}", f"python -m hearts_bot.bots.{kind}") for kind in KINDS for number in (1, 2)]
    node = _node_bot()
    if node is None:
        note(
            "no Node with its gRPC package here: both random bots are Python (npm ci in sample_bots/node changes that)"
        )
    else:
        bots[-1] = LocalBot("random-node", node)
    return bots


def _node_bot() -> str | None:
    """Return the command of the JavaScript bot, if this machine can run it: it is in the repository, not installed."""
    folder = Path(__file__).resolve().parents[2] / "sample_bots" / "node"
    script = folder / "random.js"
    if shutil.which("node") is None or not script.exists() or not (folder / "node_modules" / "@grpc").exists():
        return None
    return f"node '{script}'" if sys.platform != "win32" else None


Gap = tuple[str, str, float, float, bool]


def _gap(standings: pb.Standings, better: str, worse: str) -> Gap:
    """Return by how much the weakest *better* bot leads the best *worse* one, with the sum of their intervals.

    The sum is the widest interval that their difference can have, so a gap that is clear of it is clear of the truth.
    """
    low = min((row for row in standings.rows if row.name.startswith(better)), key=lambda row: row.score)
    high = max((row for row in standings.rows if row.name.startswith(worse)), key=lambda row: row.score)
    gap = low.score - high.score
    known = low.interval >= 0 and high.interval >= 0
    width = low.interval + high.interval if known else -1.0
    return low.name, high.name, gap, width, known and gap > width


def _tell_gaps(gaps: list[Gap]) -> None:
    rows = [
        (
            f"{better} over {worse}",
            f"{gap:+.2f}",
            f"±{width:.2f}" if width >= 0 else "-",
            "clear" if clear else "NOT CLEAR",
        )
        for better, worse, gap, width, clear in gaps
    ]
    out = stdout()
    out.print()
    out.print(Text("the gaps, between the weakest of the one kind and the best of the other:"))
    out.print(table(("", "gap", "95 %", ""), rows, right=("gap", "95 %")))
