"""One stage of an input pipeline."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seamark.profiles.form import SliceIndices
from seamark.profiles.profile import Profile
from seamark.profiles.results import InputStage

SLOW_CALL_NS = 50_000


class StageTimes(NamedTuple):
    name: str
    parent: int  # position in the list of stages
    slices: SliceIndices
    total_ns: int
    self_ns: int  # in which a step waits for this stage itself


def stage_of(profile: Profile, times: StageTimes, is_bottleneck: bool) -> InputStage:
    durations = profile.trace.duration[times.slices]
    return InputStage(
        name=times.name,
        parent=times.parent,
        calls=len(times.slices),
        total_ns=times.total_ns,
        self_ns=times.self_ns,
        max_ns=int(durations.max(initial=0)),
        slow_calls=int((durations > SLOW_CALL_NS).sum()),
        is_bottleneck=is_bottleneck,
        longest=int(times.slices[np.argmax(durations)]) if len(times.slices) else -1,
    )
