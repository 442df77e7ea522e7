"""Which tables a round robin plays in one pass, and in which rounds.

A round is a set of tables in which every entrant sits at most once.
When there are few possible tables (at most 70) a pass plays all of them.
Otherwise it plays a selection: as many full rounds as make the games of all entrants equal and let every pair meet
at least once on average, with those who have sat out least sitting out next, and tables chosen so that all pairs
meet about equally often. The choice is a fixed construction: a greedy start, then swaps while they help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from math import comb, gcd
from typing import Final

Table = tuple[int, ...]
Round = tuple[Table, ...]
# A table, a place at it, another group of the round and a place in that: who is there changes places.
_Swap = tuple[list[int], int, list[int], int]

ALL_TABLES: Final = 70
# How many swaps a selection considers: a fraction of a second.
_EFFORT: Final = 60_000


@cache
def rounds_of(entrants: int, players: int) -> tuple[Round, ...]:
    """Return the rounds of one pass: tables of *players* ascending entrant numbers out of 0..entrants-1."""
    if not 2 <= players <= entrants:
        raise ValueError(f"a table of {players} needs at least {players} entrants, not {entrants}")
    if comb(entrants, players) <= ALL_TABLES:
        return _all_tables(entrants, players)
    return _Selection(entrants, players).rounds()


def mixed(*numbers: int) -> int:
    """Return a fixed 32-bit number that looks random in *numbers*: it breaks ties without favouring low numbers."""
    value = 0x9E3779B9
    for number in numbers:
        value = (value ^ (number + 0x7F4A7C15)) * 0x85EBCA6B & 0xFFFFFFFF
        value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
        value ^= value >> 16
    return value


def _all_tables(entrants: int, players: int) -> tuple[Round, ...]:
    """Return every table once, packed into rounds of tables that share nobody."""
    left = list(combinations(range(entrants), players))
    seats = entrants // players
    games = [0] * entrants
    rounds: list[Round] = []
    while left:
        # Those who have played least go first, so that sitting out moves round.
        left.sort(key=lambda table: (sum(games[entrant] for entrant in table), mixed(*table)))
        chosen = _disjoint(left, seats)
        for table in chosen:
            left.remove(table)
            for entrant in table:
                games[entrant] += 1
        rounds.append(tuple(sorted(chosen)))
    return tuple(rounds)


def _disjoint(tables: Sequence[Table], wanted: int) -> list[Table]:
    """Return up to *wanted* tables that share nobody, the first table among them, as many as a short search finds."""
    best: list[Table] = []
    for chosen in _packings(tables, 0, [], wanted):
        if len(chosen) > len(best):
            best = chosen
        if len(best) == wanted:
            break
    return best


def _packings(tables: Sequence[Table], start: int, chosen: list[Table], wanted: int) -> Iterator[list[Table]]:
    """Yield ever more sets of disjoint *tables* that contain *chosen*, depth first."""
    if chosen:
        yield chosen
    if len(chosen) == wanted:
        return
    taken = {entrant for table in chosen for entrant in table}
    for index in range(start, len(tables) if chosen else start + 1):
        if taken.isdisjoint(tables[index]):
            yield from _packings(tables, index + 1, [*chosen, tables[index]], wanted)


def selected_rounds(entrants: int, players: int) -> int:
    """Return how many full rounds a selection has: games equal, and pairs meeting once or more on average."""
    playing = entrants // players * players
    step = entrants // gcd(entrants, playing)
    count = step
    # Meetings a pair: rounds * playing * (players - 1) / (entrants * (entrants - 1)).
    while count * playing * (players - 1) < entrants * (entrants - 1):
        count += step
    return count


class _Selection:
    """A balanced selection of tables while it is built.

    A round is a list of groups: its tables, and last the bench of those who sit out. What is minimised is the sum of
    squared meetings over pairs: two entrants at different tables of a round change places, or two of whom one sits out
    in one round and the other in another round, when that improves it, or in the beginning costs little (threshold
    accepting). Games stay equal throughout.
    """

    def __init__(self, entrants: int, players: int) -> None:
        self.entrants = entrants
        self.players = players
        self.tables = entrants // players
        self.games = [0] * entrants
        self.met = [[0] * entrants for _ in range(entrants)]

    def rounds(self) -> tuple[Round, ...]:
        """Return the finished selection, rounds ordered so that nobody is long ahead in games."""
        state = [self._greedy(number) for number in range(selected_rounds(self.entrants, self.players))]
        best = _frozen(state)
        if not self._at_optimum():
            best = self._improved(state, best)
        return self._ordered(best)

    def _greedy(self, number: int) -> list[list[int]]:
        """Return the groups of round *number*: those with fewest games, each next to whom he has met least."""
        order = sorted(range(self.entrants), key=lambda entrant: (self.games[entrant], mixed(number, entrant)))
        waiting, bench = order[: self.tables * self.players], order[self.tables * self.players :]
        groups: list[list[int]] = []
        for _ in range(self.tables):
            table = [waiting.pop(0)]
            while len(table) < self.players:
                meetings = [sum(self.met[entrant][other] ** 2 for other in table) for entrant in waiting]
                table.append(waiting.pop(meetings.index(min(meetings))))
            for one, other in combinations(table, 2):
                self.met[one][other] += 1
                self.met[other][one] += 1
            for entrant in table:
                self.games[entrant] += 1
            groups.append(table)
        return [*groups, bench]

    def _at_optimum(self) -> bool:
        meetings = [self.met[one][other] for one, other in combinations(range(self.entrants), 2)]
        return max(meetings) - min(meetings) <= 1

    def _improved(self, state: list[list[list[int]]], best: tuple[Round, ...]) -> tuple[Round, ...]:
        """Return the best selection that *_EFFORT* moves on *state* come across."""
        cost = lowest = 0
        for step in range(_EFFORT):
            word = mixed(self.entrants, self.players, step)
            groups = state[word % len(state)]
            word = mixed(word, 1)
            first = word % self.tables
            second = (first + 1 + (word >> 8) % self.tables) % (self.tables + 1)
            if not groups[second]:
                continue
            moves = [(groups[first], (word >> 16) % self.players, groups[second], (word >> 24) % len(groups[second]))]
            if second == self.tables:
                moves += self._return_of(moves[0], state, word)
                if len(moves) == 1:
                    continue
            gain = sum([self._swap(*move, benched=second == self.tables) for move in moves])
            if gain < -(2 * (_EFFORT - step) // _EFFORT):
                for move in reversed(moves):
                    self._swap(*move, benched=second == self.tables)
                continue
            cost -= gain
            if cost < lowest:
                lowest, best = cost, _frozen(state)
                if self._at_optimum():
                    break
        return best

    def _return_of(self, move: _Swap, state: Sequence[list[list[int]]], word: int) -> list[_Swap]:
        """Return the swap that gives the games of *move*, from table to bench, back in another round; or nothing."""
        table, i, bench, j = move
        benched, seated = table[i], bench[j]
        for number in range(len(state)):
            groups = state[(word + number) % len(state)]
            if groups[-1] is not bench and benched in groups[-1] and seated not in groups[-1]:
                other = next(group for group in groups if seated in group)
                return [(other, other.index(seated), groups[-1], groups[-1].index(benched))]
        return []

    def _swap(self, one: list[int], i: int, other: list[int], j: int, *, benched: bool) -> int:
        """Let one[i] and other[j] change places; return by how much half the cost fell. *benched*: other sits out."""
        here, there = one[i], other[j]
        gain = self._move(here, there, one)
        if not benched:
            gain += self._move(there, here, other)
        one[i], other[j] = there, here
        return gain

    def _move(self, out: int, into: int, table: Sequence[int]) -> int:
        """Replace entrant *out* of *table* by *into* in the meetings; return by how much half the cost fell."""
        met = self.met
        gain = 0
        for entrant in table:
            if entrant != out:
                gain += met[out][entrant] - met[into][entrant] - 1
                met[out][entrant] -= 1
                met[entrant][out] -= 1
                met[into][entrant] += 1
                met[entrant][into] += 1
        return gain

    def _ordered(self, rounds: tuple[Round, ...]) -> tuple[Round, ...]:
        """Return *rounds* in the order that keeps the games of all entrants closest, the first one first."""
        games = [0] * self.entrants
        left = list(rounds)
        ordered: list[Round] = []
        while left:
            most = max(games)
            # One entrant a game further behind counts as much as four others.
            urgency = [sum(4 ** (most - games[entrant]) for table in tables for entrant in table) for tables in left]
            chosen = left.pop(urgency.index(max(urgency)))
            for table in chosen:
                for entrant in table:
                    games[entrant] += 1
            ordered.append(chosen)
        return tuple(ordered)


def _frozen(state: Sequence[Sequence[Sequence[int]]]) -> tuple[Round, ...]:
    """Return the tables of *state* without the benches, sorted."""
    return tuple(tuple(sorted(tuple(sorted(table)) for table in groups[:-1])) for groups in state)
