"""Compile: events of XLA, TorchDynamo and Inductor, and which of them fall into steps."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.slices.activities import find_slice_activities
from seamark.profiles.analyses.slices.intervals import merge
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.compilers import compiler_of
from seamark.profiles.form import NO_SLICE, SliceIndices, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import Compilation, Compile, CompileRow

TIMED_SUFFIX = " (dynamo_timed)"
# Comes before each compilation of JAX.
LOWERING_NAME = re.compile(r"lower_sharding_computation")
MAX_SLICES = 50
MAX_COMPILATIONS = 500
NO_DATA = "The trace has no events of a compiler: nothing was compiled while it was recorded, or it does not say so."


def compilers_of_names(trace: Trace) -> list[str]:
    texts = {entry.text for entry in trace.names}
    return ["" if _is_repeated(entry.text, texts) else compiler_of(entry.text, entry.category) for entry in trace.names]


def _is_repeated(text: str, texts: set[str]) -> bool:
    """Torch writes most events twice, one inside the other: `build_guards` and `build_guards (dynamo_timed)`."""
    plain = text.removesuffix(TIMED_SUFFIX)
    return plain != text and plain in texts


def has_compilations(trace: Trace) -> bool:
    return any(compilers_of_names(trace))


def find_compile(profile: Profile) -> Compile:
    trace = profile.trace
    compilers = compilers_of_names(trace)
    is_compile = np.array([bool(compiler) for compiler in compilers], bool)
    found = np.flatnonzero(is_compile[trace.name]) if is_compile.any() else np.empty(0, np.int64)
    if not len(found):
        return Compile(rows=[], compilations=[], total_ns=0, recompiles=0, notes=[NO_DATA])
    # All that counts as compilation in the breakdown of a step.
    counted = np.flatnonzero(profile.get(find_slice_activities) == Activity.COMPILE)
    in_step = _in_steps(profile, found)
    whole = _whole_compilations(trace, found, is_compile)
    steps = profile.get(find_steps)
    notes = [] if steps.steps else ["The trace has no steps: it is not known which compilations are recompilations."]
    return Compile(
        rows=_rows(trace, found, in_step, compilers),
        compilations=_compilations(trace, found[whole], in_step[whole]),
        total_ns=merge(trace.start[counted], trace.end[counted]).total,
        recompiles=int(in_step[whole].sum()),
        notes=notes,
    )


def _compilations(trace: Trace, slices: SliceIndices, in_step: NDArray[np.bool_]) -> list[Compilation]:
    longest = np.argsort(-trace.duration[slices], kind="stable")[:MAX_COMPILATIONS]
    in_time = longest[np.argsort(trace.start[slices[longest]], kind="stable")]
    return [
        Compilation(
            name=trace.text(index),
            start_ns=int(trace.start[index]),
            duration_ns=int(trace.duration[index]),
            is_in_step=bool(is_in_step),
            slice=index,
        )
        for index, is_in_step in zip(slices[in_time].tolist(), in_step[in_time].tolist(), strict=True)
    ]


def _whole_compilations(trace: Trace, found: SliceIndices, is_compile: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Positions in `found`, one for each compilation: the longest of the events that overlap, on any thread."""
    lowers = np.array([bool(LOWERING_NAME.search(entry.text)) for entry in trace.names], bool)
    outer = np.flatnonzero(_outermost(trace, found, is_compile) & ~lowers[trace.name[found]])
    outer = outer[np.argsort(trace.start[found[outer]], kind="stable")]
    if not len(outer):
        return outer
    start, end = trace.start[found[outer]], trace.end[found[outer]]
    group = np.cumsum(np.append(False, start[1:] >= np.maximum.accumulate(end)[:-1]))
    order = np.lexsort((start - end, group))
    is_first = np.append(True, group[order][1:] != group[order][:-1])
    longest: NDArray[np.int64] = outer[order[is_first]]
    return longest


def _outermost(trace: Trace, found: SliceIndices, is_compile: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether no slice around it compiles."""
    inside = np.zeros(len(found), bool)
    parent = trace.parent[found].astype(np.int64)
    while (parent != NO_SLICE).any():
        above = np.maximum(parent, 0)
        inside |= (parent != NO_SLICE) & is_compile[trace.name[above]]
        parent = np.where(parent == NO_SLICE, NO_SLICE, trace.parent[above])
    return ~inside


def _in_steps(profile: Profile, found: SliceIndices) -> NDArray[np.bool_]:
    steps = profile.get(find_steps).steps
    if not steps:
        return np.zeros(len(found), bool)
    start = np.array([step.start_ns for step in steps])
    end = start + np.array([step.duration_ns for step in steps])
    at = np.searchsorted(start, profile.trace.start[found], "right") - 1
    inside: NDArray[np.bool_] = (at >= 0) & (profile.trace.start[found] < end[np.maximum(at, 0)])
    return inside


def _rows(trace: Trace, found: SliceIndices, in_step: NDArray[np.bool_], compilers: list[str]) -> list[CompileRow]:
    by_text: dict[str, list[int]] = defaultdict(list)
    for name in np.unique(trace.name[found]).tolist():
        by_text[trace.names[name].text].append(name)
    rows = []
    for text, names in by_text.items():
        mine = np.flatnonzero(np.isin(trace.name[found], names))
        slices = found[mine]
        longest = slices[np.argsort(-trace.duration[slices], kind="stable")][:MAX_SLICES]
        rows.append(
            CompileRow(
                name=text,
                compiler=compilers[names[0]],
                calls=len(slices),
                total_ns=int(trace.duration[slices].sum()),
                in_steps=int(in_step[mine].sum()),
                slices=longest.tolist(),
            )
        )
    return sorted(rows, key=lambda row: -row.total_ns)
