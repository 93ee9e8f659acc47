"""Utilization: how much of the steps the device and the host work."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_COMPUTE, find_activities
from seamark.profiles.analyses.device.launches import find_device_slices
from seamark.profiles.analyses.device.tensor_cores import could_use, uses_tensor_cores
from seamark.profiles.analyses.slices.columns import ends_of, tracks_of
from seamark.profiles.analyses.slices.intervals import Intervals, covered_within, merge, unite
from seamark.profiles.analyses.slices.resources import find_exposed_collectives, find_resources
from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.form import SliceField, SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import Utilization
from seamark.profiles.stored_tables import StoredTables, find_stored_tables

NO_DEVICE = "the trace has no kernels of a device"
ONLY_TABLES = "it needs the trace, and this capture has only tables"
NO_COLLECTIVES = "the trace has no collectives"
DEVICE_PARTS = ("device_compute_16", "device_compute_32")
DEVICE_REASONS = {
    "device_compute": NO_DEVICE,
    "device_any": NO_DEVICE,
    "sm_efficiency": "the kernels of this trace do not say how many blocks each multiprocessor has",
    "occupancy": "the kernels of this trace have no estimated occupancy",
    "tensor_cores": "no kernel of this trace has a name that tells whether it uses them",
}


def find_utilization(profile: Profile) -> Utilization:
    tables = profile.get(find_stored_tables)
    if tables is not None:
        return utilization_of_tables(tables)
    busy, windows = profile.get(find_resources), profile.get(find_measured_windows)
    total = windows.total
    has_device = busy.device is not None and total > 0
    compute = unite(busy.compute_16, busy.compute_32)
    device = unite(compute, busy.copies, busy.collectives)
    host = unite(busy.compile, busy.runtime, busy.input, busy.host_ops)
    computing = _time(compute, windows)
    has_communication = len(busy.collectives.start) > 0
    return Utilization(
        device_compute=computing / total if has_device else None,
        device_any=_time(device, windows) / total if has_device else None,
        sm_efficiency=_sm_efficiency(profile, windows) if has_device else None,
        occupancy=_occupancy(profile, windows) if has_device else None,
        tensor_cores=_tensor_cores(profile, windows) if has_device else None,
        host_cpu=_time(host, windows) / total if total else None,
        exposed_communication_ns=_time(profile.get(find_exposed_collectives), windows) if has_communication else None,
        communication_ns=_time(busy.collectives, windows) if has_communication else None,
    )


def utilization_of_tables(tables: StoredTables) -> Utilization:
    """The parts of steps are known, but not what runs at the same time."""
    total = sum(step.duration_ns for step in tables.steps)
    compute = sum(step.breakdown.get(part, 0) for step in tables.steps for part in DEVICE_PARTS)
    return Utilization(
        device_compute=compute / total if tables.device and total else None,
        device_any=None,
        sm_efficiency=None,
        occupancy=None,
        tensor_cores=None,
        host_cpu=None,
        exposed_communication_ns=None,
        communication_ns=None,
    )


def missing_utilization(profile: Profile) -> dict[str, str]:
    """Why a number is None."""
    found = profile.get(find_utilization)
    if profile.get(find_stored_tables) is not None:
        return {name: ONLY_TABLES for name in found.__struct_fields__ if getattr(found, name) is None}
    reasons = {name: NO_DEVICE if found.device_compute is None else text for name, text in DEVICE_REASONS.items()}
    reasons |= {"exposed_communication_ns": NO_COLLECTIVES, "communication_ns": NO_COLLECTIVES}
    return {name: text for name, text in reasons.items() if getattr(found, name) is None}


def find_measured_windows(profile: Profile) -> Intervals:
    """The complete steps; the whole trace if it has none."""
    steps = profile.get(find_steps).steps
    chosen = [steps[index] for index in complete_steps(steps)]
    bounds = [(step.start_ns, step.start_ns + step.duration_ns) for step in chosen] or [profile.trace.span]
    return merge(*np.array(bounds, np.int64).T)


def _time(busy: Intervals, windows: Intervals) -> int:
    return int(covered_within(busy, windows.start, windows.end).sum())


def _sm_efficiency(profile: Profile, windows: Intervals) -> float | None:
    """Kernels with at least one block for each multiprocessor fill the device, others a part of it.

    As torch-tb-profiler: kernels that run at the same time add up to at most 1; shares of the steps' time.
    """
    field = _of_device(profile, profile.trace.field("blocks per SM"))
    if not len(field.indices):
        return None
    start, end = profile.trace.start[field.indices], ends_of(profile.trace, field.indices)
    values = np.maximum(field.values.astype(np.float64), 0)
    times = np.concatenate((start, end))
    order = np.argsort(times, kind="stable")
    blocks = np.cumsum(np.concatenate((values, -values))[order])
    inside = covered_within(windows, times[order][:-1], times[order][1:])
    return float((np.clip(blocks[:-1], 0, 1) * inside).sum()) / windows.total


def _occupancy(profile: Profile, windows: Intervals) -> float | None:
    """The estimated occupancy of kernels, weighted by their time."""
    field = _of_device(profile, profile.trace.field("est. achieved occupancy %"))
    weights = covered_within(windows, profile.trace.start[field.indices], ends_of(profile.trace, field.indices))
    known = field.values >= 0
    total = int(weights[known].sum())
    return float((field.values[known] * weights[known]).sum()) / total / 100 if total else None


def _tensor_cores(profile: Profile, windows: Intervals) -> float | None:
    """The share of the kernels' time in kernels whose name says that they use them.

    None if no name is of a matrix product or a convolution: names of XLA's fusions, for example, do not tell.
    """
    trace, activities = profile.trace, profile.get(find_activities)
    is_kernel = np.isin(activities, DEVICE_COMPUTE)
    uses = np.array([uses_tensor_cores(entry.text) for entry in trace.names], bool)
    slices = profile.get(find_device_slices)
    slices = slices[is_kernel[trace.name[slices]] & _is_on_device(profile, slices)]
    weights = covered_within(windows, trace.start[slices], ends_of(trace, slices))
    total = int(weights.sum())
    if not total or not any(could_use(trace.names[number].text) for number in np.unique(trace.name[slices])):
        return None
    return int(weights[uses[trace.name[slices]]].sum()) / total


def _of_device(profile: Profile, field: SliceField) -> SliceField:
    chosen = _is_on_device(profile, field.indices)
    return SliceField(field.indices[chosen], field.values[chosen])


def _is_on_device(profile: Profile, slices: SliceIndices) -> NDArray[np.bool_]:
    device = profile.get(find_resources).device
    tracks = np.array([track.is_device and track.device == device for track in profile.trace.tracks], bool)
    return np.asarray(tracks[tracks_of(profile.trace, slices)])
