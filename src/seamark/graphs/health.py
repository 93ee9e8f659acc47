"""Health of layers: NaN, exploding and dead gradients, from the scalars and histograms logged under a layer's name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

EXPLODES_ABOVE = 10.0
EXPLODES_TIMES_MEDIAN = 100.0
DEAD_BELOW = 1e-12
MIN_DEAD_POINTS = 3
MIN_MEDIAN_POINTS = 5
MAX_DEAD_SHARE = 0.99
WEIGHT: Final = 0
ACTIVATION: Final = 1
GRADIENT: Final = 2


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
    is_activation: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    gradient_norm: float | None
    word: str = ""  # on the box: "NaN gradient"; "" if nothing is wrong
    sentence: str = ""
    rank: int = 9  # the worst is 0
    broken: Broken | None = None  # if a value is not finite: the first one


@dataclass(frozen=True, slots=True)
class Broken:
    """When a layer was not finite for the first time."""

    step: int
    # Within a step, the weights are there first, then activations are computed, then gradients.
    phase: Literal[0, 1, 2]

    def place(self, position: int) -> tuple[int, int, int]:
        """For sorting. `position` counts layers in the order of the data; gradients flow the other way."""
        return self.step, self.phase, -position if self.phase == GRADIENT else position


def health_at(signals: Sequence[Signal], step: int | None) -> Health:
    """What the signals of one layer say at a step; None: at the last one."""
    seen = [(signal, end) for signal in signals if (end := _points_until(signal, step)) > 0]
    # The norm of the finite elements is not that of a tensor with others.
    broken_now = {signal.tag for signal, end in seen if not np.isfinite(signal.values[end - 1])}
    norms = [
        float(signal.values[end - 1])
        for signal, end in seen
        if signal.is_gradient and signal.is_norm and signal.tag not in broken_now
    ]
    norm = float(np.sqrt(np.sum(np.square(norms)))) if norms else None
    findings = [found for signal, end in seen if (found := _finding(signal, end)) is not None]
    if not findings:
        return Health(norm)
    rank, _, word, sentence, broken = min(findings, key=lambda found: found[:4])
    return Health(norm, word, sentence, rank, broken)


def _points_until(signal: Signal, step: int | None) -> int:
    return len(signal.steps) if step is None else int(np.searchsorted(signal.steps, step, side="right"))


_NEVER = (0, 0)
_Finding = tuple[int, tuple[int, int], str, str, Broken | None]


def _finding(signal: Signal, end: int) -> _Finding | None:
    """Rank (the worst is 0), when it began if a value is not finite, word and sentence."""
    steps, values = signal.steps[:end], signal.values[:end]
    what = "gradient" if signal.is_gradient else "value"
    broken = np.flatnonzero(~np.isfinite(values))
    if len(broken):
        name = "NaN" if np.isnan(values[broken[0]]) else "infinite"
        began = Broken(int(steps[broken[0]]), _phase(signal))
        sentence = f"{signal.tag} is {name} from step {steps[broken[0]]:,}"
        return 0, (began.step, began.phase), f"{name} {what}", sentence, began
    if signal.is_gradient and signal.is_norm:
        return _gradient_finding(signal.tag, steps, values)
    shares = signal.zero_shares[:end]
    if len(shares) and shares[-1] >= MAX_DEAD_SHARE:
        return 2, _NEVER, "dead", f"{shares[-1]:.1%} of {signal.tag} are zero at step {steps[-1]:,}", None
    return None


def _phase(signal: Signal) -> Literal[0, 1, 2]:
    if signal.is_gradient:
        return GRADIENT
    return ACTIVATION if signal.is_activation else WEIGHT


def _gradient_finding(tag: str, steps: NDArray[np.int64], values: NDArray[np.float64]) -> _Finding | None:
    last, median = abs(float(values[-1])), float(np.median(np.abs(values)))
    is_far = len(values) >= MIN_MEDIAN_POINTS and last > EXPLODES_TIMES_MEDIAN * median
    if last > EXPLODES_ABOVE and is_far:
        times = "" if median == 0 else f", {last / median:,.0f} times its median"
        return 1, _NEVER, "exploding", f"{tag} is {last:.3g} at step {steps[-1]:,}{times}", None
    alive = np.flatnonzero(np.abs(values) > DEAD_BELOW)
    dead_from = int(alive[-1]) + 1 if len(alive) else 0
    if len(values) - dead_from >= MIN_DEAD_POINTS:
        return 2, _NEVER, "dead", f"{tag} is zero from step {steps[dead_from]:,}", None
    return None
