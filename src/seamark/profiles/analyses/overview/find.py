"""Overview: the steps with their breakdown, the headline numbers, utilization and environment."""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.overview.breakdown import find_breakdown
from seamark.profiles.analyses.overview.environment import find_environment
from seamark.profiles.analyses.overview.idle import find_stream_idle
from seamark.profiles.analyses.overview.peak_memory import find_peak_memory
from seamark.profiles.analyses.overview.utilization import find_utilization, missing_utilization
from seamark.profiles.analyses.slices.resources import find_device_ids, find_resources
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.profile import Profile
from seamark.profiles.results import BREAKDOWN_PARTS, Headline, Overview, StepBreakdown
from seamark.profiles.stored_tables import find_stored_tables

NO_STEPS = "the trace has no steps; draw them by hand"
NO_INPUT = "the trace has no calls of a DataLoader or of tf.data"


def find_overview(profile: Profile) -> Overview:
    found, breakdown = profile.get(find_steps), profile.get(find_breakdown)
    return Overview(
        steps=[
            StepBreakdown(
                name=step.name,
                number=step.number,
                start_ns=step.start_ns,
                duration_ns=step.duration_ns,
                breakdown={part: int(breakdown[part][index]) for part in BREAKDOWN_PARTS},
                note=step.note,
            )
            for index, step in enumerate(found.steps)
        ],
        source=found.source,
        steps_text=found.text,
        mean=mean_breakdown(profile),
        headline=_headline(profile),
        utilization=profile.get(find_utilization),
        environment=profile.get(find_environment),
        streams=profile.get(find_stream_idle),
        notes=_notes(profile),
    )


def mean_breakdown(profile: Profile) -> dict[str, int]:
    """Of the complete steps, in whole nanoseconds that sum to the mean step."""
    breakdown, steps = profile.get(find_breakdown), profile.get(find_steps).steps
    if not steps:
        return {}
    chosen = complete_steps(steps)
    edges = np.cumsum([0] + [int(breakdown[part][chosen].sum()) for part in BREAKDOWN_PARTS])
    rounded = (edges + len(chosen) // 2) // len(chosen)
    return {part: int(time) for part, time in zip(BREAKDOWN_PARTS, np.diff(rounded), strict=True)}


def has_input(profile: Profile) -> bool:
    """Without a call for input it is not known whether a step waits for it."""
    return profile.get(find_stored_tables) is not None or len(profile.get(find_resources).input.start) > 0


def _headline(profile: Profile) -> Headline:
    memory, steps = profile.get(find_peak_memory), profile.get(find_steps).steps
    reasons = memory.reasons | missing_utilization(profile)
    durations = np.array([steps[index].duration_ns for index in complete_steps(steps)], np.int64)
    if not len(durations):
        reasons |= dict.fromkeys(("step_mean_ns", "step_p5_ns", "step_p95_ns", "step_deviation_ns"), NO_STEPS)
        reasons["input_share"] = NO_STEPS
    elif not has_input(profile):
        reasons["input_share"] = NO_INPUT
    total = int(durations.sum())
    breakdown = profile.get(find_breakdown)["input"][complete_steps(steps)]
    return Headline(
        step_mean_ns=_rounded(durations.mean()) if len(durations) else None,
        step_p5_ns=_rounded(np.percentile(durations, 5)) if len(durations) else None,
        step_p95_ns=_rounded(np.percentile(durations, 95)) if len(durations) else None,
        step_deviation_ns=_rounded(durations.std()) if len(durations) else None,
        input_share=int(breakdown.sum()) / total if total and has_input(profile) else None,
        peak_memory_bytes=memory.peak_bytes,
        memory_limit_bytes=memory.limit_bytes,
        peak_memory_at=memory.at,
        reasons=reasons,
    )


def _rounded(number: np.floating) -> int:
    return round(float(number))


def _notes(profile: Profile) -> list[str]:
    notes, devices = [], profile.get(find_device_ids)
    if len(devices) > 1:
        notes.append(f"Breakdown and utilization are of device {devices[0]}, the first of {len(devices)}.")
    steps = profile.get(find_steps).steps
    left_out = len(steps) - len(complete_steps(steps))
    if left_out:
        notes.append(f"{left_out} incomplete {'step is' if left_out == 1 else 'steps are'} not in the mean.")
    tables = profile.get(find_stored_tables)
    if tables is not None:
        said = [f"TensorFlow's profiler says: {tables.input_statement}"] if tables.input_statement else []
        notes += [*said, *tables.notes]
    return notes + list(profile.trace.problems)
