"""Peak memory: the most that an allocator held, of a device if the trace has one."""

from __future__ import annotations

from typing import NamedTuple

from seamark.profiles.analyses.memory import find_memory
from seamark.profiles.analyses.steps import find_steps
from seamark.profiles.profile import Profile

NO_EVENTS = "the trace has no memory events"
REMEDY = "; record them with profile_memory=True"
NO_LIMIT = "the trace does not say how much memory there is"


class PeakMemory(NamedTuple):
    peak_bytes: int | None
    limit_bytes: int | None
    at: str  # "GPU 0, step 417"
    reasons: dict[str, str]


def find_peak_memory(profile: Profile) -> PeakMemory:
    curves = profile.get(find_memory).curves
    limit = _device_limit(profile)
    if not curves:
        reason = NO_EVENTS + (REMEDY if "schemaVersion" in profile.trace.metadata else "")
        return PeakMemory(None, limit, "", {"peak_memory_bytes": reason})
    curve = max(curves, key=lambda each: (each.name != "CPU", each.peak_bytes))
    limit = curve.limit_bytes if curve.limit_bytes is not None else None if curve.name == "CPU" else limit
    return PeakMemory(
        peak_bytes=curve.peak_bytes,
        limit_bytes=limit,
        at=", ".join(filter(None, (curve.name, _step_at(profile, curve.peak_ns)))),
        reasons={} if limit is not None else {"memory_limit_bytes": NO_LIMIT},
    )


def _device_limit(profile: Profile) -> int | None:
    """The memory of the smallest device."""
    properties = profile.trace.metadata.get("deviceProperties")
    sizes = [each.get("totalGlobalMem") for each in properties or [] if isinstance(each, dict)]
    return min((size for size in sizes if isinstance(size, int) and size > 0), default=None)


def _step_at(profile: Profile, time: int) -> str:
    for step in profile.get(find_steps).steps:
        if step.start_ns <= time < step.start_ns + step.duration_ns:
            return f"step {step.number}" if step.number is not None else step.name
    return ""
