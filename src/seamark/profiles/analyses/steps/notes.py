"""Notes on steps: which are incomplete, warm-up or compiled something."""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.slices.intervals import covered_within
from seamark.profiles.analyses.slices.resources import find_resources
from seamark.profiles.analyses.steps.candidate import CandidateSteps
from seamark.profiles.analyses.steps.device_end import launches_of_steps
from seamark.profiles.form import Times
from seamark.profiles.profile import Profile
from seamark.profiles.results import StepSource

WARM_UP, INCOMPLETE, RECOMPILED = "warm-up", "incomplete", "recompiled"
# A last step that launched less than this share of the one before was cut by the end of the profile.
COMPLETE_SHARE = 0.8
SHORT_SHARE, WARM_UP_RATIO = 0.5, 2.0
# What a profiler records after the last step, until it stops, is no step.
TAIL_SHARE = 0.1
# A step after the first that compiles for this share of its time.
COMPILE_SHARE = 0.1
INFERRED: tuple[StepSource, ...] = ("optimizer", "data_loader", "repetition")


def note_steps(profile: Profile, host: CandidateSteps, extended: CandidateSteps) -> list[str]:
    """`host` are the steps before device work was added to them."""
    notes = [""] * len(host.start)
    if len(notes) < 2:
        return notes
    duration = extended.end - extended.start
    compile = covered_within(profile.get(find_resources).compile, extended.start, extended.end)
    for index in np.flatnonzero(compile > COMPILE_SHARE * duration).tolist():
        notes[index] = RECOMPILED if index else WARM_UP
    if len(notes) > 3 and duration[0] > WARM_UP_RATIO * np.median(duration[1:]):
        notes[0] = WARM_UP
    if len(notes) > 2 and extended.source in INFERRED and duration[0] < SHORT_SHARE * np.median(duration[1:]):
        notes[0] = INCOMPLETE
    for index in _incomplete_at_end(profile, host, duration):
        notes[index] = INCOMPLETE
    return notes


def _incomplete_at_end(profile: Profile, host: CandidateSteps, duration: Times) -> list[int]:
    launches = launches_of_steps(profile, host.start, host.end)
    last = len(launches) - 1
    if launches.any():
        cut = []
        while last > 0 and launches[last] < COMPLETE_SHARE * launches[last - 1]:
            cut.append(last)
            last -= 1
            if launches[last]:
                break
        return cut
    work = _slices_of_steps(profile, host)
    if not np.percentile(work[:-1], 25):
        work = duration  # steps that record nothing can only be compared by their time
    is_tail = duration[last] < TAIL_SHARE * np.percentile(duration[:-1], 25)
    is_cut = last > 1 and work[last] < SHORT_SHARE * np.percentile(work[:-1], 25)
    return [last] if is_tail or is_cut else []


def _slices_of_steps(profile: Profile, steps: CandidateSteps) -> Times:
    """How many slices of the steps' track begin within each step, without the steps themselves."""
    trace = profile.trace
    track = trace.tracks[steps.track]
    counts = np.zeros(len(steps.start), np.int64)
    for row in range(track.first_row, track.first_row + track.rows):
        starts = trace.start[int(trace.row_start[row]) : int(trace.row_start[row + 1])]
        counts += np.searchsorted(starts, steps.end) - np.searchsorted(starts, steps.start, "right")
    return counts
