"""Launches: which call on the host started each slice of a device."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.slices.columns import tracks_of
from seamark.profiles.form import NO_SLICE, SliceIndices, Trace
from seamark.profiles.profile import Profile


def find_device_slices(profile: Profile) -> SliceIndices:
    """The slices on tracks of devices, ascending."""
    trace = profile.trace
    ranges = [trace.slices_of_track(track) for track in trace.tracks if track.is_device]
    ranges.sort(key=lambda found: found.start)
    return np.concatenate([np.empty(0, np.int64), *(np.arange(found.start, found.stop) for found in ranges)])


def on_device(trace: Trace, slices: SliceIndices) -> NDArray[np.bool_]:
    """Whether each of these slices is on a track of a device."""
    tracks = np.array([track.is_device for track in trace.tracks], bool)
    return tracks[tracks_of(trace, slices)] if len(slices) else np.empty(0, bool)


def find_launches(profile: Profile) -> SliceIndices:
    """Of each slice of find_device_slices: the call that launched it by correlation, else by an arrow, or NO_SLICE."""
    trace, device = profile.trace, profile.get(find_device_slices)
    launch = np.full(len(device), NO_SLICE, np.int64)
    if not len(device):
        return launch
    indices, values = trace.field("correlation")
    values = _of_hosts(trace, indices, values)
    is_device = on_device(trace, indices)
    _match(launch, device, indices[is_device], values[is_device], indices[~is_device], values[~is_device])
    arrows = on_device(trace, trace.flow_to) & ~on_device(trace, trace.flow_from)
    if arrows.any():
        position = np.searchsorted(device, trace.flow_to[arrows])
        missing = launch[position] == NO_SLICE
        launch[position[missing]] = trace.flow_from[arrows][missing]
    return launch


def _of_hosts(trace: Trace, indices: SliceIndices, values: SliceIndices) -> SliceIndices:
    """Numbers of one host mean nothing on another: made different where a trace has several."""
    hosts = {host: number for number, host in enumerate(dict.fromkeys(track.host for track in trace.tracks))}
    if len(hosts) < 2:
        return values
    of_track = np.array([hosts[track.host] for track in trace.tracks], np.int64)
    return np.where(values == 0, 0, values + (of_track[tracks_of(trace, indices)] << 48))


def _match(
    launch: SliceIndices,
    device: SliceIndices,
    device_indices: SliceIndices,
    device_values: SliceIndices,
    host_indices: SliceIndices,
    host_values: SliceIndices,
) -> None:
    if not len(host_values) or not len(device_values):
        return
    if np.any(host_values[1:] < host_values[:-1]):
        order = np.argsort(host_values, kind="stable")
        host_values, host_indices = host_values[order], host_indices[order]
    found = np.minimum(np.searchsorted(host_values, device_values), len(host_values) - 1)
    # 0 is what the profiler writes when it knows no correlation.
    same = (host_values[found] == device_values) & (device_values != 0)
    launch[np.searchsorted(device, device_indices[same])] = host_indices[found[same]]
