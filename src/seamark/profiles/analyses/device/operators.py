"""Operators that only the device knows: XLA operations of an XPlane, whose kernels no operator on the host launched."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import find_activities
from seamark.profiles.analyses.device.tensor_cores import could_use, uses_tensor_cores
from seamark.profiles.analyses.device.work import find_device_work
from seamark.profiles.analyses.slices.ancestors import longest_by, sum_by
from seamark.profiles.analyses.slices.argument_values import MAX_XEVENTS
from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import NO_SLICE
from seamark.profiles.profile import Profile
from seamark.profiles.results import OperatorRow

# The framework's name of an operation first: it has the scopes.
NAMES = ("tf_op", "hlo_op")


def find_device_operators(profile: Profile) -> tuple[NDArray[np.int64], list[str]]:
    """Of each slice of the device's work: position in the names; the first name is "", for those that have none."""
    trace, work = profile.trace, profile.get(find_device_work)
    code, names = np.zeros(len(work.slices), np.int64), {"": 0}
    if trace.argument_format != "xevent":
        return code, [""]
    is_line = np.array([track.type == "line" for track in trace.tracks], bool)
    unknown = np.flatnonzero(work.operator == NO_SLICE)[:MAX_XEVENTS]
    for at, found in zip(unknown.tolist(), read_arguments(profile, work.slices[unknown].tolist()), strict=True):
        slice = int(work.slices[at])
        name = next((str(found[key]).rstrip(":") for key in NAMES if found.get(key)), "")
        # A line of XLA operations has nothing but operations.
        code[at] = names.setdefault(name or (trace.text(slice) if is_line[trace.track[slice]] else ""), len(names))
    return code, list(names)


def device_operator_rows(profile: Profile) -> list[OperatorRow]:
    """They take no time on the host."""
    trace, work = profile.trace, profile.get(find_device_work)
    code, names = profile.get(find_device_operators)
    known = code > 0
    slices, code = work.slices[known], code[known]
    duration = trace.duration[slices]
    own, total = sum_by(code, trace.self_time[slices], len(names)), sum_by(code, duration, len(names))
    calls, longest = np.bincount(code, minlength=len(names)), longest_by(code, slices, duration, len(names))
    activities = profile.get(find_activities)
    rows: list[OperatorRow] = []
    for at in np.flatnonzero(calls).tolist():
        kernel = trace.text(int(longest[at]))
        rows.append(
            OperatorRow(
                name=names[at],
                activity=int(activities[trace.name[longest[at]]]),
                calls=int(calls[at]),
                self_ns=0,
                total_ns=0,
                device_self_ns=int(own[at]),
                device_total_ns=int(total[at]),
                tensor_cores=uses_tensor_cores(kernel) if could_use(kernel) else None,
                longest=int(longest[at]),
            )
        )
    return rows
