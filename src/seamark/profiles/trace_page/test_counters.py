"""Counters of a window, by pixel."""

from __future__ import annotations

import math
from pathlib import Path

from seamark.profiles.analyses.memory.counters import find_counters
from seamark.profiles.profile import Profile
from seamark.profiles.testing_traces import TraceBuilder
from seamark.profiles.trace_page.counters import CounterWindow, counter_window


def window_of(times: list[int], values: list[float], start: int, end: int, width: int) -> CounterWindow:
    builder = TraceBuilder()
    builder.counter("other", "python", [0, 5], [1.0, 2.0])
    builder.counter("memory", "GPU 0", times, values)
    trace = builder.build()
    _, memory = find_counters(Profile(trace, Path("trace.json")))
    return counter_window(memory.times, memory.values, start_ns=start, end_ns=end, width=width)


def test_each_pixel_has_its_extremes_and_the_last_value() -> None:
    found = window_of([0, 10, 20, 110, 190, 250], [5.0, 9.0, 1.0, 4.0, 3.0, 8.0], 0, 300, 3)
    assert found.time.tolist() == [0, 110, 250]
    assert found.min.tolist() == [1, 3, 8]
    assert found.max.tolist() == [9, 4, 8]
    assert found.last.tolist() == [1, 3, 8]


def test_a_window_has_one_more_point_on_either_side() -> None:
    found = window_of([0, 100, 200, 300], [1.0, 2.0, 3.0, 4.0], 150, 250, 10)
    assert found.time.tolist() == [100, 200, 300]
    assert window_of([0, 100], [1.0, 2.0], 500, 600, 10).last.tolist() == [2]
    assert window_of([], [], 0, 10, 10).time.tolist() == []


def test_values_that_are_not_numbers_hide_no_others() -> None:
    found = window_of([0, 1, 50], [math.nan, 2.0, math.nan], 0, 100, 2)
    assert (found.min[0], found.max[0]) == (2, 2)
    assert math.isnan(found.min[1])
