"""Blocks as observations: what a block says about the entrants in it, gathered by pattern.

An observation is one entrant's mean score in one block. Its expectation is the entrant's strength minus the mean
strength of his opponents, each opponent weighing as much as the two met in the block, plus the effects of the hands
he held where the block's board was played by several.
Blocks with the same tables and seats have the same *pattern*, and share its design matrix.

Hand effects are removed, not estimated: everything in the pattern that a seat effect could explain is projected out
of scores and design alike, which gives the same strengths as estimating the effects would. Where everybody held every
hand equally often there is nothing to remove.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from arena.ratings.scores import MatchScore

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The blocks of one pattern, with hand effects projected out of *design* and *scores*.

    *entrants* are the k in it, ascending; *design* is k by the number of strengths; *scores* and *penalties* have one
    row a block and k columns.
    """

    entrants: tuple[int, ...]
    design: Array
    scores: Array
    penalties: Array


def gather(blocks: Sequence[Sequence[MatchScore]], entrants: int) -> tuple[Pattern, ...]:
    """Return *blocks* by pattern, for entrants 0..entrants-1, in an order that depends on the blocks' order alone."""
    groups: dict[tuple[tuple[tuple[int, ...], int], ...], list[Sequence[MatchScore]]] = {}
    for block in blocks:
        groups.setdefault(tuple((match.seating, match.units) for match in block), []).append(block)
    return tuple(_pattern(alike, entrants) for alike in groups.values())


def _pattern(blocks: Sequence[Sequence[MatchScore]], entrants: int) -> Pattern:
    first = blocks[0]
    here = sorted({entrant for match in first for entrant in match.seating})
    row_of = {entrant: row for row, entrant in enumerate(here)}
    seats = len(first[0].seating)
    units = np.zeros(len(here))
    design = np.zeros((len(here), entrants))
    held = np.zeros((len(here), seats))
    for match in first:
        for seat, entrant in enumerate(match.seating):
            row = row_of[entrant]
            units[row] += match.units
            held[row, seat] += match.units
            for opponent in match.seating:
                design[row, opponent] += match.units * (1.0 if opponent == entrant else -1.0 / (seats - 1))
    design /= units[:, None]
    below = units * first[0].denominator
    sums = np.zeros((len(blocks), len(here)))
    lost = np.zeros((len(blocks), len(here)))
    for number, block in enumerate(blocks):
        for match in block:
            for entrant, score, penalty in zip(match.seating, match.scores, match.penalties, strict=True):
                sums[number, row_of[entrant]] += score
                lost[number, row_of[entrant]] += penalty
    scores = sums / below
    if len(first) > 1:
        removed = _projection(held / units[:, None] - 1.0 / seats)
        scores, design = scores @ removed, removed @ design
    return Pattern(tuple(here), design, scores, lost / below)


def _projection(effects: Array) -> Array:
    """Return the symmetric matrix that removes the columns of *effects* from what it multiplies."""
    left, sizes, _ = np.linalg.svd(effects, full_matrices=False)
    basis = left[:, sizes > 1e-9]
    return np.asarray(np.eye(len(effects)) - basis @ basis.T)
