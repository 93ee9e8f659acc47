"""tf.data: its iterators as a tree of stages. An iterator's name is its path: `Iterator::Root::Prefetch::Map`."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from seamark.profiles.analyses.input_pipeline.stage import StageTimes, stage_of
from seamark.profiles.analyses.slices.intervals import EMPTY, Intervals, intersect, merge, subtract, unite
from seamark.profiles.form import SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import InputStage

ITERATOR_NAME = re.compile(r"Iterator::(?!GetNext)[\w\[\]:$.-]+")


def iterator_path(text: str) -> tuple[str, ...]:
    """Outermost first; empty: not an iterator."""
    match = ITERATOR_NAME.match(text)
    return tuple(part for part in match.group().split("::")[1:] if part) if match else ()


def find_tf_data_stages(profile: Profile) -> list[InputStage]:
    """In preorder. An iterator blocks while the one above it waits, on whichever thread it runs.

    The self time of a stage is the time in which it blocks and no stage below it does. The bottleneck is the stage
    with the largest one.
    """
    trace = profile.trace
    by_path: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for name, entry in enumerate(trace.names):
        path = iterator_path(entry.text)
        if path:
            by_path[path].append(name)
    slices = {path: np.flatnonzero(np.isin(trace.name, names)) for path, names in by_path.items()}
    slices = {path: found for path, found in slices.items() if len(found)}
    stages: list[StageTimes] = []
    for root in sorted(path for path in slices if _above(path, slices) is None):
        _add(profile, root, -1, None, slices, stages)
    bottleneck = max(range(len(stages)), key=lambda index: stages[index].self_ns, default=-1)
    return [stage_of(profile, each, index == bottleneck and each.self_ns > 0) for index, each in enumerate(stages)]


def _above(path: tuple[str, ...], known: dict[tuple[str, ...], SliceIndices]) -> tuple[str, ...] | None:
    """The nearest stage above that the trace has."""
    return next((path[:length] for length in range(len(path) - 1, 0, -1) if path[:length] in known), None)


def _add(
    profile: Profile,
    path: tuple[str, ...],
    parent: int,
    waiting: Intervals | None,
    slices: dict[tuple[str, ...], SliceIndices],
    stages: list[StageTimes],
) -> Intervals:
    """Adds a stage and those below it; returns when it blocks."""
    trace, mine = profile.trace, slices[path]
    busy = merge(trace.start[mine], trace.end[mine])
    blocking = busy if waiting is None else intersect(busy, waiting)
    index = len(stages)
    stages.append(StageTimes(path[-1], parent, mine, busy.total, 0))
    below = EMPTY
    for child in sorted(other for other in slices if _above(other, slices) == path):
        below = unite(below, _add(profile, child, index, blocking, slices, stages))
    stages[index] = stages[index]._replace(self_ns=subtract(blocking, below).total)
    return blocking
