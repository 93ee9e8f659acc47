"""Links and stacks of slices: launches, operators, forward and backward, Python functions by id."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from seamark.profiles.profile import Profile
from seamark.profiles.testing_traces import TraceBuilder, profile_of
from seamark.profiles.trace_page.slice_details import near_slice, slice_details, stack_of
from seamark.profiles.trace_page.slice_links import AWAITED_EVENT, MAX_LINKS, arrows_of, slice_links


def index_of(profile: Profile, name: str) -> int:
    return next(index for index in range(profile.trace.slices) if profile.trace.text(index) == name)


def links_of(profile: Profile, name: str) -> list[tuple[str, str]]:
    return [(link.relation, link.name) for link in slice_links(profile, index_of(profile, name))]


def test_forward_and_backward_by_sequence_number() -> None:
    builder = TraceBuilder()
    main, autograd = builder.track("main"), builder.track("autograd")
    builder.slice(main, 0, 10, "aten::mm", "cpu_op", **{"Sequence number": 3})
    builder.slice(autograd, 50, 20, "MmBackward0", "cpu_op", **{"Sequence number": 3, "Fwd thread id": 1})
    profile = profile_of(builder)
    assert links_of(profile, "aten::mm") == [("backward", "MmBackward0")]
    assert links_of(profile, "MmBackward0") == [("forward", "aten::mm")]


def test_forward_and_backward_by_arrows() -> None:
    builder = TraceBuilder()
    main, autograd = builder.track("main"), builder.track("autograd")
    builder.slice(main, 0, 10, "f", "cpu_op")
    builder.slice(autograd, 50, 20, "b", "cpu_op")
    profile = profile_of(builder)
    trace = replace(profile.trace, flow_from=np.array([0]), flow_to=np.array([1]))
    profile = Profile(trace, profile.source)
    assert links_of(profile, "f") == [("backward", "b")]
    assert links_of(profile, "b") == [("forward", "f")]
    assert arrows_of(profile, 0) == arrows_of(profile, 1) == [(0, 1)]


def test_a_correlation_of_zero_links_nothing() -> None:
    builder = TraceBuilder()
    main, stream = builder.track("main"), builder.track("stream 7", device=0)
    builder.slice(main, 0, 10, "cudaLaunchKernel", "cuda_runtime", correlation=0)
    builder.slice(stream, 20, 10, "kernel", "kernel", correlation=0)
    assert links_of(profile_of(builder), "kernel") == []


def test_a_wait_is_linked_with_the_call_that_recorded_its_event() -> None:
    builder = TraceBuilder()
    main, stream = builder.track("main"), builder.track("stream 24", device=0)
    builder.slice(main, 0, 10, "cudaEventRecord", "cuda_runtime", correlation=5)
    builder.slice(main, 20, 10, "cudaStreamWaitEvent", "cuda_runtime", correlation=6)
    builder.slice(stream, 40, 10, "Stream Wait Event", "cuda_sync", correlation=6, **{AWAITED_EVENT: 5})
    builder.slice(stream, 60, 10, "Context Sync", "cuda_sync", **{AWAITED_EVENT: -1})
    profile = profile_of(builder)
    record, wait = index_of(profile, "cudaEventRecord"), index_of(profile, "Stream Wait Event")
    links = [("launched by", "cudaStreamWaitEvent"), ("waits for", "cudaEventRecord")]
    assert links_of(profile, "Stream Wait Event") == links
    assert links_of(profile, "cudaEventRecord") == [("awaited by", "Stream Wait Event")]
    assert links_of(profile, "Context Sync") == []
    assert arrows_of(profile, record) == [(record, wait)]


def test_links_are_limited() -> None:
    builder = TraceBuilder()
    main, stream = builder.track("main"), builder.track("stream 7", device=0)
    builder.slice(main, 0, 10, "cudaGraphLaunch", "cuda_runtime", correlation=9)
    for kernel in range(200):
        builder.slice(stream, 20 + 10 * kernel, 5, "kernel", "kernel", correlation=9)
    assert len(links_of(profile_of(builder), "cudaGraphLaunch")) == MAX_LINKS


def test_a_stack_follows_python_ids_to_other_threads() -> None:
    builder = TraceBuilder()
    main, worker = builder.track("main"), builder.track("worker")
    builder.slice(main, 0, 100, "train.py(1): main", "python_function", **{"Python id": 1})
    builder.slice(main, 10, 50, "train.py(9): step", "python_function", **{"Python id": 2, "Python parent id": 1})
    builder.slice(worker, 20, 30, "helper", "python_function", **{"Python id": 3, "Python parent id": 2})
    builder.slice(worker, 25, 5, "aten::add", "cpu_op")
    profile = profile_of(builder)
    assert stack_of(profile, index_of(profile, "aten::add")) == ["train.py(1): main", "train.py(9): step", "helper"]


def test_python_ids_in_a_circle_end() -> None:
    builder = TraceBuilder()
    main, worker = builder.track("main"), builder.track("worker")
    builder.slice(main, 0, 10, "a", "python_function", **{"Python id": 1, "Python parent id": 2})
    builder.slice(worker, 0, 10, "b", "python_function", **{"Python id": 2, "Python parent id": 1})
    assert stack_of(profile_of(builder), 0) == ["a", "b"]


def test_details_name_the_step() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 120, 10, "aten::mm", "cpu_op")
    builder.slice(main, 500, 10, "late", "cpu_op")
    profile = profile_of(builder, [(0, 100), (100, 200)])
    assert slice_details(profile, 0).step == "step 1"
    assert slice_details(profile, 1).step == ""


def test_the_first_child_may_start_with_its_parent() -> None:
    builder = TraceBuilder()
    main = builder.track("main")
    builder.slice(main, 0, 100, "outer")
    builder.slice(main, 0, 50, "inner")
    builder.slice(main, 60, 0, "empty")
    profile = profile_of(builder)
    assert near_slice(profile, 0, "child") == 1
    assert near_slice(profile, 1, "next") == 2
    assert near_slice(profile, 2, "child") == -1
