"""Communication without a device: what operators hide of it, in the breakdown and in the finding."""

from __future__ import annotations

import pytest

from seamark.profiles.analyses.distributed.rank import rank_times
from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000


def host_only(*, starts_ms: int) -> Profile:
    """Steps of 100 ms: operators until 60 ms, and an all-reduce of 40 ms on another thread."""
    builder = TraceBuilder()
    main, gloo = builder.track("main"), builder.track("gloo")
    for step in range(3):
        start = step * 100 * MS
        builder.slice(main, start, 100 * MS, f"ProfilerStep#{step}", "user_annotation")
        builder.slice(main, start, 60 * MS, "aten::mm", "cpu_op")
        builder.slice(gloo, start + starts_ms * MS, 40 * MS, "gloo:all_reduce", "user_annotation")
    return profile_of(builder, [(step * 100 * MS, (step + 1) * 100 * MS) for step in range(3)])


@pytest.mark.parametrize(
    ("starts_ms", "exposed_ms", "text"),
    [
        (60, 40, "None of the communication is hidden behind computation."),
        (50, 30, "Only 25% of the communication is hidden behind computation."),
        (25, 5, "88% of the communication is hidden behind computation."),
        (20, 0, ""),
    ],
)
def test_only_what_no_operator_hides_counts(starts_ms: int, exposed_ms: int, text: str) -> None:
    profile = host_only(starts_ms=starts_ms)
    mean, utilization = profile.get(find_overview).mean, profile.get(find_overview).utilization
    assert (mean["collectives"], mean["host_compute"]) == (exposed_ms * MS, 60 * MS)
    assert utilization.exposed_communication_ns == 3 * exposed_ms * MS
    times = rank_times(profile)
    assert (times.communication_ns, times.overlap_ns) == (40 * MS, (40 - exposed_ms) * MS)
    found = {finding.code: finding for finding in findings_of_ranks([("", profile)], 0).findings}
    finding = found.get("exposed_communication")
    assert (finding.text if finding else "") == text
    if finding:
        assert (finding.gain_ns, finding.evidence.count) == (exposed_ms * MS, 3)
