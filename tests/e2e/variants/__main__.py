"""Plays every variant through the real service: `python -m tests.e2e.variants --out DIR [--share] [--at-once N]`.

Each of the 256 variants of four players, `classic` for 3 to 7, `cancellation` for 6 to 11 and the options that no
preset sets get a tournament of at least 48 deals: one real server, real bots in their own processes, and every record
is judged. Run again with the same DIR it goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from arena.cli.errors import Failure
from arena.cli.local.signals import Signals
from tests.e2e.variants.catalogue import EVERYTHING, SHARE, Entry
from tests.e2e.variants.judging import Verdict, judge
from tests.e2e.variants.playing import AT_ONCE, BOT, play, records_file


def main() -> int:
    """Play, judge, tell, and return the exit code: 0 if all is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="where all goes; a directory that is thrown away, unless given")
    parser.add_argument("--share", action="store_true", help="play only a small share that has every alternative")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, help="tournaments at the same time")
    parser.add_argument("--bot", action="append", help=f"a command for bots, {BOT!r} unless given; repeat")
    options = parser.parse_args()
    entries = SHARE if options.share else EVERYTHING
    try:
        if options.out is not None:
            return _run(options.out, entries, options.at_once, options.bot or [BOT])
        with tempfile.TemporaryDirectory(prefix="every-variant-") as out:
            return _run(Path(out), entries, options.at_once, options.bot or [BOT])
    except Failure as failure:
        again = f"; go on with --out {options.out}" if options.out is not None else ""
        sys.stderr.write(f"{str(failure) or 'stopped'}{again}\n")
        return failure.code


def _run(out: Path, entries: Sequence[Entry], at_once: int, bots: Sequence[str]) -> int:
    began = time.monotonic()
    total = Verdict()
    judged = 0

    def take(entry: Entry) -> None:
        nonlocal judged
        verdict = judge(records_file(out, entry), entry)
        total.add(verdict)
        judged += 1
        told = f"{len(verdict.problems)} PROBLEMS" if verdict.problems else "all right"
        sys.stdout.write(
            f"{judged}/{len(entries)} {time.monotonic() - began:.0f} s {entry.name}: "
            f"{verdict.records} records, {verdict.deals} deals, {told}\n"
        )
        sys.stdout.writelines(f"  {problem}\n" for problem in verdict.problems[:10])
        sys.stdout.flush()

    before = [entry for entry in entries if records_file(out, entry).exists()]
    for entry in before:
        take(entry)
    with Signals() as signals:
        for entry in play(out, entries, signals.look, at_once=at_once, commands=bots):
            take(entry)
    sys.stdout.write(
        f"{judged} tournaments ({len(before)} of them played before), {total.records} records, {total.deals} deals, "
        f"{sum(total.decisions.values())} decisions in {time.monotonic() - began:.0f} s\n"
        f"{', '.join(f'{count} {kind}' for kind, count in sorted(total.decisions.items()))}\n"
        f"{len(total.problems)} problems\n"
    )
    return 1 if total.problems else 0


if __name__ == "__main__":
    sys.exit(main())
