"""Profiles compute each analysis once, and do not wait for others."""

from __future__ import annotations

import threading

from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import profile_of, slice_event


def test_an_analysis_is_computed_once_and_may_ask_for_others() -> None:
    calls: list[str] = []

    def inner(profile: Profile) -> int:
        calls.append("inner")
        return profile.trace.slices

    def outer(profile: Profile) -> int:
        calls.append("outer")
        return profile.get(inner) + profile.get(inner)

    profile = profile_of([slice_event("a", 0, 1000)])
    assert (profile.get(outer), profile.get(outer), profile.get(inner)) == (2, 2, 1)
    assert calls == ["outer", "inner"]


def test_a_long_analysis_does_not_hold_up_others() -> None:
    has_started, may_end = threading.Event(), threading.Event()

    def slow(profile: Profile) -> str:
        has_started.set()
        assert may_end.wait(30)
        return "slow"

    profile = profile_of([slice_event("a", 0, 1000)])
    thread = threading.Thread(target=profile.get, args=(slow,))
    thread.start()
    assert has_started.wait(30)
    assert profile.get(lambda profile: profile.trace.slices) == 1
    may_end.set()
    thread.join(30)
    assert profile.get(slow) == "slow"
