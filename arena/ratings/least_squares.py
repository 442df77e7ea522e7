"""The estimator: least squares on block scores, with a covariance that is robust to clustering by block.

Every format goes through here. What is reported of an entrant is his expected score against the average of the other
entrants, less what he loses by faults; in a balanced design that is the plain mean of his scores.

The covariance is the sandwich with the bias reduction of Bell and McCaffrey (2002; "CR2"): residuals of a block are
enlarged by how much the block itself pulled the fit. In a balanced design it is the textbook variance of a mean.
The degrees of freedom are an entrant's blocks less one: all blocks less one where everybody is in every block. Their
own moment match gives the same in balanced designs, and in simulated selections no better cover than this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from arena.ratings.patterns import Array, Pattern, gather
from arena.ratings.scores import MatchScore

_TOLERANCE: Final = 1e-9
_NEGLIGIBLE: Final = 1e-6

Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates by entrant: *score*, whether he *played*, *covariance*, degrees of *freedom* (0: no interval yet)."""

    score: Array
    played: Flags
    covariance: Array
    freedom: Array


def fit(blocks: Sequence[Sequence[MatchScore]], entrants: int) -> Fit:
    """Return the estimates from *blocks* for entrants 0..entrants-1; those who did not play get zero."""
    patterns = gather(blocks, entrants)
    normal = np.zeros((entrants, entrants))
    moment = np.zeros(entrants)
    appearances = np.zeros(entrants)
    penalty = np.zeros(entrants)
    for pattern in patterns:
        here = list(pattern.entrants)
        normal += len(pattern.scores) * (pattern.design.T @ pattern.design)
        moment += pattern.design.T @ pattern.scores.sum(axis=0)
        appearances[here] += len(pattern.scores)
        penalty[here] += pattern.penalties.sum(axis=0)
    penalty /= np.maximum(appearances, 1)
    played = appearances > 0
    inverse, unknown = _inverse(normal)
    strength = inverse @ moment
    contrast = _contrasts(played)
    covariance, blind = _spread(patterns, strength, penalty, appearances, inverse, contrast)
    # A comparison that the blocks played so far do not contain has no interval.
    apart = np.abs(contrast @ unknown).max(axis=1, initial=0.0) > _NEGLIGIBLE
    freedom = np.where(blind | apart, 0.0, np.maximum(appearances - 1.0, 0.0))
    return Fit(contrast @ strength - penalty, played, covariance, freedom)


def _inverse(normal: Array) -> tuple[Array, Array]:
    """Return the pseudo-inverse of *normal*, and a basis of what it leaves unknown."""
    values, vectors = np.linalg.eigh(normal)
    known = values > _TOLERANCE * max(float(values[-1]), 1.0)
    basis = vectors[:, known]
    return np.asarray(basis / values[known] @ basis.T), vectors[:, ~known]


def _contrasts(played: Flags) -> Array:
    """Return the rows that turn strengths into expected scores against the average other entrant who *played*."""
    field = played.astype(np.float64)
    others = max(field.sum() - 1.0, 1.0)
    contrast: Array = -np.outer(field, field) / others
    np.fill_diagonal(contrast, field)
    return contrast


def _spread(
    patterns: Sequence[Pattern], strength: Array, penalty: Array, appearances: Array, inverse: Array, contrast: Array
) -> tuple[Array, Flags]:
    """Return the covariance of the reported scores, and for whom it is blind: some block alone knows part of it."""
    entrants = len(strength)
    covariance = np.zeros((entrants, entrants))
    blind = np.zeros(entrants, dtype=bool)
    weights = inverse @ contrast.T
    for pattern in patterns:
        here = list(pattern.entrants)
        hat = pattern.design @ inverse @ pattern.design.T
        values, vectors = np.linalg.eigh(np.eye(len(here)) - hat)
        usable = values > _TOLERANCE
        adjust = vectors[:, usable] / np.sqrt(values[usable]) @ vectors[:, usable].T
        reach = pattern.design @ weights
        # What only this block knows leaves no residual to judge it by.
        blind |= np.abs(vectors[:, ~usable].T @ reach).max(axis=0, initial=0.0) > _NEGLIGIBLE
        residual = pattern.scores - pattern.design @ strength
        influence = residual @ adjust @ reach
        excess = pattern.penalties - penalty[here]
        influence[:, here] -= excess / np.sqrt(appearances[here] * np.maximum(appearances[here] - 1.0, 1.0))
        covariance += influence.T @ influence
    return covariance, blind
