"""Messages: how many bytes a collective moves, and among how many ranks."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.slices.fields import values_of
from seamark.profiles.arguments import Arguments, read_arguments
from seamark.profiles.form import ProfileError, SliceIndices, Trace
from seamark.profiles.profile import Profile

# `dtype` among the arguments, as c10 names types.
DTYPE_BYTES = {
    "byte": 1,
    "char": 1,
    "bool": 1,
    "short": 2,
    "int": 4,
    "long": 8,
    "half": 2,
    "float": 4,
    "double": 8,
    "bfloat16": 2,
    "complexfloat": 8,
    "complexdouble": 16,
}
# Reading the arguments of more collectives than this takes too long; of the rest, the name says it.
MAX_READ = 20_000
# The type in the name of a kernel: ncclDevKernel_AllReduce_Sum_bf16_RING_LL, ncclKernel_AllReduce_RING_LL_Sum_float.
TYPE_IN_NAME = re.compile(
    r"_(f64|double|[iu]64|u?int64_t|f32|float|[iu]32|u?int32_t|b?f16|half|bfloat16|f8e\w+|[iu]8|u?int8_t)(?:_|\(|\Z)"
)
NAME_BYTES = {"double": 8, "float": 4, "half": 2, "bfloat16": 2}
# Collectives that only move data have the type int8 in their name, whatever they move.
REDUCING_KINDS = ("all_reduce", "reduce_scatter", "reduce")
# The operator of torch that has the sizes, if the kernel itself has not.
OPERATOR = "record_param_comms"


class Messages(NamedTuple):
    bytes: NDArray[np.float64]  # NaN: not known
    size: list[int]  # how many ranks take part; 0: not known
    members: list[str]  # which ranks, as torch writes them: "[0, 1]"; "": not known


def find_messages(profile: Profile, slices: SliceIndices, kinds: list[str]) -> Messages:
    trace = profile.trace
    source = _with_sizes(trace, slices)
    sizes = values_of(trace.fields, source, "Group size")
    size = [0] * len(slices) if sizes is None else [int(each) for each in sizes]
    received, sent = (values_of(trace.fields, source, f"{side} msg nelems") for side in ("In", "Out"))
    if received is None and sent is None:
        known = values_of(trace.fields, slices, "bytes", "bytes_accessed")
        moved = np.full(len(slices), np.nan) if known is None else _positive(known)
        return Messages(moved, size, [""] * len(slices))
    elements = np.maximum(0 if received is None else received, 0 if sent is None else sent)
    arguments = _arguments(profile, source[:MAX_READ])
    arguments += [{}] * (len(slices) - len(arguments))
    element_sizes = np.array(
        [
            dtype_bytes(str(each.get("dtype", ""))) or element_bytes(trace.text(int(index)), kind)
            for each, index, kind in zip(arguments, slices, kinds, strict=True)
        ],
        np.float64,
    )
    members = [str(each.get("Process Group Ranks", "")) for each in arguments]
    return Messages(_positive(elements) * element_sizes, size, members)


def _arguments(profile: Profile, slices: SliceIndices) -> list[Arguments]:
    try:
        return read_arguments(profile, slices.tolist())
    except (OSError, ProfileError):
        return []  # the file has changed: the names of kernels still say most of it


def dtype_bytes(dtype: str) -> int | None:
    lower = dtype.lower()
    return 1 if lower.startswith("float8") else DTYPE_BYTES.get(lower)


def element_bytes(text: str, kind: str) -> float:
    """From the name of a kernel; NaN: it does not say."""
    match = TYPE_IN_NAME.search(text) if kind in REDUCING_KINDS else None
    if match is None:
        return float("nan")
    if match[1] in NAME_BYTES:
        return NAME_BYTES[match[1]]
    bits = re.search(r"\d+", match[1])
    return int(bits[0]) / 8 if bits else float("nan")


def _positive(values: NDArray[np.generic]) -> NDArray[np.float64]:
    real = values.astype(np.float64)
    return np.where(real > 0, real, np.nan)


def _with_sizes(trace: Trace, slices: SliceIndices) -> SliceIndices:
    """Of each collective: the slice whose fields have the sizes: itself, or the operator with the same external id."""
    if values_of(trace.fields, slices, "In msg nelems") is not None:
        return slices
    operators = trace.field("In msg nelems").indices
    ids, own = values_of(trace.fields, operators, "External id"), values_of(trace.fields, slices, "External id")
    if ids is None or own is None:
        return slices
    order = np.argsort(ids, kind="stable")
    at = np.minimum(np.searchsorted(ids[order], own), len(order) - 1)
    found = order[at]
    same = (ids[found] == own) & (own != 0)
    return np.where(same, operators[found], slices)
