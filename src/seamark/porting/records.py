"""Encodes imported data as framed records. Nothing is rounded: values that float32 cannot hold are float64.

The core encodes float32 scalars only. Float64 series are put together here from a template, which avoids a protobuf
message per point.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.format.messages import Summary
from seamark.kinds import hparams, scalar, text
from seamark.kinds.summary import event_record
from seamark.porting.params import hparams_of
from seamark.porting.source import SourceRun
from seamark.write.run.secrets import redact

TAGS_TAG, NOTES_TAG = "run/tags", "run/notes"
STATUSES = {
    "finished": hparams.Status.SUCCESS,
    "failed": hparams.Status.FAILURE,
    "crashed": hparams.Status.FAILURE,
    "killed": hparams.Status.FAILURE,
    "running": hparams.Status.RUNNING,
}
# The placeholder for the value in a template; no other eight bytes of a summary equal it.
PLACE = struct.unpack("<d", b"SEAMARK!")[0]
CHUNK_POINTS = 1 << 16


def scalar_records(
    tag: str, steps: NDArray[np.int64], walls: NDArray[np.float64], values: NDArray[np.float64]
) -> Iterator[bytes]:
    with np.errstate(over="ignore"):
        narrow = values.astype(np.float32).astype(np.float64)
    if np.array_equal(narrow, values, equal_nan=True):
        yield _core.encode_scalars([tag.encode()], np.zeros(len(steps), np.uint32), steps, walls, values)
        return
    head, tail = _template(tag)
    # The summary has the same length for every value, so only the step changes the size of a record.
    size = _varint(len(head) + 8 + len(tail))
    for start in range(0, len(steps), CHUNK_POINTS):
        stop = start + CHUNK_POINTS
        columns = (steps[start:stop].tolist(), walls[start:stop].tolist(), values[start:stop].tolist())
        yield b"".join(
            _core.frame(
                b"\x09" + _DOUBLE(wall) + b"\x10" + _varint(step) + b"\x2a" + size + head + _DOUBLE(value) + tail
            )
            for step, wall, value in zip(*columns, strict=True)
        )


def fact_records(run: SourceRun, *, wall: float) -> Iterator[bytes]:
    """Encodes parameters as hparams, tags as a table, notes as text."""
    params = hparams_of(redact.mapping(run.params))
    if params:
        for info in (_experiment(params, sorted(run.scalars)), _session_start(run, params)):
            yield event_record(hparams.encode(info), step=0, wall_time=wall)
    if run.tags:
        rows = [["tag", "value"], *([key, value] for key, value in sorted(run.tags.items()))]
        yield event_record(text.encode(TAGS_TAG, rows), step=0, wall_time=wall)
    if run.notes:
        yield event_record(text.encode(NOTES_TAG, run.notes), step=0, wall_time=wall)
    if params and run.status in STATUSES and run.status != "running":
        end = hparams.SessionEnd(STATUSES[run.status], 0.0 if math.isnan(run.end) else run.end)
        yield event_record(hparams.encode(end), step=0, wall_time=wall)


def _experiment(params: Mapping[str, Any], metrics: Sequence[str]) -> hparams.Experiment:
    types = {bool: hparams.HParamType.BOOL, float: hparams.HParamType.FLOAT64, str: hparams.HParamType.STRING}
    return hparams.Experiment(
        hparams=tuple(hparams.HParamInfo(name, type=types[type(value)]) for name, value in params.items()),
        metrics=tuple(hparams.MetricInfo(tag) for tag in metrics),
    )


def _session_start(run: SourceRun, params: Mapping[str, Any]) -> hparams.SessionStart:
    start = 0.0 if math.isnan(run.start) else run.start
    return hparams.SessionStart(hparams=params, start_time_secs=start)


_DOUBLE = struct.Struct("<d").pack


def _template(tag: str) -> tuple[bytes, bytes]:
    """A summary with one float64 value, split at the value."""
    whole = Summary(value=[scalar.encode(tag, PLACE, double=True)]).SerializeToString()
    head, _, tail = whole.rpartition(_DOUBLE(PLACE))
    return head, tail


def _varint(number: int) -> bytes:
    number &= 0xFFFF_FFFF_FFFF_FFFF  # a negative step takes ten bytes
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
