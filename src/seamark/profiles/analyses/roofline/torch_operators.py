"""FLOPs of torch's operators in a trace that was recorded with shapes: the trace itself has none, even `with_flops`."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import Activity, find_activities
from seamark.profiles.analyses.device.work import find_device_work
from seamark.profiles.analyses.operators.shapes import shape_text
from seamark.profiles.analyses.roofline.formulas import FORMULAS, OperatorInputs, cost_of
from seamark.profiles.analyses.slices.ancestors import nearest_ancestor, sum_by
from seamark.profiles.analyses.slices.argument_values import find_operator_inputs
from seamark.profiles.form import NO_SLICE, SliceIndices, Trace
from seamark.profiles.profile import Profile


class CountedOperator(NamedTuple):
    """An operator with one set of shapes."""

    name: str
    calls: int
    time_ns: int  # on the device if there is one
    flops: float  # of all calls
    bytes: float


def has_counted_operators(trace: Trace) -> bool:
    return bool(trace.metadata.get("record_shapes")) and any(entry.text in FORMULAS for entry in trace.names)


def find_counted_operators(profile: Profile) -> list[CountedOperator]:
    """Raises OSError, ProfileError."""
    slices = _outermost(profile.trace)
    if not len(slices):
        return []
    time = _time_of(profile, slices)
    code, texts = find_operator_inputs(profile, slices)
    key, group = np.unique(code * len(profile.trace.names) + profile.trace.name[slices], return_inverse=True)
    calls, times = np.bincount(group), sum_by(group, time, len(key))
    found: list[CountedOperator] = []
    for at, number in enumerate(key.tolist()):
        inputs = _inputs_of(texts[number // len(profile.trace.names)])
        name = profile.trace.names[number % len(profile.trace.names)].text
        cost = cost_of(name, inputs) if inputs is not None else None
        if inputs is not None and cost is not None and times[at] > 0:
            shapes = ", ".join(shape_text(shape) for shape in inputs.shapes[:3] if shape)
            count = int(calls[at])
            found.append(
                CountedOperator(f"{name} {shapes}", count, int(times[at]), cost.flops * count, cost.bytes * count)
            )
    return found


def half_share(profile: Profile) -> float:
    """Of the time of computing kernels: in 16 bits."""
    trace, work, activities = profile.trace, profile.get(find_device_work), profile.get(find_activities)
    activity, duration = activities[trace.name[work.slices]], trace.duration[work.slices]
    half, full = (int(duration[activity == each].sum()) for each in (Activity.KERNEL_16, Activity.KERNEL_32))
    return half / (half + full) if half + full else 0.0


def _outermost(trace: Trace) -> SliceIndices:
    """Calls with a formula that are in no other such call."""
    of_name = np.array([entry.text in FORMULAS for entry in trace.names], bool)
    is_counted = of_name[trace.name] if len(of_name) else np.empty(0, bool)
    return np.flatnonzero(is_counted & (nearest_ancestor(trace.parent, is_counted) == NO_SLICE))


def _time_of(profile: Profile, slices: SliceIndices) -> NDArray[np.int64]:
    """On the device, of all that is launched inside; on the host if nothing ran on a device."""
    trace, work = profile.trace, profile.get(find_device_work)
    if not len(work.slices):
        return trace.duration[slices]
    is_wanted = np.zeros(trace.slices, bool)
    is_wanted[slices] = True
    linked = work.operator != NO_SLICE
    operator, duration = work.operator[linked], trace.duration[work.slices[linked]]
    around = np.where(is_wanted[operator], operator, nearest_ancestor(trace.parent, is_wanted)[operator])
    inside = around != NO_SLICE
    return sum_by(np.searchsorted(slices, around[inside]), duration[inside], len(slices))


def _inputs_of(json: bytes) -> OperatorInputs | None:
    if not json:
        return None
    try:
        shapes, types, values = msgspec.json.decode(json, type=tuple[list[Any], list[Any], list[Any]])
    except msgspec.MsgspecError:
        return None
    return OperatorInputs(shapes, types, values)
