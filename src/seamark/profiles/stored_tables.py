"""StoredTables: what the tools of TensorFlow's profiler computed, for captures whose trace was not stored."""

from __future__ import annotations

from typing import Any

import msgspec

from seamark.profiles.form import Trace
from seamark.profiles.profile import Profile
from seamark.profiles.results import KernelRow, OperatorRow, Result, StepBreakdown

METADATA_KEY = "tensorflow_tables"


class InputOperation(Result, frozen=True, kw_only=True):
    """An operation of the input pipeline on the host, such as `Iterator::Prefetch::Map`."""

    name: str
    calls: int
    total_ns: int
    self_ns: int


class StoredTables(Result, frozen=True, kw_only=True):
    """Tables that the capture does not have are empty."""

    steps: list[StepBreakdown] = msgspec.field(
        default_factory=list
    )  # one after the other, since the tables have no times of steps
    operators: list[OperatorRow] = msgspec.field(default_factory=list)
    kernels: list[KernelRow] = msgspec.field(default_factory=list)
    input_operations: list[InputOperation] = msgspec.field(default_factory=list)
    input_statement: str = ""  # what TensorFlow says about the input
    device: str = ""  # "8 × GPU"; "": only the host
    host_count: int = 0
    notes: list[str] = msgspec.field(default_factory=list)


def encode_tables(tables: StoredTables) -> Any:
    """For the metadata of a trace."""
    return msgspec.to_builtins(tables)


def has_stored_tables(trace: Trace) -> bool:
    return METADATA_KEY in trace.metadata


def find_stored_tables(profile: Profile) -> StoredTables | None:
    """None for a trace."""
    try:
        return msgspec.convert(profile.trace.metadata[METADATA_KEY], StoredTables)
    except (KeyError, msgspec.ValidationError):  # any JSON may have this key
        return None
