"""Windows of traces: the native query behind them has tests of its own in core/trace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from seamark._core import build_longest
from seamark.profiles import window
from seamark.profiles.profile import Profile
from seamark.profiles.testing_traces import TraceBuilder, profile_of
from seamark.profiles.trace_page.search import search_slices
from seamark.profiles.window import trace_window


@pytest.fixture
def profile() -> Profile:
    builder = TraceBuilder()
    for track in (builder.track("main"), builder.track("worker")):
        for number in range(100):
            builder.slice(track, 100 * number, 10 + number % 7, f"op {number % 3}", "cpu_op")
    return profile_of(builder)


def test_a_window_of_very_many_pixels_has_wider_ones(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.arange(2)
    fine = trace_window(profile, rows, start_ns=0, end_ns=10_000, width=5_000)
    assert len(fine["row"]) == 200
    monkeypatch.setattr(window, "MAX_PIXELS", 20)
    coarse = trace_window(profile, rows, start_ns=0, end_ns=10_000, width=5_000)
    assert len(coarse["row"]) <= 2 * 2 * 10
    assert coarse["count"].sum() == 200


def test_a_trace_with_its_longest_slices_gives_the_same_windows(profile: Profile) -> None:
    longest = build_longest(profile.trace.duration)
    stored = Profile(replace(profile.trace, longest=longest), profile.source)
    for one, other in zip(
        trace_window(profile, np.arange(2), start_ns=0, end_ns=20_000, width=7).values(),
        trace_window(stored, np.arange(2), start_ns=0, end_ns=20_000, width=7).values(),
        strict=True,
    ):
        assert one.tolist() == other.tolist()


def test_damaged_columns_are_rejected(profile: Profile) -> None:
    damaged = (np.full(13, 10_000, np.uint32),)
    with pytest.raises(ValueError, match="does not exist"):
        trace_window(
            Profile(replace(profile.trace, longest=damaged), profile.source),
            np.arange(1),
            start_ns=0,
            end_ns=1,
            width=1,
        )
    short = Profile(replace(profile.trace, name=profile.trace.name[:5]), profile.source)
    with pytest.raises(ValueError, match="differ in length"):
        trace_window(short, np.arange(1), start_ns=0, end_ns=1, width=1)


def test_a_text_with_special_letters_is_searched_as_it_is(profile: Profile) -> None:
    assert search_slices(profile, "OP 1", is_regex=False, limit=10).total == 66
    assert search_slices(profile, "op.1", is_regex=False, limit=10).total == 0
    assert search_slices(profile, "op.[12]$", is_regex=True, limit=10).total == 132
