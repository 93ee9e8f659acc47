"""Waits: the calls in which a step waits for its batch."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.input_pipeline.tf_data import iterator_path
from seamark.profiles.analyses.slices.intervals import covered_within, merge
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import Step

# The operator of TensorFlow that waits for the first iterator.
GET_NEXT_NAME = re.compile(r"IteratorGetNext|Iterator::GetNext|MultiDeviceIterator")
SINGLE_PROCESS = "_SingleProcessDataLoaderIter"
MULTI_PROCESS = "_MultiProcessingDataLoaderIter"
MIN_BINS = 5
# 1, 2, 5, 10 … µs up to 100 s.
BIN_EDGES_NS = [mantissa * 10**power for power in range(3, 11) for mantissa in (1, 2, 5)] + [10**11]


class Waits(NamedTuple):
    slices: SliceIndices  # outermost calls for input, in order of time
    loader: str  # "DataLoader", "tf.data" or ""
    is_single_process: bool | None  # of DataLoader: loads in the training process; None: another loader


def find_waits(profile: Profile) -> Waits:
    trace = profile.trace
    activities = profile.get(find_activities)
    wanted = np.array([activity == Activity.INPUT for activity in activities], bool)
    texts = [trace.names[name].text if wanted[name] else "" for name in range(len(trace.names))]
    loader = np.array(["DataLoader" in text for text in texts], bool)
    get_next = np.array([bool(GET_NEXT_NAME.search(text)) for text in texts], bool)
    paths = [iterator_path(text) for text in texts]
    iterators = np.array([bool(path) for path in paths], bool)
    # The most telling names that the trace has: a worker's own slices are not waits of a step.
    for name, chosen in (("DataLoader", loader), ("tf.data", get_next), ("tf.data", iterators), ("", wanted)):
        if chosen.any():
            if chosen is iterators:
                shortest = min(len(path) for path in paths if path)
                chosen = np.array([len(path) == shortest for path in paths], bool)
            slices = _outermost(profile, np.flatnonzero(chosen[trace.name]), wanted)
            single = any(SINGLE_PROCESS in text for text in texts)
            multiple = any(MULTI_PROCESS in text for text in texts)
            return Waits(slices, name, single if single != multiple else None)
    return Waits(np.empty(0, np.int64), "", None)


def _outermost(profile: Profile, slices: SliceIndices, wanted: NDArray[np.bool_]) -> SliceIndices:
    trace = profile.trace
    parent = trace.parent[slices].astype(np.int64)
    inside = np.zeros(len(slices), bool)
    while (parent != NO_SLICE).any():
        above = np.maximum(parent, 0)
        inside |= (parent != NO_SLICE) & wanted[trace.name[above]]
        parent = np.where(parent == NO_SLICE, NO_SLICE, trace.parent[above])
    outer = slices[~inside]
    return outer[np.argsort(trace.start[outer], kind="stable")]


def wait_of_steps(profile: Profile, waits: Waits, steps: list[Step]) -> list[int]:
    start = np.array([step.start_ns for step in steps], np.int64)
    end = start + np.array([step.duration_ns for step in steps], np.int64)
    merged = merge(profile.trace.start[waits.slices], profile.trace.end[waits.slices])
    found: list[int] = covered_within(merged, start, end).tolist()
    return found


def histogram(profile: Profile, waits: Waits) -> tuple[list[int], list[int]]:
    """Edges and counts of the waits, with at most a few empty bins at both ends."""
    if not len(waits.slices):
        return [], []
    edges = [0, *BIN_EDGES_NS]
    clipped = np.minimum(profile.trace.duration[waits.slices], edges[-1])
    counts = np.histogram(clipped, edges)[0]
    filled = np.flatnonzero(counts)
    first, last = max(int(filled[0]) - 1, 0), min(int(filled[-1]) + 1, len(counts) - 1)
    while last - first + 1 < MIN_BINS and (first > 0 or last < len(counts) - 1):
        first, last = max(first - 1, 0), min(last + 1, len(counts) - 1)
    return edges[first : last + 2], counts[first : last + 1].tolist()
