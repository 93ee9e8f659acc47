"""Argument values: one argument of many slices, each distinct value once.

Most slices share few values, such as the shapes of their inputs, so that only the distinct texts are parsed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark.profiles.arguments import read_arguments
from seamark.profiles.form import SliceIndices, Trace
from seamark.profiles.profile import Profile

# Arguments of neighbours are read together, in blocks of at most so many bytes.
BLOCK_BYTES = 4 << 20
MAX_GAP_BYTES = 64 << 10
# Decoding the stats of an XEvent takes some 20 µs; the slices behind the first so many have no value.
MAX_XEVENTS = 100_000
ABSENT = b""
# A profiler records the shapes of all operators or of none: if none of so many has them, the others are not read.
SAMPLE = 2_000


class ArgumentValues(NamedTuple):
    code: NDArray[np.int64]  # of each slice: position in texts
    texts: list[bytes]  # JSON; the first is empty, for slices without a value


class Wanted(msgspec.Struct):
    """The arguments that tables need, under their old and their new names."""

    input_dims: msgspec.Raw = msgspec.field(name="Input Dims", default=msgspec.Raw(ABSENT))
    old_input_dims: msgspec.Raw = msgspec.field(name="Input dims", default=msgspec.Raw(ABSENT))
    types: msgspec.Raw = msgspec.field(name="Input type", default=msgspec.Raw(ABSENT))
    values: msgspec.Raw = msgspec.field(name="Concrete Inputs", default=msgspec.Raw(ABSENT))
    grid: msgspec.Raw = msgspec.Raw(ABSENT)
    block: msgspec.Raw = msgspec.Raw(ABSENT)


def find_input_dims(profile: Profile, slices: SliceIndices) -> ArgumentValues:
    """Raises OSError, ProfileError."""
    trace = profile.trace
    sample = slices[:: max(1, len(slices) // SAMPLE)]
    if trace.argument_format != "json" or not any(dims_of(each) for _, each in decode(trace, sample)):
        return ArgumentValues(np.zeros(len(slices), np.int64), [ABSENT])
    found = decode(trace, slices)
    return collect(slices, ((at, dims_of(each)) for at, each in found))


def find_operator_inputs(profile: Profile, slices: SliceIndices) -> ArgumentValues:
    """Shapes, types and plain values of the inputs, as one JSON list of three lists. Raises OSError, ProfileError."""
    found = decode(profile.trace, slices) if profile.trace.argument_format == "json" else ()
    return collect(slices, ((at, inputs_of(each)) for at, each in found))


def inputs_of(found: Wanted) -> bytes:
    dims = dims_of(found)
    return b"[%b,%b,%b]" % (dims, bytes(found.types) or b"[]", bytes(found.values) or b"[]") if dims else ABSENT


def dims_of(found: Wanted) -> bytes:
    return bytes(found.input_dims) or bytes(found.old_input_dims)


def find_launch_shapes(profile: Profile, slices: SliceIndices) -> ArgumentValues:
    """Grid and block as one JSON list. Raises OSError, ProfileError."""
    if profile.trace.argument_format == "json":
        found = decode(profile.trace, slices)
        return collect(slices, ((at, pair(bytes(each.grid), bytes(each.block))) for at, each in found))
    arguments = read_arguments(profile, slices[:MAX_XEVENTS].tolist())
    encode = msgspec.json.encode
    texts = (pair(encode(each["grid"]), encode(each.get("block"))) if "grid" in each else ABSENT for each in arguments)
    return collect(slices, enumerate(texts))


def pair(grid: bytes, block: bytes) -> bytes:
    return b"[%b,%b]" % (grid, block or b"null") if grid else ABSENT


def collect(slices: SliceIndices, values: Iterable[tuple[int, bytes]]) -> ArgumentValues:
    codes = {ABSENT: 0}
    code = np.zeros(len(slices), np.int64)
    for at, value in values:
        code[at] = codes.setdefault(value, len(codes))
    return ArgumentValues(code, list(codes))


def decode(trace: Trace, slices: SliceIndices) -> Iterator[tuple[int, Wanted]]:
    """What can be decoded, with its position in `slices`."""
    decoder = msgspec.json.Decoder(Wanted)
    for at, text in read_texts(trace, slices):
        try:
            yield at, decoder.decode(text)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            continue


def read_texts(trace: Trace, slices: SliceIndices) -> Iterator[tuple[int, memoryview]]:
    """The arguments of each slice that has some, in the order of the file. Raises OSError, ProfileError."""
    if trace.arguments is None:
        return
    size = trace.argument_size[slices].astype(np.int64)
    start = trace.argument_start[slices].astype(np.int64)
    order = np.argsort(start, kind="stable")
    order = order[size[order] > 0]
    for block in blocks_of(start[order], size[order]):
        chosen = order[block]
        first = int(start[chosen[0]])
        text = memoryview(trace.arguments.read(first, int(start[chosen[-1]] + size[chosen[-1]]) - first))
        offsets, ends = start[chosen] - first, start[chosen] - first + size[chosen]
        for at, begin, end in zip(chosen.tolist(), offsets.tolist(), ends.tolist(), strict=True):
            yield at, text[begin:end]


def blocks_of(start: NDArray[np.int64], size: NDArray[np.int64]) -> Iterator[slice]:
    """Ranges of arguments that are read together; `start` ascends."""
    if not len(start):
        return
    gaps = np.flatnonzero(start[1:] - (start + size)[:-1] > MAX_GAP_BYTES) + 1
    for first, last in zip([0, *gaps.tolist()], [*gaps.tolist(), len(start)], strict=True):
        at = first
        while at < last:
            following = int(np.searchsorted(start[:last], start[at] + BLOCK_BYTES))
            yield slice(at, max(at + 1, following))
            at = max(at + 1, following)
