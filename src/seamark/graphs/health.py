"""Health of layers: NaN, exploding and dead gradients, from the scalars and histograms logged under a layer's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

EXPLODES_ABOVE = 10.0
EXPLODES_TIMES_MEDIAN = 100.0
DEAD_BELOW = 1e-12
MIN_DEAD_POINTS = 3
MIN_MEDIAN_POINTS = 5
MAX_DEAD_SHARE = 0.99


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """One logged series of a layer: the norm of its gradient, or something else whose values should be finite."""

    tag: str
    is_gradient: bool
    steps: NDArray[np.int64]
    values: NDArray[np.float64]
    # The share of zeros, of activations; empty otherwise.
    zero_shares: NDArray[np.float64]
    # False for other statistics of a gradient: they should be finite, and say nothing about its size.
    is_norm: bool = True


@dataclass(frozen=True, slots=True)
class Health:
    gradient_norm: float | None
    word: str = ""  # on the box: "NaN gradient"; "" if nothing is wrong
    sentence: str = ""
    rank: int = 9  # the worst is 0


def health_at(signals: Sequence[Signal], step: int | None) -> Health:
    """What the signals of one layer say at a step; None: at the last one."""
    norms: list[float] = []
    findings: list[tuple[int, str, str]] = []
    for signal in signals:
        end = len(signal.steps) if step is None else int(np.searchsorted(signal.steps, step, side="right"))
        if end == 0:
            continue
        values = signal.values[:end]
        if signal.is_gradient and signal.is_norm and np.isfinite(values[-1]):
            norms.append(float(values[-1]))
        finding = _finding(signal, end)
        if finding is not None:
            findings.append(finding)
    norm = float(np.sqrt(np.sum(np.square(norms)))) if norms else None
    if not findings:
        return Health(norm)
    rank, word, sentence = min(findings)
    return Health(norm, word, sentence, rank)


def _finding(signal: Signal, end: int) -> tuple[int, str, str] | None:
    """Rank (the worst is 0), word and sentence."""
    steps, values = signal.steps[:end], signal.values[:end]
    what = "gradient" if signal.is_gradient else "value"
    broken = np.flatnonzero(~np.isfinite(values))
    if len(broken):
        name = "NaN" if np.isnan(values[broken[0]]) else "infinite"
        return 0, f"{name} {what}", f"{signal.tag} is {name} from step {steps[broken[0]]:,}"
    if signal.is_gradient and signal.is_norm:
        return _gradient_finding(signal.tag, steps, values)
    shares = signal.zero_shares[:end]
    if len(shares) and shares[-1] >= MAX_DEAD_SHARE:
        return 2, "dead", f"{shares[-1]:.1%} of {signal.tag} are zero at step {steps[-1]:,}"
    return None


def _gradient_finding(tag: str, steps: NDArray[np.int64], values: NDArray[np.float64]) -> tuple[int, str, str] | None:
    last, median = abs(float(values[-1])), float(np.median(np.abs(values)))
    is_far = len(values) >= MIN_MEDIAN_POINTS and last > EXPLODES_TIMES_MEDIAN * median
    if last > EXPLODES_ABOVE and is_far:
        times = "" if median == 0 else f", {last / median:,.0f} times its median"
        return 1, "exploding", f"{tag} is {last:.3g} at step {steps[-1]:,}{times}"
    alive = np.flatnonzero(np.abs(values) > DEAD_BELOW)
    dead_from = int(alive[-1]) + 1 if len(alive) else 0
    if len(values) - dead_from >= MIN_DEAD_POINTS:
        return 2, "dead", f"{tag} is zero from step {steps[dead_from]:,}"
    return None
