"""Parts of trials: Keras writes the hyperparameters of a fit to one run, and measures in runs below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import RunName

# Which part stands for a trial: preferably one that it was not trained on.
PREFERRED = ("validation", "val", "valid", "eval", "test", "train")
TrialOf = Mapping[RunName, RunName]  # of each part, the run with its hyperparameters


def part_names(trial_of: TrialOf) -> list[str]:
    """The names of all parts, the preferred one first."""
    return by_preference({part_of(run, trial_of) for run in trial_of})


def stand_ins(runs: Sequence[RunName], trial_of: TrialOf, part: str) -> NDArray[np.bool_]:
    """Which runs stand for their trials: those of this part, or of another if a trial does not have it."""
    parts: dict[RunName, set[str]] = {}
    for run in runs:
        if run in trial_of:
            parts.setdefault(trial_of[run], set()).add(part_of(run, trial_of))
    chosen = {trial: part if part in names else by_preference(names)[0] for trial, names in parts.items()}
    return np.array(
        [chosen[trial_of[run]] == part_of(run, trial_of) if run in trial_of else run not in parts for run in runs],
        bool,
    )


def part_of(run: RunName, trial_of: TrialOf) -> str:
    return run[len(trial_of[run]) + 1 :]


def by_preference(parts: Iterable[str]) -> list[str]:
    return sorted(parts, key=lambda part: (PREFERRED.index(part) if part in PREFERRED else len(PREFERRED), part))
