"""Operators: self and total time on host and device, by name or by name and input shapes.

Self time on the host is the time of a call without the operators and the runtime calls inside it, as torch counts it.
A call inside a call with the same key does not count again for the totals.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.device.operators import device_operator_rows
from seamark.profiles.analyses.device.tensor_cores import could_use, is_matrix_operator, uses_tensor_cores
from seamark.profiles.analyses.device.work import HostOperators, find_device_work, find_host_operators
from seamark.profiles.analyses.operators.shapes import find_input_shapes
from seamark.profiles.analyses.slices.ancestors import is_outermost, longest_by, nearest_ancestor, sum_by
from seamark.profiles.form import NO_SLICE
from seamark.profiles.profile import Profile
from seamark.profiles.results import OperatorRow, Operators
from seamark.profiles.stored_tables import StoredTables, find_stored_tables

ACTIVITIES = len(Activity)
MAX_ROWS = 20_000


class Groups(NamedTuple):
    """The rows of the table: each operator slice belongs to one."""

    key: NDArray[np.int64]  # of each slice; meaningless for others than operators
    names: list[str]
    shapes: list[str]


class DeviceSums(NamedTuple):
    self_ns: NDArray[np.int64]
    total_ns: NDArray[np.int64]
    activity: NDArray[np.int64]  # the one with most time, or -1
    uses: NDArray[np.bool_]  # a kernel that it launches itself runs on tensor cores
    could: NDArray[np.bool_]


def find_operators(profile: Profile) -> Operators:
    tables = profile.get(find_stored_tables)
    if tables is not None:
        return operators_of_tables(tables)
    return table(profile, by_name(profile), "name")


def find_operators_by_shapes(profile: Profile) -> Operators:
    return table(profile, by_shapes(profile), "shapes")


def operators_of_tables(tables: StoredTables) -> Operators:
    has_device = any(row.device_self_ns is not None for row in tables.operators)
    return Operators(
        rows=tables.operators[:MAX_ROWS],
        group="name",
        total_self_ns=sum(row.self_ns for row in tables.operators),
        total_device_ns=sum(row.device_self_ns or 0 for row in tables.operators) if has_device else None,
        is_cut=len(tables.operators) > MAX_ROWS,
    )


def by_name(profile: Profile) -> Groups:
    """Names with different categories are one row."""
    texts: dict[str, int] = {}
    of_name = np.array([texts.setdefault(entry.text, len(texts)) for entry in profile.trace.names], np.int64)
    key = of_name[profile.trace.name] if len(of_name) else np.empty(0, np.int64)
    return Groups(key, list(texts), [""] * len(texts))


def by_shapes(profile: Profile) -> Groups:
    names = by_name(profile)
    operators = profile.get(find_host_operators).slices
    shapes = find_input_shapes(profile, operators)
    pairs = names.key[operators] * len(shapes.texts) + shapes.code
    found, code = np.unique(pairs, return_inverse=True)
    key = np.zeros(profile.trace.slices, np.int64)
    key[operators] = code
    name_of, shape_of = np.divmod(found, max(1, len(shapes.texts)))
    return Groups(key, [names.names[at] for at in name_of], [shapes.texts[at] for at in shape_of])


def table(profile: Profile, groups: Groups, group: Literal["name", "shapes"]) -> Operators:
    trace, operators = profile.trace, profile.get(find_host_operators)
    slices, size = operators.slices, len(groups.names)
    key, duration = groups.key[slices], trace.duration[slices]
    self_time = host_self_time(profile, operators)
    outermost = is_outermost(groups.key, operators.parent, slices)
    calls = np.bincount(key, minlength=size)
    self_ns = sum_by(key, self_time, size)
    total_ns = sum_by(key[outermost], duration[outermost], size)
    device = device_sums(profile, groups, outermost)
    longest = longest_by(key, slices, duration, size)
    activities = profile.get(find_activities)
    found = np.lexsort((-total_ns, -self_ns, np.zeros(size) if device is None else -device.self_ns))
    found = found[calls[found] > 0]
    rows = [
        OperatorRow(
            name=groups.names[at],
            activity=int(device.activity[at])
            if device is not None and device.activity[at] >= 0
            else int(activities[trace.name[longest[at]]]),
            calls=int(calls[at]),
            self_ns=int(self_ns[at]),
            total_ns=int(total_ns[at]),
            device_self_ns=None if device is None else int(device.self_ns[at]),
            device_total_ns=None if device is None else int(device.total_ns[at]),
            tensor_cores=None if device is None else tensor_cores_of(groups.names[at], device, at),
            shapes=groups.shapes[at],
            longest=int(longest[at]),
        )
        for at in found[:MAX_ROWS].tolist()
    ]
    device_rows = device_operator_rows(profile)
    if device_rows:
        rows = sorted([*rows, *device_rows], key=lambda row: -(row.device_self_ns or 0))
    return Operators(
        rows=rows,
        group=group,
        total_self_ns=int(self_ns.sum()),
        total_device_ns=None
        if device is None
        else int(device.self_ns.sum()) + sum(row.device_self_ns or 0 for row in device_rows),
        is_cut=len(found) > MAX_ROWS,
    )


def host_self_time(profile: Profile, operators: HostOperators) -> NDArray[np.int64]:
    """Of each operator slice: without the operators and runtime calls directly below it."""
    trace, activities = profile.trace, profile.get(find_activities)
    is_runtime = np.isin(activities, (Activity.RUNTIME, Activity.SYNC))[trace.name]
    counted = operators.is_operator | is_runtime
    around = nearest_ancestor(trace.parent, counted)
    inside = np.flatnonzero(counted & (around != NO_SLICE))
    below = sum_by(around[inside], trace.duration[inside], trace.slices)
    own: NDArray[np.int64] = trace.duration[operators.slices] - below[operators.slices]
    return np.maximum(own, 0, out=own)


def device_sums(profile: Profile, groups: Groups, outermost: NDArray[np.bool_]) -> DeviceSums | None:
    """None: nothing ran on a device."""
    trace, work = profile.trace, profile.get(find_device_work)
    if not len(work.slices):
        return None
    operators, size = profile.get(find_host_operators), len(groups.names)
    is_outer = np.zeros(trace.slices, bool)
    is_outer[operators.slices] = outermost
    linked = work.operator != NO_SLICE
    kernels, above = work.slices[linked], work.operator[linked]
    duration, name = trace.duration[kernels], trace.name[kernels]
    activity = profile.get(find_activities)[name].astype(np.int64)
    key = groups.key[above]
    self_ns = sum_by(key, duration, size)
    by_activity = sum_by(key * ACTIVITIES + activity, duration, size * ACTIVITIES)
    uses, could = (np.zeros(size, bool) for _ in range(2))
    uses[key[name_mask(profile, name, uses_tensor_cores)]] = True
    could[key[name_mask(profile, name, could_use)]] = True
    total_ns = np.zeros(size, np.int64)
    while len(above):
        outer = is_outer[above]
        total_ns += sum_by(groups.key[above[outer]], duration[outer], size)
        above = operators.parent[above]
        inside = above != NO_SLICE
        above, duration = above[inside], duration[inside]
    by_activity = by_activity.reshape(size, ACTIVITIES)
    most = np.where(by_activity.any(axis=1), by_activity.argmax(axis=1), -1)
    return DeviceSums(self_ns, total_ns, most, uses, could)


def name_mask(profile: Profile, name: NDArray[np.uint32], predicate: object) -> NDArray[np.bool_]:
    """Which of the slices with these name ids have a name for which the predicate holds."""
    assert callable(predicate)
    holds = np.zeros(len(profile.trace.names), bool)
    for id in np.unique(name).tolist():
        holds[id] = predicate(profile.trace.names[id].text)
    return holds[name]


def tensor_cores_of(name: str, device: DeviceSums, at: int) -> bool | None:
    if device.uses[at]:
        return True
    return False if device.self_ns[at] > 0 and (device.could[at] or is_matrix_operator(name)) else None
