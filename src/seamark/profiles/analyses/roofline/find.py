"""Roofline: operations with known FLOPs and bytes against what the device can do.

XPlanes of GPUs and TPUs have FLOPs and bytes of each operation, as statistics of the HLO operation that an event runs.
Those of a CPU have only the compiled programs, and PyTorch's traces the shapes of inputs: FLOPs follow from both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from seamark.profiles.analyses.roofline.device_peaks import peaks_of_device
from seamark.profiles.analyses.roofline.hlo_operations import find_hlo_operations, has_programs
from seamark.profiles.analyses.roofline.torch_operators import (
    CountedOperator,
    find_counted_operators,
    half_share,
    has_counted_operators,
)
from seamark.profiles.analyses.slices.fields import values_of
from seamark.profiles.analyses.slices.resources import find_device_ids
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import Roofline, RooflineRow

NO_DATA = (
    "The trace has no FLOPs and bytes of operations. XLA writes them to the XPlane of a GPU or TPU; "
    "those of PyTorch follow from shapes: record_shapes=True."
)
FROM_SHAPES = (
    "FLOPs follow from the shapes of inputs, for matrix products, convolutions and attention; "
    "bytes are those of inputs and outputs, each moved once."
)
FROM_PROGRAMS = (
    "FLOPs follow from the compiled programs in the file: those of products, convolutions, arithmetic and reductions; "
    "bytes are those of inputs and outputs, each moved once."
)
NO_PEAKS = (
    "The trace does not say what the device can do at most, so no operation is called bound by compute or memory."
)
# Statistics of a device's plane, and what one unit of them is.
PEAK_FLOPS = ("peak_teraflops_per_second", 1e12)
PEAK_BANDWIDTHS = (
    ("peak_hbm_bw_gigabytes_per_second", 1e9),
    ("peak_hbm_bw_gigabyte_per_second", 1e9),
    ("peak_memory_bw_gigabytes_per_second", 1e9),
    ("memory_bandwidth", 1.0),
)


def has_flops(trace: Trace) -> bool:
    return bool(len(trace.field("flops").indices)) or has_programs(trace) or has_counted_operators(trace)


def find_roofline(profile: Profile) -> Roofline:
    trace = profile.trace
    slices = trace.field("flops").indices
    operations = [] if len(slices) else find_hlo_operations(profile)
    counted = [] if len(slices) else operations or find_counted_operators(profile)
    if not len(slices) and not counted:
        return Roofline(rows=[], peak_flop_rate=None, peak_bandwidth=None, notes=[NO_DATA])
    peaks = _find_peaks(profile)
    if counted:
        rows, notes = [_row_of(each, peaks) for each in counted], [FROM_PROGRAMS if operations else FROM_SHAPES]
    else:
        rows, notes = _rows(trace, slices, peaks.rate, peaks.bandwidth), []
    return Roofline(
        rows=sorted(rows, key=lambda row: -row.self_ns),
        peak_flop_rate=peaks.rate,
        peak_bandwidth=peaks.bandwidth,
        are_peaks_nominal=peaks.are_nominal,
        notes=notes,
        peaks_note=peaks.note,
    )


class Peaks(NamedTuple):
    rate: float | None
    bandwidth: float | None
    note: str = ""
    are_nominal: bool = False


def _find_peaks(profile: Profile) -> Peaks:
    """As the trace says, else as the data sheet of its device says."""
    metadata = profile.trace.metadata
    rate, bandwidth = _peak(metadata, (PEAK_FLOPS,)), _peak(metadata, PEAK_BANDWIDTHS)
    if rate and bandwidth:
        return Peaks(rate, bandwidth)
    known = peaks_of_device(_device_name(profile))
    if known is None:
        return Peaks(rate, bandwidth, NO_PEAKS)
    is_half = half_share(profile) >= 0.5 or not known.single
    note = (
        f"The limits are the nominal ones of the data sheet of {known.name}, in {'16' if is_half else '32'} bits, "
        "since the trace does not name them; real programs stay below."
    )
    return Peaks(known.half if is_half else known.single, known.bandwidth, note, are_nominal=True)


def _device_name(profile: Profile) -> str:
    """Of the first device that the trace uses."""
    properties = profile.trace.metadata.get("deviceProperties")
    used = profile.get(find_device_ids)
    for device in properties if isinstance(properties, list) else []:
        if isinstance(device, dict) and device.get("id") in used[:1]:
            return str(device.get("name", ""))
    return ""


def _row_of(operator: CountedOperator, peaks: Peaks) -> RooflineRow:
    intensity = operator.flops / operator.bytes if operator.bytes else 0.0
    return RooflineRow(
        name=operator.name,
        category="",
        calls=operator.calls,
        self_ns=operator.time_ns,
        flops=operator.flops,
        bytes=operator.bytes,
        flop_rate=operator.flops / operator.time_ns * 1e9,
        intensity=intensity,
        bound=_bound(intensity, peaks.rate, peaks.bandwidth),
    )


def _rows(
    trace: Trace, slices: SliceIndices, peak_rate: float | None, peak_bandwidth: float | None
) -> list[RooflineRow]:
    names, group = np.unique(trace.name[slices], return_inverse=True)
    flops = np.bincount(group, trace.field("flops").values.astype(np.float64))
    moved = values_of(trace.fields, slices, "bytes_accessed")
    sizes = np.bincount(group, np.zeros(len(slices)) if moved is None else moved.astype(np.float64))
    own = np.bincount(group, trace.self_time[slices])
    calls = np.bincount(group)
    rows = []
    for index, name in enumerate(names.tolist()):
        if flops[index] <= 0 and sizes[index] <= 0:
            continue
        rate = float(flops[index] / own[index] * 1e9) if own[index] else 0.0
        intensity = float(flops[index] / sizes[index]) if sizes[index] else 0.0
        rows.append(
            RooflineRow(
                name=trace.names[name].text,
                category=trace.names[name].category,
                calls=int(calls[index]),
                self_ns=int(own[index]),
                flops=float(flops[index]),
                bytes=float(sizes[index]),
                flop_rate=rate,
                intensity=intensity,
                bound=_bound(intensity, peak_rate, peak_bandwidth) if sizes[index] else "unknown",
            )
        )
    return rows


def _bound(
    intensity: float, peak_rate: float | None, peak_bandwidth: float | None
) -> Literal["compute", "memory", "unknown"]:
    """Below the ridge, memory limits the rate; above it, the arithmetic units."""
    if not peak_rate or not peak_bandwidth:
        return "unknown"
    return "memory" if intensity < peak_rate / peak_bandwidth else "compute"


def _peak(metadata: Mapping[str, Any], statistics: tuple[tuple[str, float], ...]) -> float | None:
    """The highest value of the first statistic that a plane has."""
    for name, unit in statistics:
        found = [
            float(value) * unit for value in _values(metadata, name) if isinstance(value, int | float) and value > 0
        ]
        if found:
            return max(found)
    return None


def _values(metadata: Any, name: str) -> Iterator[Any]:
    """Of a statistic anywhere in the metadata: they are grouped by plane."""
    if isinstance(metadata, Mapping):
        for key, value in metadata.items():
            if key == name:
                yield value
            else:
                yield from _values(value, name)
    elif isinstance(metadata, list | tuple):
        for value in metadata:
            yield from _values(value, name)
