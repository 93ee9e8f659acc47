"""Restarts among payloads: each time the step goes back, a new attempt begins. The core does the same for scalars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


def chosen(steps: NDArray[np.int64], attempts: str) -> NDArray[np.intp]:
    """Positions of the points to show."""
    return np.arange(len(steps)) if wants_all(attempts) else _latest(steps, attempts_of(steps))


def attempts_of(steps: NDArray[np.int64]) -> NDArray[np.uint32]:
    """The attempt that each point belongs to, from 0."""
    attempt = np.zeros(len(steps), np.uint32)
    np.cumsum(steps[1:] < steps[:-1], dtype=np.uint32, out=attempt[1:])
    return attempt


def wants_all(attempts: str) -> bool:
    if attempts not in ("latest", "all"):
        raise ValueError(f"unknown attempts: got {attempts!r}, want latest or all")
    return attempts == "all"


def _latest(steps: NDArray[np.int64], attempt: NDArray[np.uint32]) -> NDArray[np.intp]:
    """Points that no later attempt has done again: their step is below the first step of every later attempt."""
    if not len(steps):
        return np.empty(0, np.intp)
    starts = np.flatnonzero(np.diff(attempt)) + 1
    first_steps = np.append(steps[starts], np.iinfo(np.int64).max)
    first_later = np.minimum.accumulate(first_steps[::-1])[::-1][attempt]
    return np.flatnonzero((attempt == attempt[-1]) | (steps < first_later))
