"""Schedules: every match of a tournament by number, computed when asked for.

A schedule is one template, the tables of a pass with a first seating each, and arithmetic: match number -> pass,
place in the pass, block, order of seats. So a schedule of millions of matches costs as much as one of ten.
In schedule order the matches of a block are contiguous, and blocks are numbered in that order from 0.

How a template is repeated depends on the boards:

* `single`: each match has its own board and is its own block.
* `boards`: all tables of a round play the same boards; the block is the round, and everybody sees a board once.
* `rotations`: a block is one table and one board, played in n seatings in which everybody holds every hand once. Later
  passes take the next set of n seatings, so that n-1 passes (ten for 6 players) are as balanced as `balanced`.
* `balanced`: a unit is n-1 blocks (ten for 6 players) of one table, each with its own board and set of seatings.

With `single` and `boards` each further pass puts every table into the next order of the same list of seatings, so that
n passes balance the seats of every table.
Where a pass plays only a selection of the possible tables, each further pass moves all entrants on by one number in the
selection instead: as many passes as entrants make seats equal and meetings nearly so. Then comes the next order.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from math import comb, lcm

from arena.schedule.balance import Balance, measure
from arena.schedule.round_robin import ALL_TABLES, rounds_of
from arena.schedule.seatings import MAX_PLAYERS, MIN_PLAYERS, boards_of, orders_of, seated
from arena.schedule.templates import first_seatings


class Boards(StrEnum):
    """How often a board is used, and by whom: see the module's docstring."""

    SINGLE = "single"
    BOARDS = "boards"
    ROTATIONS = "rotations"
    BALANCED = "balanced"


@dataclass(frozen=True, slots=True)
class Format:
    """What is scheduled: *kind* of tournament, *players* at a table, use of *boards*, *passes* over all tables."""

    kind: str = "round_robin"
    players: int = 4
    boards: Boards = Boards.BOARDS
    passes: int = 1


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """One match: who sits where and which deals are dealt.

    *number* is the place in schedule order from 0; *round*, *block* and *unit* count likewise over the whole schedule
    (*unit* differs from *block* in `balanced` only). Two matches with the same *board* play the same deals, which are
    numbered from *first_deal*. *seating* holds entrant numbers in seat order.
    """

    number: int
    round: int
    block: int
    unit: int
    board: str
    first_deal: int
    seating: tuple[int, ...]


class PlanError(ValueError):
    """A format that cannot be scheduled: *option* is what to change, *value* what it was."""

    def __init__(self, option: str, value: object, reason: str) -> None:
        super().__init__(f"{option} = {value}: {reason}")
        self.option = option
        self.value = value
        self.reason = reason


def check(wanted: Format, entrants: int, *, target: int | None = None) -> None:
    """Raise `PlanError` unless *wanted* can be scheduled for *entrants*; *target* is the target of a game, if any."""
    if wanted.kind != "round_robin":
        raise PlanError("kind", wanted.kind, "the only kind of format so far is round_robin")
    if not MIN_PLAYERS <= wanted.players <= MAX_PLAYERS:
        raise PlanError("players", wanted.players, f"a table seats {MIN_PLAYERS} to {MAX_PLAYERS}")
    if wanted.passes < 1:
        raise PlanError("passes", wanted.passes, "play at least one pass")
    if entrants < wanted.players:
        missing = wanted.players - entrants
        raise PlanError(
            "entrants", entrants, f"a table needs {wanted.players}: enter {missing} more, or choose smaller tables"
        )
    if target is not None and wanted.boards is not Boards.SINGLE:
        raise PlanError(
            "boards",
            wanted.boards.value,
            "games to a target end after different numbers of deals, so there are no boards to replay: "
            "choose boards = single, or a fixed number of deals",
        )


def check_worth(wanted: Format, entrants: int) -> None:
    """Raise `PlanError` if *wanted*, which can be scheduled for *entrants*, would not do what it is chosen for."""
    if wanted.boards is Boards.BOARDS and entrants < 2 * wanted.players:
        raise PlanError(
            "boards",
            wanted.boards.value,
            f"it compares the tables of a round, and {entrants} entrants fill one table of {wanted.players}: "
            f"choose rotations, balanced or single, or enter {2 * wanted.players - entrants} more",
        )


def plan(wanted: Format, entrants: int) -> Schedule:
    """Return the schedule of *wanted* for *entrants*, numbered 0..entrants-1; raise `PlanError` if there is none."""
    check(wanted, entrants)
    return Schedule(wanted, entrants)


class Schedule:
    """All matches of a tournament in order; a pure function of format and number of entrants. Made by `plan`."""

    def __init__(self, wanted: Format, entrants: int) -> None:
        self.format = wanted
        self.entrants = entrants
        rounds = rounds_of(entrants, wanted.players)
        self._tables = first_seatings(rounds, entrants)
        self._round_starts = [0]
        for tables in rounds:
            self._round_starts.append(self._round_starts[-1] + len(tables))
        self._shifted = comb(entrants, wanted.players) > ALL_TABLES
        self._orders = orders_of(wanted.players)
        sets = len(boards_of(wanted.players))
        # Seatings that one table has in one pass, and the blocks those make.
        self._seatings = {Boards.ROTATIONS: wanted.players, Boards.BALANCED: len(self._orders)}.get(wanted.boards, 1)
        self._blocks_of_table = sets if wanted.boards is Boards.BALANCED else 1
        self._pass_length = len(self._tables) * self._seatings
        self._pass_rounds = len(rounds)

    def __len__(self) -> int:
        """Return the number of matches."""
        return self._pass_length * self.format.passes

    def __iter__(self) -> Iterator[MatchPlan]:
        """Yield all matches in order, one at a time."""
        return (self.match(number) for number in range(len(self)))

    @property
    def rounds(self) -> int:
        """The number of rounds in all passes."""
        return self._pass_rounds * self.format.passes

    @property
    def blocks(self) -> int:
        """The number of blocks in all passes."""
        if self.format.boards is Boards.BOARDS:
            return self.rounds
        return len(self._tables) * self._blocks_of_table * self.format.passes

    def match(self, number: int) -> MatchPlan:
        """Return match *number*; raise `IndexError` when there is none."""
        if not 0 <= number < len(self):
            raise IndexError(f"match {number} is not in a schedule of {len(self)} matches")
        lap, place = divmod(number, self._pass_length)
        table, seating = divmod(place, self._seatings)
        within = bisect_right(self._round_starts, table) - 1
        round_ = lap * self._pass_rounds + within
        table_in_all = lap * len(self._tables) + table
        players = self.format.players
        turn = lap // self.entrants if self._shifted else lap
        match self.format.boards:
            case Boards.SINGLE:
                block = unit = table_in_all
                board, order = f"m{block}", turn
            case Boards.BOARDS:
                block = unit = round_
                board, order = f"r{block}", turn
            case Boards.ROTATIONS:
                block = unit = table_in_all
                board, order = f"b{block}", lap * players + seating
            case _:
                unit = table_in_all
                block = unit * self._blocks_of_table + seating // players
                board, order = f"b{block}", seating
        who = seated(self._tables[table], self._orders[order % len(self._orders)])
        if self._shifted and lap:
            who = tuple((entrant + lap) % self.entrants for entrant in who)
        return MatchPlan(number=number, round=round_, block=block, unit=unit, board=board, first_deal=1, seating=who)

    def matches_of_block(self, block: int) -> range:
        """Return the numbers of the matches of *block*; raise `IndexError` when there is none."""
        if not 0 <= block < self.blocks:
            raise IndexError(f"block {block} is not in a schedule of {self.blocks} blocks")
        if self.format.boards is Boards.BOARDS:
            lap, within = divmod(block, self._pass_rounds)
            start = lap * self._pass_length
            return range(start + self._round_starts[within], start + self._round_starts[within + 1])
        length = self._seatings // self._blocks_of_table
        return range(block * length, (block + 1) * length)

    def matches_of_unit(self, unit: int) -> range:
        """Return the numbers of the matches of *unit*: of a block, or with `balanced` of all blocks of one table."""
        first = self.matches_of_block(unit * self._blocks_of_table)
        return range(first.start, first.start + len(first) * self._blocks_of_table)

    def describe(self) -> Balance:
        """Return how balanced the whole schedule is; the work is bounded by the period of its pattern."""
        return self._balance

    @cached_property
    def _balance(self) -> Balance:
        laps = self.format.passes
        if not self._shifted:
            period = len(self._orders)
        elif self._seatings == 1:
            period = len(self._orders) * self.entrants
        else:
            period = lcm(len(boards_of(self.format.players)), self.entrants)
        cycles, rest = divmod(laps, period)
        seatings = (self.match(number).seating for number in range(min(laps, period) * self._pass_length))
        head = rest * self._pass_length
        return measure(
            seatings,
            weights=lambda index: cycles + (index < head) if cycles else 1,
            entrants=self.entrants,
            players=self.format.players,
            rounds=self.rounds,
            blocks=self.blocks,
        )
