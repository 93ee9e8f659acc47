"""FLOPs of operations from the compiled programs in an XPlane, for those of a CPU, which have no FLOPs themselves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

import numpy as np

from seamark.profiles.analyses.roofline.hlo_costs import HloCost, costs_of
from seamark.profiles.analyses.roofline.torch_operators import CountedOperator
from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile

OPERATION = "Op"
# Programs behind the first so many bytes are not read: some 5 MB take a second.
MAX_PROGRAM_BYTES = 16 << 20
# Reading the arguments of a slice takes some 20 µs.
MAX_ARGUMENTS = 100_000
Program = Mapping[str, HloCost]  # by the name of the operation


def has_programs(trace: Trace) -> bool:
    return bool(trace.metadata.get("hlo_modules")) and any(entry.category == OPERATION for entry in trace.names)


def find_hlo_operations(profile: Profile) -> list[CountedOperator]:
    """Raises OSError, ProfileError."""
    if not has_programs(profile.trace):
        return []
    trace, programs = profile.trace, dict(_programs(profile))
    found: list[CountedOperator] = []
    for name, named in _operations(trace):
        costs = {id: program[name] for id, program in programs.items() if name in program}
        for id, slices in _by_program(profile, named, costs).items():
            cost, time, calls = costs[id], int(trace.self_time[slices].sum()), len(slices)
            if time > 0:
                found.append(CountedOperator(name, calls, time, cost.flops * calls, cost.bytes * calls))
    return found


def _operations(trace: Trace) -> Iterator[tuple[str, SliceIndices]]:
    """The slices of each name."""
    is_operation = np.array([entry.category == OPERATION for entry in trace.names], bool)
    slices = np.flatnonzero(is_operation[trace.name])
    slices = slices[np.argsort(trace.name[slices], kind="stable")]
    numbers, starts = np.unique(trace.name[slices], return_index=True)
    for number, named in zip(numbers.tolist(), np.split(slices, starts[1:]), strict=True):
        yield trace.names[number].text, named


def _programs(profile: Profile) -> Iterator[tuple[int, Program]]:
    read = 0
    with profile.source.open("rb") as file:
        for module in profile.trace.metadata["hlo_modules"]:
            read += module["size"]
            if module["program_id"] is not None and read <= MAX_PROGRAM_BYTES:
                file.seek(module["start"])
                yield module["program_id"], costs_of(file.read(module["size"]))


def _by_program(
    profile: Profile, slices: SliceIndices, costs: Mapping[int, HloCost]
) -> Mapping[int, list[int] | SliceIndices]:
    """The slices of an operation by the program that it is in: several programs may have one of the same name."""
    if len(set(costs.values())) <= 1:
        return dict.fromkeys(list(costs)[:1], slices)
    found: dict[int, list[int]] = defaultdict(list)
    known = slices[:MAX_ARGUMENTS].tolist()
    for slice, arguments in zip(known, read_arguments(profile, known), strict=True):
        program = arguments.get("program_id")
        if isinstance(program, int) and program in costs:
            found[program].append(slice)
    return found
