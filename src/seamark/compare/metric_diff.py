"""The metrics of several runs beside each other: where they ended, their best, and where the curves part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.goals import Goal, goal_of
from seamark.compare.parting import first_parting
from seamark.format.run_record import Metric
from seamark.format.types import RunName, Tag
from seamark.store import Store

MAX_TAGS = 200
# How a run used its machine is no result, unless it is asked for.
SYSTEM = "system/"

Curve = tuple[NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class RunParting:
    """Where a run's curve leaves that of the first run."""

    run: str
    step: int
    level: float
    rule: str


@dataclass(frozen=True, slots=True)
class MetricRow:
    """Lists are as long as there are runs; None where a run has no such metric, or no finite value of it."""

    tag: str
    goal: Goal
    final: list[float | None]
    final_step: list[int | None]
    best: list[float | None]
    best_step: list[int | None]
    parting: RunParting | None  # the earliest
    partings: list[RunParting | None]  # of each run from the first, whose own is None
    note: str  # why there is no parting


def tags_to_compare(store: Store, runs: Sequence[RunName], *, most: int = MAX_TAGS) -> tuple[list[Tag], int]:
    """Those that most of the runs have first, then by name; and how many are left out."""
    counts: dict[Tag, int] = {}
    for run in runs:
        for info in store.series(run=run, kind="scalars"):
            if not info.tag.startswith(SYSTEM):
                counts[info.tag] = counts.get(info.tag, 0) + 1
    chosen = sorted(counts, key=lambda tag: (-counts[tag], tag))
    return sorted(chosen[:most]), max(0, len(chosen) - most)


def metric_rows(
    store: Store, runs: Sequence[RunName], tags: Iterable[Tag], defined: Iterable[Metric] = ()
) -> list[MetricRow]:
    told = list(defined)
    rows = (row_of(tag, runs, curves_of(store, runs, tag), goal_of(tag, told)) for tag in tags)
    return [row for row in rows if any(value is not None for value in row.final)]


def curves_of(store: Store, runs: Sequence[RunName], tag: Tag) -> list[Curve | None]:
    window = store.scalars(list(dict.fromkeys(runs)), tag, columns=["step", "last"])
    there = {
        run: (window.step[window.rows(run)], window.last[window.rows(run)])
        for run in window.runs
        if window.rows(run).stop > window.rows(run).start
    }
    return [there.get(run) for run in runs]


def row_of(tag: str, runs: Sequence[str], curves: Sequence[Curve | None], goal: Goal) -> MetricRow:
    bests = [best_of(curve, goal) for curve in curves]
    partings, note = partings_of(runs, curves)
    found = [parting for parting in partings if parting is not None]
    return MetricRow(
        tag=tag,
        goal=goal,
        final=[float(curve[1][-1]) if curve else None for curve in curves],
        final_step=[int(curve[0][-1]) if curve else None for curve in curves],
        best=[best[0] if best else None for best in bests],
        best_step=[best[1] if best else None for best in bests],
        parting=min(found, key=lambda parting: parting.step, default=None),
        partings=partings,
        note="" if found else note,
    )


def best_of(curve: Curve | None, goal: Goal) -> tuple[float, int] | None:
    """The first of the best finite values."""
    if curve is None:
        return None
    steps, values = curve
    finite = np.flatnonzero(np.isfinite(values))
    if not finite.size:
        return None
    at = finite[np.argmin(values[finite]) if goal == "min" else np.argmax(values[finite])]
    return float(values[at]), int(steps[at])


def partings_of(runs: Sequence[str], curves: Sequence[Curve | None]) -> tuple[list[RunParting | None], str]:
    partings: list[RunParting | None] = [None]
    first, note = curves[0], ""
    for run, curve in zip(runs[1:], curves[1:], strict=True):
        if first is None or curve is None:
            partings.append(None)
            note = "not every run has this metric"
            continue
        compared = first_parting(first[0].astype(float), first[1], curve[0].astype(float), curve[1])
        note = note or compared.note
        parting = compared.parting
        partings.append(RunParting(run, int(parting.step), parting.level, parting.rule) if parting else None)
    return partings, note
