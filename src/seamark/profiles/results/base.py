"""The base of all results, and the names that several of them share."""

from __future__ import annotations

from typing import Literal

import msgspec

# Where a moment of a step goes; the parts of a step sum to the step.
BREAKDOWN_PARTS = (
    "device_compute_16",
    "device_compute_32",
    "collectives",
    "host_device_copies",
    "input",
    "host_compute",
    "compile",
    "idle",
    "other",
)
StepSource = Literal[
    "profiler_step",  # ProfilerStep#N
    "root",  # root events of an XPlane
    "step_num",
    "trace_context",
    "step_marker",
    "optimizer",
    "data_loader",
    "repetition",
    "tables",  # of TensorFlow's profiler
    "drawn",  # by the user
    "none",
]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    pass
