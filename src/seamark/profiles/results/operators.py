"""Operators."""

from __future__ import annotations

from typing import Literal

from seamark.profiles.results.base import Result


class OperatorRow(Result, frozen=True, kw_only=True):
    name: str
    activity: int  # Activity of most of its device time; of the host without a device
    calls: int
    self_ns: int
    total_ns: int
    device_self_ns: int | None
    device_total_ns: int | None
    tensor_cores: bool | None  # None: no kernel that could use them
    shapes: str = ""  # when grouped by shapes
    longest: int = -1  # slice


class Operators(Result, frozen=True, kw_only=True):
    rows: list[OperatorRow]
    group: Literal["name", "shapes"]
    total_self_ns: int
    total_device_ns: int | None
    is_cut: bool = False  # there are more rows, with less time
