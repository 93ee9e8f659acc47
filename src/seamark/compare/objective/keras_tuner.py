"""Finds the objective of a Keras Tuner search whose project is in the log directory.

Keras Tuner logs a trial to <folder>/<trial id>/execution0/{train,validation} and describes it in
<project>/trial_<trial id>/trial.json: every metric with its direction, and the score, but not which metric it is of.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from seamark.compare.record.record import Record
from seamark.store import LogRoot

LOGGED = re.compile(r"(?:^|/)([^/]+)/execution\d+(?:/|$)")
# One trial is nearly always enough; more are read if two metrics have the same best value.
MAX_TRIALS = 20
MAX_BYTES = 1 << 20
VALIDATION_PREFIX = "val_"


class TunedMetric(NamedTuple):
    """`name` is Keras Tuner's name, such as val_accuracy."""

    name: str
    goal: str

    @property
    def tag(self) -> str:
        """The tag that Keras's TensorBoard callback writes."""
        return f"epoch_{self.name.removeprefix(VALIDATION_PREFIX)}"

    @property
    def part(self) -> str:
        return "validation" if self.name.startswith(VALIDATION_PREFIX) else "train"


def tuned_metric(records: Iterable[Record], roots: Sequence[LogRoot]) -> TunedMetric | None:
    """The metric whose best value is the score in every trial that was read; None if it is ambiguous."""
    found: set[TunedMetric] | None = None
    read: set[Path] = set()
    for record in records:
        file = trial_file(record, roots)
        if file is None or file in read:
            continue
        read.add(file)
        scored = scored_metrics(file)
        found = found & scored if found is not None and scored else scored or found
        if (found is not None and len(found) == 1) or len(read) == MAX_TRIALS:
            break
    return next(iter(found)) if found is not None and len(found) == 1 else None


def trial_file(record: Record, roots: Sequence[LogRoot]) -> Path | None:
    """The run's trial.json in the nearest folder above it, inside the log directory."""
    if LOGGED.search(record.path.as_posix()) is None:
        return None
    root = next((root.path for root in roots if record.path.is_relative_to(root.path)), None)
    if root is None:
        return None
    below = record.path.relative_to(root)
    match = LOGGED.search(below.as_posix())
    if match is None:
        return None
    above = Path(below.as_posix()[: match.start(1)])
    for folder in (root / above, *(root / parent for parent in above.parents)):
        file = folder / f"trial_{match[1]}" / "trial.json"
        if file.is_file() and file.resolve().is_relative_to(root.resolve()):
            return file
    return None


def scored_metrics(file: Path) -> set[TunedMetric]:
    """The metrics whose best value is the score; none if the file is not a valid trial.json."""
    try:
        with file.open("rb") as opened:
            data = opened.read(MAX_BYTES + 1)
        content = json.loads(data) if len(data) <= MAX_BYTES else {}
        score = float(content["score"])
        metrics = content["metrics"]["metrics"]
        return {
            TunedMetric(str(name), metric["direction"])
            for name, metric in metrics.items()
            if metric["direction"] in ("min", "max") and is_score(metric, score)
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return set()


def is_score(metric: Mapping[str, Any], score: float) -> bool:
    values = list(finite_means(metric))
    best = min if metric["direction"] == "min" else max
    return bool(values) and math.isclose(best(values), score, rel_tol=1e-9)


def finite_means(metric: Mapping[str, Any]) -> Iterator[float]:
    """The mean over the trial's executions at each step, if finite."""
    for observation in metric["observations"]:
        values = [float(value) for value in observation["value"]]
        mean = sum(values) / len(values) if values else math.nan
        if math.isfinite(mean):
            yield mean
