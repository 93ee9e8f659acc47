"""Waiting for input is found on any thread, with the numbers of Overview and Input."""

from __future__ import annotations

import pytest

from seamark.profiles.analyses.overview import find_overview
from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.results import Finding
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000
STEPS = 8


def findings_of(profile: Profile) -> dict[str, Finding]:
    return {finding.code: finding for finding in findings_of_ranks([("", profile)], 0).findings}


def steps(builder: TraceBuilder, ends_ms: list[int]) -> Profile:
    return profile_of(builder, [(start * MS, end * MS) for start, end in zip([0, *ends_ms[:-1]], ends_ms, strict=True)])


def test_tensorflow_waits_on_a_thread_of_its_executor() -> None:
    """As in Keras: the steps are on Python's thread, and the operator that waits is not."""
    builder = TraceBuilder()
    python, executor = builder.track("python3"), builder.track("tf_Compute/7")
    worker = builder.track("tf_data_private_threadpool/1")
    for step in range(STEPS):
        start = 10 * MS * step
        builder.slice(python, start, 10 * MS, "Profiled batch", step_num=step)
        builder.slice(executor, start, 4 * MS, "IteratorGetNextOp::DoCompute")
        builder.slice(executor, start + MS // 2, 3 * MS, "Iterator::Root::Prefetch")
        builder.slice(worker, start + MS // 2, 3 * MS, "Iterator::Root::Prefetch::Map")
        builder.slice(executor, start + 5 * MS, 4 * MS, "model/dense/MatMul:MatMul")
    profile = steps(builder, [10 * (step + 1) for step in range(STEPS)])
    finding = findings_of(profile)["input_bound"]
    assert finding.gain == profile.get(find_overview).headline.input_share == pytest.approx(0.4)
    assert finding.text == f"The step waits for input in {STEPS} of {STEPS} steps."
    assert profile.trace.text(finding.evidence.slices[0]) == "IteratorGetNextOp::DoCompute"
    assert "Map is the bottleneck" in finding.advice and "prefetch" not in finding.advice


def test_a_step_that_hardly_waits_does_not_count() -> None:
    """As on the page Input: every step calls its DataLoader, but only some of them wait."""
    builder = TraceBuilder()
    main = builder.track("main")
    for step in range(STEPS):
        wait = 4 * MS if step % 4 == 0 else MS // 10
        name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        builder.slice(main, 10 * MS * step, wait, name, "user_annotation")
        builder.slice(main, 10 * MS * step + wait, 5 * MS, "aten::mm", "cpu_op")
    profile = steps(builder, [10 * (step + 1) for step in range(STEPS)])
    assert findings_of(profile)["input_bound"].text == "The step waits for input in 2 of 8 steps."


def test_steps_of_an_ordinary_length_are_not_uneven() -> None:
    """Some wait for input and some compute: all of them take as long, and the waiting is what is wrong."""
    builder = TraceBuilder()
    main = builder.track("main")
    for step in range(STEPS):
        wait = MS if step % 4 == 3 else 7 * MS
        builder.slice(main, 10 * MS * step, 10 * MS, f"ProfilerStep#{step}", "user_annotation")
        name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        builder.slice(main, 10 * MS * step, wait, name, "user_annotation")
        builder.slice(main, 10 * MS * step + wait, 10 * MS - wait, "aten::mm", "cpu_op")
    profile = steps(builder, [10 * (step + 1) for step in range(STEPS)])
    assert list(findings_of(profile)) == ["input_bound"]
