"""Roofline."""

from __future__ import annotations

from typing import Literal

from seamark.profiles.results.base import Result


class RooflineRow(Result, frozen=True, kw_only=True):
    name: str
    category: str
    calls: int
    self_ns: int
    flops: float  # of all calls
    bytes: float
    flop_rate: float  # a second
    intensity: float  # flops for each byte
    bound: Literal["compute", "memory", "unknown"]


class Roofline(Result, frozen=True, kw_only=True):
    rows: list[RooflineRow]
    peak_flop_rate: float | None
    peak_bandwidth: float | None
    are_peaks_nominal: bool = False  # of a data sheet: no program reaches them
    notes: list[str]
    peaks_note: str = ""  # where the limits come from, or that there are none
