"""Breakdown: each instant of a step belongs to one part, by priority; the parts sum to the step exactly.

The order follows torch-tb-profiler: device compute, copies, collectives, compilation, calls of the runtime, input,
operators of the host, waiting, Python and named regions. A collective is thus counted only where no kernel computes:
it is the exposed communication. The union of the first k levels grows with k; what level k adds is its own time, so
one pass over sorted intervals is enough for any number of steps.
"""

from __future__ import annotations

import numpy as np

from seamark.profiles.analyses.slices.intervals import EMPTY, Intervals, covered_within, unite
from seamark.profiles.analyses.slices.resources import Resources, find_exposed_collectives, find_resources
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.form import Times
from seamark.profiles.profile import Profile
from seamark.profiles.results import BREAKDOWN_PARTS
from seamark.profiles.stored_tables import find_stored_tables

# The part that each resource counts for; highest priority first.
PARTS = {
    "compute_16": "device_compute_16",
    "compute_32": "device_compute_32",
    "copies": "host_device_copies",
    "collectives": "collectives",
    "compile": "compile",
    "runtime": "host_compute",
    "input": "input",
    "host_ops": "host_compute",
    "waits": "idle",
    "python": "host_compute",
}


def find_breakdown(profile: Profile) -> dict[str, Times]:
    """For each part of BREAKDOWN_PARTS its time in each step."""
    found, resources = profile.get(find_steps), profile.get(find_resources)
    tables = profile.get(find_stored_tables)
    if tables is not None and found.source == "tables":
        return {
            part: np.array([step.breakdown.get(part, 0) for step in tables.steps], np.int64) for part in BREAKDOWN_PARTS
        }
    steps = found.steps
    start = np.array([step.start_ns for step in steps], np.int64)
    end = start + np.array([step.duration_ns for step in steps], np.int64)
    if resources.device is None:  # operators of the host hide collectives, as kernels do
        resources = resources._replace(collectives=profile.get(find_exposed_collectives))
    return break_down(resources, start, end)


def break_down(resources: Resources, start: Times, end: Times) -> dict[str, Times]:
    """The parts of any windows; they sum to each window."""
    parts = {part: np.zeros(len(start), np.int64) for part in BREAKDOWN_PARTS}
    union, before = EMPTY, np.zeros(len(start), np.int64)
    for level, part in PARTS.items():
        found: Intervals = getattr(resources, level)
        if not len(found.start):
            continue
        union = unite(union, found)
        covered = covered_within(union, start, end)
        parts[part] += covered - before
        before = covered
    # Nothing recorded: a device idles; without one it is Python between operators.
    parts["other" if resources.device is None else "idle"] += end - start - before
    return parts
