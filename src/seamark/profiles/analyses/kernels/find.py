"""Kernels: time, calls and launch parameters of what runs on devices, by kernel, operator and launch parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_COMPUTE, find_activities
from seamark.profiles.analyses.device.operators import find_device_operators
from seamark.profiles.analyses.device.tensor_cores import could_use, uses_tensor_cores
from seamark.profiles.analyses.device.work import find_device_work
from seamark.profiles.analyses.kernels.launch_parameters import LaunchParameters, find_launch_parameters
from seamark.profiles.analyses.slices.ancestors import Mask, longest_by, sum_by
from seamark.profiles.form import NO_SLICE, SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import KernelRow, Kernels
from seamark.profiles.stored_tables import StoredTables, find_stored_tables

COPY_CATEGORIES = frozenset({"gpu_memcpy", "gpu_memset", "memcpy", "memset"})
MAX_ROWS = 20_000


class OperatorNames(NamedTuple):
    code: NDArray[np.int64]  # of each kernel slice: position in texts
    texts: list[str]


class Rows(NamedTuple):
    """Sums of each row of the table."""

    row: NDArray[np.int64]  # of each kernel slice
    first: NDArray[np.int64]  # a kernel slice of each row, by its position
    calls: NDArray[np.int64]
    total: NDArray[np.int64]
    min: NDArray[np.int64]
    max: NDArray[np.int64]
    longest: SliceIndices


def find_kernels(profile: Profile) -> Kernels:
    """Copies by the copy engines are no kernels; the operators that make them have their time."""
    tables = profile.get(find_stored_tables)
    if tables is not None:
        return kernels_of_tables(tables)
    trace, work = profile.trace, profile.get(find_device_work)
    is_copy = np.array([entry.category.lower() in COPY_CATEGORIES for entry in trace.names], bool)
    is_kernel = ~is_copy[trace.name[work.slices]] if len(work.slices) else np.empty(0, bool)
    slices, operator = work.slices[is_kernel], work.operator[is_kernel]
    if not len(slices):
        return Kernels(rows=[], total_ns=0, tensor_core_share=None)
    parameters = find_launch_parameters(profile, slices)
    operators = operators_of(profile, operator, is_kernel)
    rows = rows_of(profile, slices, operators.code, parameters)
    found = table(profile, slices, operators, parameters, rows)
    found.sort(key=lambda row: (-row.total_ns, row.name, row.operator))
    return Kernels(
        rows=found,
        total_ns=int(rows.total.sum()),
        tensor_core_share=tensor_core_share(profile, slices),
        is_cut=len(found) < len(rows.total),
    )


def kernels_of_tables(tables: StoredTables) -> Kernels:
    total_ns = sum(row.total_ns for row in tables.kernels)
    on_tensor_cores = sum(row.total_ns for row in tables.kernels if row.tensor_cores)
    return Kernels(
        rows=tables.kernels[:MAX_ROWS],
        total_ns=total_ns,
        tensor_core_share=on_tensor_cores / total_ns if total_ns else None,
        is_cut=len(tables.kernels) > MAX_ROWS,
    )


def operators_of(profile: Profile, operator: SliceIndices, is_kernel: Mask) -> OperatorNames:
    """The operator on the host, else the one that the device knows, else ""."""
    trace = profile.trace
    code, names = profile.get(find_device_operators)
    of_device = code[is_kernel] + len(trace.names)
    texts = [*(entry.text for entry in trace.names), *names]
    return OperatorNames(np.where(operator == NO_SLICE, of_device, trace.name[operator].astype(np.int64)), texts)


def rows_of(
    profile: Profile, slices: SliceIndices, operator_name: NDArray[np.int64], parameters: LaunchParameters
) -> Rows:
    trace = profile.trace
    columns = (
        trace.name[slices].astype(np.int64),
        operator_name,
        parameters.shape,
        np.nan_to_num(parameters.registers, nan=-1).astype(np.int64),
        np.nan_to_num(parameters.shared_memory, nan=-1).astype(np.int64),
    )
    row = np.zeros(len(slices), np.int64)
    for column in columns:
        _, code = np.unique(column, return_inverse=True)
        _, row = np.unique(row * (int(code.max()) + 1) + code, return_inverse=True)
    size = int(row.max()) + 1
    duration = trace.duration[slices]
    least, most = np.full(size, np.iinfo(np.int64).max), np.zeros(size, np.int64)
    np.minimum.at(least, row, duration)
    np.maximum.at(most, row, duration)
    first = np.zeros(size, np.int64)
    first[row[::-1]] = np.arange(len(row))[::-1]
    calls = np.bincount(row, minlength=size)
    return Rows(row, first, calls, sum_by(row, duration, size), least, most, longest_by(row, slices, duration, size))


def table(
    profile: Profile,
    slices: SliceIndices,
    operators: OperatorNames,
    parameters: LaunchParameters,
    rows: Rows,
) -> list[KernelRow]:
    trace, activities = profile.trace, profile.get(find_activities)
    duration = trace.duration[slices]
    occupancy = weighted_mean(parameters.occupancy, duration, rows)
    blocks_per_sm = weighted_mean(parameters.blocks_per_sm, duration, rows)
    found: list[KernelRow] = []
    for at in np.argsort(-rows.total, kind="stable")[:MAX_ROWS].tolist():
        first = int(rows.first[at])
        name_id = int(trace.name[slices[first]])
        name, activity = trace.names[name_id].text, int(activities[name_id])
        grid, block = parameters.shapes[parameters.shape[first]]
        found.append(
            KernelRow(
                name=name,
                operator=operators.texts[operators.code[first]],
                activity=activity,
                calls=int(rows.calls[at]),
                total_ns=int(rows.total[at]),
                mean_ns=round(int(rows.total[at]) / int(rows.calls[at])),
                min_ns=int(rows.min[at]),
                max_ns=int(rows.max[at]),
                grid=grid,
                block=block,
                registers=whole(parameters.registers[first]),
                shared_memory=whole(parameters.shared_memory[first]),
                occupancy=number(occupancy[at]),
                blocks_per_sm=number(blocks_per_sm[at]),
                tensor_cores=tensor_cores_of(name, activity),
                longest=int(rows.longest[at]),
            )
        )
    return found


def weighted_mean(values: NDArray[np.float64], duration: NDArray[np.int64], rows: Rows) -> NDArray[np.float64]:
    """By time, of the calls that have a value; NaN if none has."""
    known = ~np.isnan(values)
    # Calls of no duration count as one nanosecond, or a row of them would have no mean.
    weight = np.where(known, np.maximum(duration, 1), 0)
    weights = np.bincount(rows.row, weight, len(rows.first))
    sums = np.bincount(rows.row, weight * np.nan_to_num(values), len(rows.first))
    mean = np.full(len(sums), np.nan)
    np.divide(sums, weights, out=mean, where=weights > 0)
    return mean


def tensor_cores_of(name: str, activity: int) -> bool | None:
    """None: not a kernel that could use them."""
    if activity not in DEVICE_COMPUTE:
        return None
    return uses_tensor_cores(name) if could_use(name) else None


def tensor_core_share(profile: Profile, slices: SliceIndices) -> float | None:
    """Of the time of computing kernels; None if nothing computes."""
    trace, activities = profile.trace, profile.get(find_activities)
    time_of = sum_by(trace.name[slices], trace.duration[slices], len(trace.names))
    compute = used = 0
    for id in np.flatnonzero(np.isin(activities, DEVICE_COMPUTE) & (time_of > 0)).tolist():
        compute += int(time_of[id])
        used += int(time_of[id]) if uses_tensor_cores(trace.names[id].text) else 0
    return used / compute if compute else None


def number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def whole(value: np.float64) -> int | None:
    return None if np.isnan(value) else int(value)
