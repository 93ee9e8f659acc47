"""Launches: which call on the host started each slice of a device."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import msgspec

from seamark.profiles.analyses.device.launches import find_device_slices, find_launches
from seamark.profiles.form import NO_SLICE
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import AUTOGRAD_THREAD, kernel_event, launch_event, profile_of, stream_names


def launch_starts(profile: Profile) -> dict[str, int | None]:
    """The start of the launch of each kernel, by the kernel's name."""
    trace, launches = profile.trace, profile.get(find_launches)
    return {
        trace.text(int(kernel)): None if launch == NO_SLICE else int(trace.start[launch])
        for kernel, launch in zip(profile.get(find_device_slices), launches, strict=True)
    }


def test_a_kernel_and_its_launch_have_the_same_correlation() -> None:
    profile = profile_of(
        [
            *stream_names(0, 7, 20),
            launch_event(0, 10, 5),
            launch_event(20, 10, 3, tid=AUTOGRAD_THREAD),
            kernel_event("a", 100, 10, 5),
            kernel_event("b", 200, 10, 3, stream=20),
            kernel_event("c", 300, 10, 9),  # launched before the trace
            kernel_event("d", 400, 10, 0),  # 0: the profiler does not know
        ]
    )
    assert launch_starts(profile) == {"a": 0, "b": 20, "c": None, "d": None}


def test_the_same_number_of_another_host_is_no_launch() -> None:
    trace = profile_of([*stream_names(), launch_event(0, 10, 5), kernel_event("a", 100, 10, 5)]).trace
    hosts = [msgspec.structs.replace(track, host=f"rank {track.id}") for track in trace.tracks]
    profile = Profile(dataclasses.replace(trace, tracks=hosts), Path("ranks.json"))
    assert launch_starts(profile) == {"a": None}
