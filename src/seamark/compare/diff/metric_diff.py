"""Compares the metrics of runs: final value, best value, and where the curves diverge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.compare.columns.goals import stated_goals, stated_or_named
from seamark.compare.diff.divergence import find_divergence
from seamark.compare.record.record import Record
from seamark.format.numbers import finite_or_none
from seamark.format.types import SYSTEM_PREFIX, RunName, Tag
from seamark.store import RunStore

MAX_TAGS = 200

Curve = tuple[NDArray[np.int64], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class RunDivergence:
    """Where a run's curve leaves that of the first run."""

    run: str
    step: int
    level: float | None
    rule: str


@dataclass(frozen=True, slots=True)
class MetricRow:
    """Lists are as long as there are runs; None where a run has no such metric, or no finite value of it."""

    tag: str
    goal: str
    is_result: bool  # whether its goal is known
    final: list[float | None]
    final_step: list[int | None]
    best: list[float | None]  # None, too, where nobody says whether less or more is better
    best_step: list[int | None]
    divergence: RunDivergence | None  # the earliest
    divergences: list[RunDivergence | None]  # of each run from the first, whose own is None
    note: str  # why there is no divergence


def tags_to_compare(runs: Sequence[Record], *, most: int = MAX_TAGS) -> tuple[list[Tag], int]:
    """Those that most of the runs have, by name; and how many are left out."""
    counts = Counter(tag for run in runs for tag in run.tags if not tag.startswith(SYSTEM_PREFIX))
    chosen = sorted(counts, key=lambda tag: (-counts[tag], tag))
    return sorted(chosen[:most]), max(0, len(chosen) - most)


def metric_rows(store: RunStore, runs: Sequence[Record], tags: Iterable[Tag]) -> list[MetricRow]:
    names = [run.name for run in runs]
    stated = stated_goals(runs)
    rows = (row_of(tag, names, curves_of(store, runs, tag), stated_or_named(tag, stated)) for tag in tags)
    return [row for row in rows if any(value is not None for value in row.final)]


def curves_of(store: RunStore, runs: Sequence[Record], tag: Tag) -> list[Curve | None]:
    """What a merged run measured belongs to the run it was merged into."""
    sources = [run.source_of(tag) for run in runs]
    found: dict[tuple[RunName, Tag], Curve] = {}
    for tag_there in dict.fromkeys(tag_there for _, tag_there in sources):
        wanted = [run for run, its_tag in dict.fromkeys(sources) if its_tag == tag_there]
        window = store.scalars(wanted, tag_there, columns=["step", "last"])
        for run in window.runs:
            rows = window.rows(run)
            if rows.stop > rows.start:
                found[RunName(run), tag_there] = window.step[rows], window.last[rows]
    return [found.get(source) for source in sources]


def row_of(tag: str, runs: Sequence[str], curves: Sequence[Curve | None], known_goal: str | None) -> MetricRow:
    goal = known_goal or "max"
    bests = [best_of(curve, goal) if known_goal else None for curve in curves]
    divergences, note = divergences_of(runs, curves)
    found = [divergence for divergence in divergences if divergence is not None]
    return MetricRow(
        tag=tag,
        goal=goal,
        is_result=known_goal is not None,
        final=[float(curve[1][-1]) if curve else None for curve in curves],
        final_step=[int(curve[0][-1]) if curve else None for curve in curves],
        best=[best[0] if best else None for best in bests],
        best_step=[best[1] if best else None for best in bests],
        divergence=min(found, key=lambda divergence: divergence.step, default=None),
        divergences=divergences,
        note="" if found else note,
    )


def best_of(curve: Curve | None, goal: str) -> tuple[float, int] | None:
    """The first of the best finite values."""
    if curve is None:
        return None
    steps, values = curve
    finite = np.flatnonzero(np.isfinite(values))
    if not finite.size:
        return None
    at = finite[np.argmin(values[finite]) if goal == "min" else np.argmax(values[finite])]
    return float(values[at]), int(steps[at])


def divergences_of(runs: Sequence[str], curves: Sequence[Curve | None]) -> tuple[list[RunDivergence | None], str]:
    divergences: list[RunDivergence | None] = [None]
    first, note = curves[0], ""
    for run, curve in zip(runs[1:], curves[1:], strict=True):
        if first is None or curve is None:
            divergences.append(None)
            note = "not every run has this metric"
            continue
        compared = find_divergence(first[0].astype(float), first[1], curve[0].astype(float), curve[1])
        note = note or compared.note
        divergence = compared.divergence
        divergences.append(
            RunDivergence(run, int(divergence.step), finite_or_none(divergence.level), divergence.rule)
            if divergence
            else None
        )
    return divergences, note
