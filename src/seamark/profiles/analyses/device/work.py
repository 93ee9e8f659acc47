"""Device work: which operator launched what runs on a device.

A kernel and its launch have the same correlation, and the innermost operator around the launch is the one. The
External id of a kernel names its operator only where there is none around: torch writes stale ids for some copies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES, Activity, find_activities, is_framework_call
from seamark.profiles.analyses.device.launches import find_device_slices, find_launches
from seamark.profiles.analyses.slices.ancestors import Mask, Parents, nearest_ancestor
from seamark.profiles.form import NO_SLICE, SliceIndices, Trace
from seamark.profiles.profile import Profile

OPERATOR_CATEGORIES = frozenset({"cpu_op", "operator", "op"})


@dataclass(frozen=True, eq=False)
class HostOperators:
    """Slices that are operators, and those around them."""

    is_operator: Mask  # of each slice
    slices: SliceIndices  # ascending
    parent: Parents  # of each slice: the innermost operator around it


@dataclass(frozen=True, eq=False)
class DeviceWork:
    """Kernels, copies and collectives on devices, with where they come from."""

    slices: SliceIndices  # ascending
    launch: SliceIndices  # the slice on the host that launched each; NO_SLICE: not in the trace
    operator: SliceIndices  # the operator slice; NO_SLICE: none


def find_host_operators(profile: Profile) -> HostOperators:
    trace, activities = profile.trace, profile.get(find_activities)
    categories = np.array([entry.category.lower() in OPERATOR_CATEGORIES for entry in trace.names], bool)
    calls = np.array([is_framework_call(entry.text) for entry in trace.names], bool)
    of_name = (categories | (activities == Activity.HOST_OP)) & ~calls
    is_operator = of_name[trace.name] if len(of_name) else np.empty(0, bool)
    is_operator[profile.get(find_device_slices)] = False
    if not is_operator.any():
        is_operator = python_functions(trace, activities)
    return HostOperators(is_operator, np.flatnonzero(is_operator), nearest_ancestor(trace.parent, is_operator))


def python_functions(trace: Trace, activities: NDArray[np.uint8]) -> Mask:
    """Of a program without operators: the functions on the threads that make steps, or of all threads."""
    of_slice = activities[trace.name] if len(activities) else np.empty(0, np.uint8)
    is_function: Mask = of_slice == Activity.PYTHON
    stepping = np.unique(trace.track[of_slice == Activity.STEP])
    return is_function & np.isin(trace.track, stepping) if len(stepping) else is_function


def find_device_work(profile: Profile) -> DeviceWork:
    trace, device = profile.trace, profile.get(find_device_slices)
    is_work = np.isin(profile.get(find_activities), DEVICE_ACTIVITIES)[trace.name[device]]
    is_work &= ~repeats_streams(trace)[trace.track[device]]
    slices, launch = device[is_work], profile.get(find_launches)[is_work]
    return DeviceWork(slices, launch, operators_of(profile, slices, launch))


def repeats_streams(trace: Trace) -> Mask:
    """The tracks of a device that show the work of its streams once more, by operation."""
    with_streams = {(track.host, track.pid) for track in trace.tracks if track.is_device and track.type == "stream"}
    return np.array([track.type == "line" and (track.host, track.pid) in with_streams for track in trace.tracks], bool)


def operators_of(profile: Profile, slices: SliceIndices, launch: SliceIndices) -> SliceIndices:
    trace, operators = profile.trace, profile.get(find_host_operators)
    if not len(slices):
        return slices
    launched = np.maximum(launch, 0)
    around = np.where(operators.is_operator[launched], launched, operators.parent[launched])
    around = np.where(launch == NO_SLICE, NO_SLICE, around)
    return np.where(around == NO_SLICE, match_operators(trace, slices, operators.is_operator), around)


def host_numbers(trace: Trace) -> NDArray[np.int64]:
    """Of each track: ids of one host mean nothing on another."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(track.host, len(numbers)) for track in trace.tracks], np.int64)


def match_operators(trace: Trace, slices: SliceIndices, is_operator: Mask) -> SliceIndices:
    """For each slice, the operator with the same External id; NO_SLICE if there is none."""
    indices, values = trace.field("External id")
    result = np.full(len(slices), NO_SLICE, np.int64)
    is_offered = is_operator[indices]
    if not is_offered.any():
        return result
    # The ids are below 2**48 in practice; hosts are few.
    keys = values.astype(np.int64) + (host_numbers(trace)[trace.track[indices]] << 48)
    offered, offered_keys = indices[is_offered], keys[is_offered]
    order = np.argsort(offered_keys, kind="stable")
    offered, offered_keys = offered[order], offered_keys[order]
    at = np.minimum(np.searchsorted(indices, slices), len(indices) - 1)
    has = indices[at] == slices
    wanted = keys[at[has]]
    found = np.minimum(np.searchsorted(offered_keys, wanted), len(offered_keys) - 1)
    result[has] = np.where(offered_keys[found] == wanted, offered[found], NO_SLICE)
    return result
