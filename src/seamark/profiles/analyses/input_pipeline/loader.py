"""DataLoader and loaders without stages of their own: what runs inside the calls in which a step waits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.input_pipeline.stage import StageTimes, stage_of
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import InputStage

MAX_DEPTH = 8
MAX_STAGES = 60
# A stage with a smaller part of the waiting time is left out.
MIN_SHARE = 0.005


def find_loader_stages(profile: Profile, waits: SliceIndices) -> list[InputStage]:
    """A tree of names below the waits, in preorder; the bottleneck has the largest self time."""
    stages: list[StageTimes] = []
    shortest = int(profile.trace.duration[waits].sum() * MIN_SHARE)
    _add_level(profile.trace, waits, -1, 0, _Children(profile.trace), shortest, stages)
    bottleneck = max(range(len(stages)), key=lambda index: stages[index].self_ns, default=-1)
    return [stage_of(profile, each, index == bottleneck and each.self_ns > 0) for index, each in enumerate(stages)]


class _Children:
    """The slices directly below others."""

    def __init__(self, trace: Trace) -> None:
        self._order = np.argsort(trace.parent, kind="stable")
        self._parents = trace.parent[self._order]

    def of(self, slices: SliceIndices) -> SliceIndices:
        first, last = np.searchsorted(self._parents, slices), np.searchsorted(self._parents, slices, "right")
        counts = last - first
        offsets = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        found: SliceIndices = self._order[np.repeat(first, counts) + offsets]
        return found


def _add_level(
    trace: Trace,
    slices: SliceIndices,
    parent: int,
    depth: int,
    children: _Children,
    shortest: int,
    stages: list[StageTimes],
) -> None:
    names: NDArray[np.uint32] = trace.name[slices]
    groups = [slices[names == name] for name in np.unique(names)]
    groups.sort(key=lambda group: -int(trace.duration[group].sum()))
    for group in groups:
        total = int(trace.duration[group].sum())
        if len(stages) >= MAX_STAGES or total < shortest:
            break
        index = len(stages)
        own = int(trace.self_time[group].sum())
        stages.append(StageTimes(trace.text(int(group[0])), parent, group, total, own))
        if depth < MAX_DEPTH:
            _add_level(trace, children.of(group), index, depth + 1, children, shortest, stages)
