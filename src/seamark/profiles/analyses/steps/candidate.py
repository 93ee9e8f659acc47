"""CandidateSteps: steps as they are on the host, before the device's work is added."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from seamark.profiles.analyses.slices.columns import ends_of, tracks_of
from seamark.profiles.form import SliceIndices, Times, Trace
from seamark.profiles.results import StepSource

MAX_QUOTED, MAX_NAME = 60, 100  # characters
LAST_NUMBER = re.compile(r"(\d+)\D*\Z")


class CandidateSteps(NamedTuple):
    """Ascending by start; they do not overlap."""

    source: StepSource
    text: str
    names: list[str]
    numbers: list[int | None]
    start: Times
    end: Times
    track: int  # on which they were found


def slices_named(trace: Trace, name_ids: list[int]) -> SliceIndices:
    """All slices with one of these names, in the order of columns."""
    if not name_ids:
        return np.empty(0, np.int64)
    wanted = np.zeros(len(trace.names), bool)
    wanted[name_ids] = True
    return np.flatnonzero(wanted[trace.name])


def on_one_track(trace: Trace, slices: SliceIndices) -> SliceIndices:
    """Those on the track that has the most of them, without nested ones, ordered by start."""
    if not len(slices):
        return slices
    tracks = tracks_of(trace, slices)
    best = np.bincount(tracks).argmax()
    chosen = slices[tracks == best]
    chosen = chosen[np.lexsort((-trace.duration[chosen], trace.start[chosen]))]
    start, end = trace.start[chosen], ends_of(trace, chosen)
    reach = np.maximum.accumulate(end)
    is_outer = np.append(True, (start[1:] >= reach[:-1]) | (end[1:] > reach[:-1]))
    return np.asarray(chosen[is_outer], np.int64)


def shortened(name: str, limit: int = MAX_NAME) -> str:
    """A name in a sentence: names of kernels can be pages long."""
    return f"{name[: limit - 1]}…" if len(name) > limit else name


def quoted(name: str) -> str:
    return f"“{shortened(name, MAX_QUOTED)}”"


def number_in(text: str) -> int | None:
    found = LAST_NUMBER.search(text)
    return int(found[1]) if found else None


def steps_of_slices(trace: Trace, slices: SliceIndices, source: StepSource, text: str) -> CandidateSteps:
    names = [trace.text(int(index)) for index in slices]
    numbers = [number_in(name) for name in names]
    track = int(tracks_of(trace, slices[0]))
    start, end = trace.start[slices], ends_of(trace, slices)
    end[:-1] = np.minimum(end[:-1], start[1:])  # times in the file may be rounded, or wrong
    return CandidateSteps(source, text, names, numbers, start, end, track)
