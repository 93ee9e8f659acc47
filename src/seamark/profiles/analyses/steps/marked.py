"""Marked steps: slices that the framework or the user wrote for each step."""

from __future__ import annotations

import re

import numpy as np

from seamark.profiles.activity import DEVICE_ACTIVITIES, Activity, find_activities
from seamark.profiles.analyses.slices.columns import tracks_of
from seamark.profiles.analyses.steps.candidate import (
    CandidateSteps,
    on_one_track,
    quoted,
    slices_named,
    steps_of_slices,
)
from seamark.profiles.form import SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import StepSource

PROFILER_STEP = re.compile(r"ProfilerStep\*?#\d+\Z")
# The names that xprof takes for steps, and those of Keras with JAX.
TRACE_CONTEXT = re.compile(r"(TraceContext|train|test|Profiled batch \d)(?!\w*[/:.(])")
STEP_MARKER = re.compile(r"StepMarker\b")
STEP_LINE = re.compile(r"Steps?\Z")
NOT_ON_HOST = (*DEVICE_ACTIVITIES, Activity.DEVICE_ANNOTATION)
MIN_CONTEXTS = 2


def profiler_steps(profile: Profile) -> CandidateSteps | None:
    """`ProfilerStep#N` of torch.profiler, on the thread that was profiled."""
    slices = on_one_track(profile.trace, _host_slices_named(profile, PROFILER_STEP))
    return _steps(profile, slices, "profiler_step", "steps from ProfilerStep#N")


def device_step_line(profile: Profile) -> CandidateSteps | None:
    """The line `Steps` of a TPU or another device, or StepMarker events: the device's own steps."""
    trace = profile.trace
    for track in trace.tracks:
        if track.is_device and track.slices and STEP_LINE.match(track.name):
            found = trace.slices_of_track(track)
            slices = on_one_track(trace, np.arange(found.start, found.stop))
            return _steps(profile, slices, "step_marker", f"steps from the line {track.name} of {track.process}")
    markers = on_one_track(trace, _host_slices_named(profile, STEP_MARKER))
    return _steps(profile, markers, "step_marker", "steps from StepMarker events")


def root_steps(profile: Profile) -> CandidateSteps | None:
    """Root events of an XPlane that carry the number of their step, as jax.profiler.StepTraceAnnotation writes."""
    numbered = profile.trace.field("step_num").indices
    is_root = np.isin(numbered, profile.trace.field("_r").indices)
    slices = on_one_track(profile.trace, numbered[is_root])
    return _numbered_steps(profile, slices, "root", "steps from root events with a step number")


def numbered_steps(profile: Profile) -> CandidateSteps | None:
    """Events with a step number that are no roots, as Keras 3 writes for `profile_batch`."""
    slices = on_one_track(profile.trace, profile.trace.field("step_num").indices)
    name = profile.trace.text(int(slices[0])) if len(slices) else ""
    return _numbered_steps(profile, slices, "step_num", f"steps from the step_num of {quoted(name)}")


def trace_context_steps(profile: Profile) -> CandidateSteps | None:
    """Names that begin with TraceContext, train, test or "Profiled batch"."""
    slices = on_one_track(profile.trace, _host_slices_named(profile, TRACE_CONTEXT))
    if len(slices) < MIN_CONTEXTS:
        return None
    name = profile.trace.text(int(slices[0]))
    return _steps(profile, slices, "trace_context", f"steps from events like {quoted(name)}")


def _host_slices_named(profile: Profile, pattern: re.Pattern[str]) -> SliceIndices:
    trace, activities = profile.trace, profile.get(find_activities)
    ids = [
        number
        for number, entry in enumerate(trace.names)
        if pattern.match(entry.text) and activities[number] not in NOT_ON_HOST
    ]
    slices = slices_named(trace, ids)
    is_host = np.array([not track.is_device for track in trace.tracks], bool)
    return slices[is_host[tracks_of(trace, slices)]] if len(slices) else slices


def _steps(profile: Profile, slices: SliceIndices, source: StepSource, text: str) -> CandidateSteps | None:
    return steps_of_slices(profile.trace, slices, source, text) if len(slices) else None


def _numbered_steps(profile: Profile, slices: SliceIndices, source: StepSource, text: str) -> CandidateSteps | None:
    if not len(slices):
        return None
    field = profile.trace.field("step_num")
    numbers = [int(number) for number in field.values[np.searchsorted(field.indices, slices)]]
    found = steps_of_slices(profile.trace, slices, source, text)
    names = [f"{name} {number}" for name, number in zip(found.names, numbers, strict=True)]
    return found._replace(names=names, numbers=list(numbers))
