"""Rules for several ranks: the same straggler as on the Distributed page."""

from __future__ import annotations

from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.results import Finding
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000
STEP = 100 * MS
STEPS = 4


def rank(number: int, *, late_ms: int = 0, sends: int = 0) -> Profile:
    """A step: kernels until 60 ms, an all-reduce that ends at 90 ms; and some messages to another rank."""
    builder = TraceBuilder(metadata={"distributedInfo": {"rank": number, "world_size": 2}})
    main, stream = builder.track("main"), builder.track("stream 7", device=0)
    for step in range(STEPS):
        start = STEP * step
        builder.slice(main, start, STEP, f"ProfilerStep#{step}", "user_annotation")
        builder.slice(stream, start, (60 + late_ms) * MS, "sgemm", "kernel")
        builder.slice(stream, start + (60 + late_ms) * MS, (30 - late_ms) * MS, "ncclDevKernel_AllReduce_Sum", "kernel")
        for send in range(sends):
            builder.slice(stream, start + (91 + send) * MS, MS, "ncclDevKernel_SendRecv", "kernel")
    return profile_of(builder, [(STEP * step, STEP * (step + 1)) for step in range(STEPS)])


def straggler_of(*ranks: Profile) -> Finding | None:
    found = findings_of_ranks([(f"host{number}", profile) for number, profile in enumerate(ranks)], 0)
    return next((finding for finding in found.findings if finding.code == "straggler"), None)


def test_the_late_rank_is_named_as_on_the_distributed_page() -> None:
    finding = straggler_of(rank(4), rank(5, late_ms=20))
    assert finding is not None
    assert finding.text == "1 of 2 ranks wait for rank 5 in every step."
    assert (finding.gain_ns, finding.evidence.count) == (20 * MS, STEPS)


def test_messages_between_two_ranks_do_not_hide_it() -> None:
    finding = straggler_of(rank(0, sends=1), rank(1, late_ms=20))
    assert finding is not None and finding.gain_ns == 20 * MS


def test_ranks_that_arrive_together_have_no_straggler() -> None:
    assert straggler_of(rank(0), rank(1)) is None
