"""Sums and trees of areas beyond what the routes show: limits, several devices, equal names."""

from __future__ import annotations

import pytest

from seamark.profiles.analyses.trees import stacks
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import profile_of as profile_of_events
from seamark.profiles.testing_events import slice_event
from seamark.profiles.testing_traces import TraceBuilder, profile_of
from seamark.profiles.trace_page import area as area_module
from seamark.profiles.trace_page.area import TraceArea, find_area, slices_in


def whole(profile: Profile) -> TraceArea:
    start, end = profile.trace.span
    return TraceArea(profile.trace.tracks, start, end)


def test_names_of_several_categories_are_one_row() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 10, "load", "x")
    builder.slice(main, 20, 10, "load", "y")
    profile = profile_of(builder)
    rows = find_area(profile, whole(profile), "name").rows
    assert [(row.name, row.count, row.total_ns) for row in rows] == [("load", 2, 20)]


def test_the_smallest_names_are_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(area_module, "MAX_ROWS", 2)
    builder = TraceBuilder()
    main = builder.track("main")
    for number in range(5):
        builder.slice(main, 100 * number, 10 * (number + 1), f"op {number}")
    profile = profile_of(builder)
    rows = find_area(profile, whole(profile), "name").rows
    assert [(row.name, row.total_ns) for row in rows] == [("op 4", 50), ("op 3", 40), ("(3 other names)", 60)]
    assert rows[2].longest == 2


def test_idle_is_the_mean_of_the_devices() -> None:
    builder = TraceBuilder()
    first, second = builder.track("stream 7", device=0), builder.track("stream 9", device=0)
    other = builder.track("stream 7", device=1)
    builder.slice(first, 0, 60, "gemm", "kernel")
    builder.slice(second, 40, 40, "gemm", "kernel")
    builder.slice(other, 0, 20, "gemm", "kernel")
    profile = profile_of(builder)
    found = find_area(profile, TraceArea(profile.trace.tracks, 0, 100), "track")
    assert found.device_idle_ns == (20 + 80) // 2
    assert found.overlaps


def test_an_area_without_tracks_is_empty() -> None:
    builder = TraceBuilder()
    builder.slice(builder.track("main"), 0, 10, "a")
    profile = profile_of(builder)
    assert find_area(profile, TraceArea([], 0, 10), "name").rows == []
    assert slices_in(profile, TraceArea([], 0, 10)).tolist() == []


def test_a_tree_has_the_largest_nodes_with_their_parents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stacks, "MAX_NODES", 3)
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 100, "outer")
    builder.slice(main, 10, 50, "large")
    builder.slice(main, 70, 5, "small")
    builder.slice(main, 200, 40, "second")
    profile = profile_of(builder)
    tree = stacks.stack_tree(profile, slices_in(profile, whole(profile)), start_ns=0, end_ns=300)
    assert [(node.name, node.parent) for node in tree.nodes] == [("outer", -1), ("large", 0), ("second", -1)]
    assert tree.is_cut


def test_self_time_is_never_negative() -> None:
    times = {"outer": (0, 100_000), "a": (10_000, 80_000), "b": (20_000, 80_000)}
    events = [slice_event(name, start, duration) for name, (start, duration) in times.items()]
    profile = profile_of_events(events)
    rows = {row.name: row.self_ns for row in find_area(profile, whole(profile), "name").rows}
    assert rows == {"outer": 0, "a": 80_000, "b": 80_000}
