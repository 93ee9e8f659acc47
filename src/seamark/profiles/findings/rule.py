"""Rule: one thing to look for. A rule returns findings only with the slices that prove them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from seamark.profiles.findings.timeline import Timeline, longest_first
from seamark.profiles.form import SliceIndices
from seamark.profiles.results import Evidence, Finding

# A change that gains less of the mean step is not worth a sentence.
MIN_GAIN = 0.03
MAX_EVIDENCE = 200


class Rule(NamedTuple):
    """`check` returns None if the rule finds nothing; `needs` says what the trace lacks, or is empty."""

    code: str
    check: Callable[[Timeline], Finding | None]
    needs: Callable[[Timeline], str] = lambda _: ""


def needs_device(timeline: Timeline) -> str:
    return "" if timeline.has_device else "no device in the trace"


def needs_memory(timeline: Timeline) -> str:
    return "" if "Total Allocated" in timeline.trace.instant_fields else "memory was not recorded"


def finding(
    timeline: Timeline,
    code: str,
    *,
    text: str,
    advice: str,
    gain_ns: float,
    formula: str,
    slices: SliceIndices,
    min_gain: float = MIN_GAIN,
) -> Finding | None:
    """`gain_ns` is of all steps together. None below the threshold or without a slice that proves it."""
    if not timeline.count or not len(slices):
        return None
    gain = gain_ns / max(1, timeline.total_ns)
    if gain < min_gain:
        return None
    return Finding(
        code=code,
        text=text,
        advice=advice,
        gain=gain,
        gain_ns=round(gain_ns / timeline.count),
        formula=formula,
        evidence=evidence(timeline, slices),
    )


def evidence(timeline: Timeline, slices: SliceIndices) -> Evidence:
    """The longest slices, and a window that shows those of one step."""
    shown = longest_first(timeline, slices)[:MAX_EVIDENCE]
    start, end = timeline.trace.start, timeline.trace.end
    step = int(np.searchsorted(timeline.step_start, start[shown[0]], "right")) - 1
    window = start[shown[0]], end[shown[0]]
    if step >= 0:
        inside = shown[(start[shown] >= timeline.step_start[step]) & (start[shown] < timeline.step_end[step])]
        if len(inside):
            window = start[inside].min(), end[inside].max()
    margin = max(1000, int(window[1] - window[0]) // 5)
    return Evidence(
        count=len(slices),
        slices=[int(index) for index in shown],
        start_ns=int(window[0]) - margin,
        end_ns=int(window[1]) + margin,
    )


def steps_with(timeline: Timeline, slices: SliceIndices) -> int:
    """How many steps have one of the slices."""
    at = np.searchsorted(timeline.step_start, timeline.trace.start[slices], "right") - 1
    return len(np.unique(at[at >= 0]))


def in_ms(ns: float) -> str:
    return f"{ns / 1e6:.2f} ms" if ns < 1e9 else f"{ns / 1e9:.2f} s"


def count_of(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
