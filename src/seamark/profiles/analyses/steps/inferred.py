"""Inferred steps: from the optimizer or the data loader, which run once in each step."""

from __future__ import annotations

import re

import numpy as np

from seamark.profiles.analyses.slices.columns import ends_of, tracks_of
from seamark.profiles.analyses.steps.candidate import CandidateSteps, on_one_track, quoted, slices_named
from seamark.profiles.form import SliceIndices, Times, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import StepSource

OPTIMIZER = re.compile(r"Optimizer\.step#")
DATA_LOADER = re.compile(r"enumerate\((DataLoader|DataPipe)\)#")
MIN_STEPS = 2
# What follows the last begin of a step by more than this share of the median step is no longer part of it.
MAX_LAST_STEP = 1.5


def optimizer_steps(profile: Profile) -> CandidateSteps | None:
    """A step ends with the call of the optimizer."""
    trace = profile.trace
    slices = _most_frequent(trace, OPTIMIZER)
    if len(slices) < MIN_STEPS:
        return None
    end = ends_of(trace, slices)
    track = trace.tracks[int(tracks_of(trace, slices[0]))]
    own = trace.slices_of_track(track)
    first = int(trace.start[own.start : own.stop].min())
    text = f"steps inferred: each ends with {quoted(trace.text(int(slices[0])))}"
    return numbered_candidates("optimizer", text, np.append(first, end[:-1]), end, track.id)


def data_loader_steps(profile: Profile) -> CandidateSteps | None:
    """A step begins with the next batch."""
    trace = profile.trace
    slices = _most_frequent(trace, DATA_LOADER)
    if len(slices) < MIN_STEPS:
        return None
    text = f"steps inferred: each begins with {quoted(trace.text(int(slices[0])))}"
    return steps_from_begins(trace, slices, "data_loader", text)


def steps_from_begins(trace: Trace, begins: SliceIndices, source: StepSource, text: str) -> CandidateSteps:
    """Steps from each begin to the next one; the last ends with what runs on the track about as long as a step."""
    start = trace.start[begins]
    track = int(tracks_of(trace, begins[0]))
    own = trace.slices_of_track(trace.tracks[track])
    limit = int(start[-1] + MAX_LAST_STEP * np.median(np.diff(start)))
    ends = ends_of(trace, slice(own.start, own.stop))
    within = ends[(ends > start[-1]) & (ends <= limit)]
    last = int(within.max()) if len(within) else int(ends_of(trace, begins[-1]))
    return numbered_candidates(source, text, start, np.append(start[1:], last), track)


def numbered_candidates(source: StepSource, text: str, start: Times, end: Times, track: int) -> CandidateSteps:
    numbers: list[int | None] = list(range(len(start)))
    return CandidateSteps(source, text, [str(number) for number in numbers], numbers, start, end, track)


def _most_frequent(trace: Trace, pattern: re.Pattern[str]) -> SliceIndices:
    """The slices of the name that occurs most, on one host thread: of two optimizers, one."""
    is_host = np.array([not track.is_device for track in trace.tracks], bool)
    best = np.empty(0, np.int64)
    for number, entry in enumerate(trace.names):
        if pattern.match(entry.text):
            slices = slices_named(trace, [number])
            slices = on_one_track(trace, slices[is_host[tracks_of(trace, slices)]])
            best = slices if len(slices) > len(best) else best
    return best
