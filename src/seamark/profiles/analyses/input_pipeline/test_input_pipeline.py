"""Input pipeline: stages and waits that are known by construction."""

from __future__ import annotations

from seamark.profiles.analyses.input_pipeline import find_input_pipeline
from seamark.profiles.analyses.input_pipeline.tf_data import iterator_path
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000


def loader(name: str, wait_ms: int, *, steps: int = 4) -> TraceBuilder:
    builder = TraceBuilder()
    main = builder.track("main")
    for step in range(steps):
        start = 100 * MS * step
        builder.slice(main, start, wait_ms * MS, f"enumerate(DataLoader)#{name}.__next__", "user_annotation")
        builder.slice(main, start + MS, (wait_ms - 2) * MS, "aten::stack", "cpu_op")
        builder.slice(main, start + 60 * MS, 10 * MS, "aten::mm", "cpu_op")
    return builder


def steps_of(count: int) -> list[tuple[int, int]]:
    return [(100 * MS * step, 100 * MS * (step + 1)) for step in range(count)]


def test_a_data_loader_in_the_training_process() -> None:
    found = find_input_pipeline(profile_of(loader("_SingleProcessDataLoaderIter", 40), steps_of(4)))
    assert found.wait_ns_per_step == [40 * MS] * 4
    assert found.wait_bins_ns == [5 * MS, 10 * MS, 20 * MS, 50 * MS, 100 * MS, 200 * MS]
    assert found.wait_counts == [0, 0, 4, 0, 0]
    assert found.workers == 0
    stages = [(stage.name, stage.parent, stage.calls, stage.total_ns, stage.self_ns) for stage in found.stages]
    assert stages == [
        ("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", -1, 4, 160 * MS, 8 * MS),
        ("aten::stack", 0, 4, 152 * MS, 152 * MS),
    ]
    assert [stage.is_bottleneck for stage in found.stages] == [False, True]
    assert found.stages[0].slow_calls == 4 and found.stages[0].max_ns == 40 * MS
    (advice,) = found.advice
    assert "40.0 ms of 100.0 ms (40%)" in advice and "num_workers=2" in advice


def test_workers_that_are_too_slow() -> None:
    found = find_input_pipeline(profile_of(loader("_MultiProcessingDataLoaderIter", 50), steps_of(4)))
    assert found.workers is None
    assert "every 100.0 ms" in found.advice[0] and "2.0 times" in found.advice[0]
    assert any("other processes" in note for note in found.notes)


def test_no_advice_without_waiting() -> None:
    found = find_input_pipeline(profile_of(loader("_SingleProcessDataLoaderIter", 4), steps_of(4)))
    assert found.advice == [] and "4.0%" in found.notes[-1]


def test_paths_of_iterators() -> None:
    assert iterator_path("Iterator::Root::Prefetch::ParallelMapV2") == ("Root", "Prefetch", "ParallelMapV2")
    assert iterator_path("Iterator::Root::Map#id=1,parent_id=2#") == ("Root", "Map")
    assert iterator_path("IteratorGetNext") == ()


def tf_data() -> TraceBuilder:
    """In each step the prefetch waits 30 ms: 25 of them for a map on another thread, 5 of those for the reader."""
    builder = TraceBuilder()
    main, worker = builder.track("main"), builder.track("tf_data_1")
    for step in range(3):
        start = 100 * MS * step
        builder.slice(main, start, 32 * MS, "IteratorGetNext", "")
        builder.slice(main, start + MS, 30 * MS, "Iterator::Root::Prefetch", "")
        builder.slice(worker, start + MS, 25 * MS, "Iterator::Root::Prefetch::Map", "")
        builder.slice(worker, start + 2 * MS, 5 * MS, "Iterator::Root::Prefetch::Map::TFRecord", "")
        # While the step computes, the worker prepares another batch: that blocks nobody.
        builder.slice(worker, start + 40 * MS, 50 * MS, "Iterator::Root::Prefetch::Map::TFRecord", "")
    return builder


def test_the_bottleneck_of_tf_data_is_the_largest_blocking_self_time() -> None:
    found = find_input_pipeline(profile_of(tf_data(), steps_of(3)))
    stages = {stage.name: stage for stage in found.stages}
    assert [stage.name for stage in found.stages] == ["Prefetch", "Map", "TFRecord"]
    assert [stage.parent for stage in found.stages] == [-1, 0, 1]
    assert (stages["Prefetch"].self_ns, stages["Map"].self_ns, stages["TFRecord"].self_ns) == (
        15 * MS,
        60 * MS,
        15 * MS,
    )
    assert stages["TFRecord"].total_ns == 165 * MS
    assert [stage.is_bottleneck for stage in found.stages] == [False, True, False]
    assert found.wait_ns_per_step == [32 * MS] * 3
    assert len(found.advice) == 1 and "num_parallel_calls" in found.advice[0]


def test_without_input_it_says_so() -> None:
    builder = TraceBuilder()
    builder.slice(builder.track("main"), 0, 5, "aten::mm", "cpu_op")
    found = find_input_pipeline(profile_of(builder, [(0, 10)]))
    assert (found.stages, found.wait_ns_per_step, found.wait_counts) == ([], [], [])
    assert "no calls of a DataLoader" in found.notes[0]
