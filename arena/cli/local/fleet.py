"""The bot processes of a local run: started, waited for, restarted when they die, given up when that does not help."""

from __future__ import annotations

import os
import shlex
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hearts_bot.secure import VARIABLES, is_secure

from arena.cli.errors import Failure
from arena.cli.files import write_atomically
from arena.cli.local.logs import CappedLog
from arena.cli.local.process import Child

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from arena.cli.local.bots import LocalBot
    from arena.cli.local.layout import Layout, Settings

RESTARTS: Final = 5
BACK_OFF: Final = 0.5
_LONG_LIFE: Final = 60.0
_STEP: Final = 0.05
_BY_HAND: Final = ("ARENA_ADDRESS", "ARENA_TOKEN", *VARIABLES)


@dataclass(slots=True)
class _Player:
    """A bot's process over all its lives. `retry_at` is set while it is dead and will be tried again."""

    bot: LocalBot
    log: CappedLog
    env: Mapping[str, str]
    child: Child | None = None
    deaths: int = 0
    restarts: int = 0
    retry_at: float | None = None
    given_up: bool = False


class Fleet:
    """All bot processes."""

    def __init__(
        self,
        layout: Layout,
        settings: Settings,
        address: str,
        tokens: Mapping[str, str],
        *,
        back_off: float = BACK_OFF,
    ) -> None:
        self._back_off: Final = back_off
        self._cwd: Final = settings.cwd
        self._timeout: Final = settings.start_timeout
        self._layout: Final = layout
        self._players: Final = {
            bot.name: _Player(bot, CappedLog(layout.bot_log(bot.name)), _environment(address, tokens[bot.name]))
            for bot in settings.bots
        }

    def start(self, note: Callable[[str], None]) -> None:
        """Start every process, and say how to start the bots that are started by hand."""
        for player in self._players.values():
            if player.bot.command is None:
                note(self._by_hand(player))
            else:
                self._spawn(player)

    def wait_present(self, present: Callable[[], set[str]], look: Callable[[], None]) -> None:
        """Wait until every bot has said hello; *present* returns those that are connected.

        Raises `Failure` if a process ends before, or does not connect in time; nobody waits for bots started by hand
        with a clock.
        """
        deadline = time.monotonic() + self._timeout
        missing = set(self._players)
        while missing:
            look()
            missing -= present()
            for name in missing:
                self._check_start(self._players[name], late=time.monotonic() > deadline)
            time.sleep(_STEP)

    def look_after(self) -> tuple[list[str], list[str]]:
        """Restart what died. Return new warnings, and the names of bots that are given up just now."""
        warnings: list[str] = []
        given_up: list[str] = []
        for name, player in self._players.items():
            if player.child is None or player.given_up:
                continue
            if player.retry_at is not None:
                if time.monotonic() >= player.retry_at:
                    player.retry_at = None
                    player.restarts += 1
                    self._spawn(player)
                continue
            code = player.child.poll()
            if code is None:
                continue
            warnings.append(self._died(player, code))
            if player.given_up:
                given_up.append(name)
        return warnings, given_up

    def remarks(self) -> dict[str, str]:
        """Return what is to be said of bots that are not simply running, by name."""
        remarks = {}
        for name, player in self._players.items():
            if player.given_up:
                remarks[name] = "given up"
            elif player.restarts:
                remarks[name] = f"restarted {player.restarts}x"
        return remarks

    @property
    def by_hand(self) -> list[str]:
        """The names of the bots that no process was started for: whoever started them stops them."""
        return [name for name, player in self._players.items() if player.bot.command is None]

    def stop(self) -> None:
        """End all processes, politely at first, and close the logs."""
        children = [player.child for player in self._players.values() if player.child is not None]
        for child in children:
            child.terminate()
        for child in children:
            child.close()
        for player in self._players.values():
            player.log.close()

    def _spawn(self, player: _Player) -> None:
        player.log.line(f"started: {player.bot.command}")
        player.child = Child(player.bot.argv(), player.log, env=player.env, cwd=self._cwd)

    def _by_hand(self, player: _Player) -> str:
        file = self._layout.bot_env(player.bot.name)
        text = "".join(f"{name}={shlex.quote(player.env[name])}\n" for name in _BY_HAND if name in player.env)
        write_atomically(file, text.encode(), mode=0o600)
        return (
            f"waiting for bot {player.bot.name!r}; start it by hand with\n"
            f"  (set -a; . {shlex.quote(str(file.resolve()))}; YOUR_BOT)"
        )

    def _check_start(self, player: _Player, *, late: bool) -> None:
        if player.child is None:
            return
        code = player.child.poll()
        if code is not None:
            raise Failure(
                f"bot {player.bot.name!r} ended before it connected, with exit code {code} ({player.bot.command})"
                + _quoted(player.log.last_lines(), player.log)
            )
        if late:
            raise Failure(
                f"bot {player.bot.name!r} has not connected within {self._timeout:g} s ({player.bot.command}); "
                "does it connect to ARENA_ADDRESS with ARENA_TOKEN? --start-timeout gives it longer"
                + _quoted(player.log.last_lines(), player.log)
            )

    def _died(self, player: _Player, code: int) -> str:
        assert player.child is not None  # noqa: S101 - only processes that were started die
        player.log.line(f"ended with exit code {code}")
        player.deaths = 1 if player.child.seconds > _LONG_LIFE else player.deaths + 1
        last = player.log.last_lines(1)
        told = f": {last[0].strip()}" if last else ""
        what = f"bot {player.bot.name!r} ended with exit code {code}{told}"
        if player.deaths > RESTARTS:
            player.given_up = True
            return f"{what}; it is withdrawn, substitutes play its remaining matches ({player.log.path})"
        delay = self._back_off * 2 ** (player.deaths - 1)
        player.retry_at = time.monotonic() + delay
        return f"{what}; starting it again in {delay:g} s"


def _environment(address: str, token: str) -> dict[str, str]:
    """Return a bot's environment: ours, without what would let it speak for the organiser."""
    foreign = ("ARENA_SERVER", "ARENA_TOKEN_FILE", *(() if is_secure(address) else VARIABLES))
    env = {
        name: value for name, value in os.environ.items() if name not in foreign and not name.startswith("ARENA_TLS_")
    }
    env.setdefault("PYTHONUNBUFFERED", "1")
    return env | {"ARENA_ADDRESS": address, "ARENA_TOKEN": token}


def _quoted(lines: Sequence[str], log: CappedLog) -> str:
    if not lines:
        return "; it printed nothing"
    return f"; the end of {log.path}:\n" + "\n".join(f"  | {line}" for line in lines)
