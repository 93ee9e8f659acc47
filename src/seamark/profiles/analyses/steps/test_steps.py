"""Steps of synthetic traces whose truth is known."""

from __future__ import annotations

import msgspec
import numpy as np

from seamark.profiles.analyses.steps import complete_steps, find_steps
from seamark.profiles.results import Step, Steps
from seamark.profiles.testing_events import (
    Event,
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    step_event,
    stream_names,
)


def bounds(steps: Steps) -> list[tuple[int, int]]:
    return [(step.start_ns, step.start_ns + step.duration_ns) for step in steps.steps]


def test_profiler_steps_of_a_host_trace() -> None:
    events = [step_event(number, 1000 * number, 900) for number in range(4)]
    found = profile_of(events).get(find_steps)
    assert found.source == "profiler_step"
    assert found.text == "steps from ProfilerStep#N"
    assert [step.number for step in found.steps] == [0, 1, 2, 3]
    assert bounds(found) == [(0, 900), (1000, 1900), (2000, 2900), (3000, 3900)]


def test_steps_that_overlap_end_where_the_next_begins() -> None:
    events = [step_event(number, 1000 * number, 1500) for number in range(4)]
    inside = slice_event("ProfilerStep#9", 100, 50, category="user_annotation")
    found = profile_of([*events, inside]).get(find_steps)
    assert bounds(found) == [(0, 1000), (1000, 2000), (2000, 3000), (3000, 4500)]


def test_an_empty_trace_has_no_steps() -> None:
    found = profile_of([]).get(find_steps)
    assert found.steps == [] and found.text == "no steps found: the trace has no slices"


def test_steps_end_with_the_last_kernel_launched_in_them() -> None:
    events = [
        *stream_names(),
        step_event(3, 0, 1000),
        launch_event(100, 10, 1),
        kernel_event("sgemm", 200, 1100, 1),  # ends in the next step
        step_event(4, 1000, 1000),
        launch_event(1100, 10, 2),
        kernel_event("sgemm", 1400, 100, 2),
    ]
    assert bounds(profile_of(events).get(find_steps)) == [(0, 1300), (1300, 2000)]


def test_work_from_before_the_first_step_delays_it() -> None:
    events = [
        *stream_names(),
        launch_event(0, 10, 1),
        step_event(3, 100, 1000),
        kernel_event("sgemm", 50, 250, 1),
        launch_event(200, 10, 2),
        kernel_event("sgemm", 400, 100, 2),
    ]
    assert bounds(profile_of(events).get(find_steps)) == [(300, 1100)]


def test_a_last_step_without_its_kernels_is_incomplete() -> None:
    events = [*stream_names()]
    for number in range(3):
        events.append(step_event(number, 1000 * number, 1000))
        events.append(launch_event(1000 * number + 10, 10, number + 1))
        if number < 2:
            events.append(kernel_event("sgemm", 1000 * number + 100, 50, number + 1))
    found = profile_of(events).get(find_steps)
    assert [step.note for step in found.steps] == ["", "", "incomplete"]


def test_what_comes_after_the_last_step_is_incomplete() -> None:
    events = [step_event(0, 0, 1000), step_event(1, 1000, 900), step_event(2, 1900, 80)]
    events += [slice_event("aten::mm", start, 5) for start in (10, 1010, 1910)]
    found = profile_of(events).get(find_steps)
    assert [step.note for step in found.steps] == ["", "", "incomplete"]
    assert complete_steps(found.steps) == [0, 1]


def test_a_much_longer_first_step_is_warm_up() -> None:
    events = [step_event(0, 0, 5000), *(step_event(number, 5000 + 1000 * number, 900) for number in range(1, 5))]
    assert [step.note for step in profile_of(events).get(find_steps).steps] == ["warm-up", "", "", "", ""]


def test_steps_seen_on_the_device_are_not_counted_twice() -> None:
    events = [
        *stream_names(),
        step_event(1, 0, 1000),
        kernel_event("ProfilerStep#1", 100, 2000, category="gpu_user_annotation"),
    ]
    assert bounds(profile_of(events).get(find_steps)) == [(0, 1000)]


def test_drawn_steps_stay_as_they_are() -> None:
    drawn = Steps(steps=[Step(name="1", number=1, start_ns=5, duration_ns=10)], source="drawn", text="drawn by hand")
    assert profile_of([step_event(1, 0, 1000)], drawn_steps=drawn).get(find_steps) == drawn


def test_a_trace_without_repetition_has_no_steps() -> None:
    found = profile_of([slice_event("main", 0, 100), slice_event("load", 10, 50)]).get(find_steps)
    assert (found.steps, found.source) == ([], "none")


def test_root_events_with_a_step_number() -> None:
    events = [slice_event("train", 1000 * at, 900, category="python", step_num=10 + at, _r=1) for at in range(3)]
    events += [slice_event("FunctionRun", 1000 * at + 10, 20, category="python", _r=1) for at in range(3)]
    found = profile_of(events).get(find_steps)
    assert found.source == "root"
    assert [(step.name, step.number) for step in found.steps] == [("train 10", 10), ("train 11", 11), ("train 12", 12)]
    assert bounds(found) == [(0, 900), (1000, 1900), (2000, 2900)]


def test_step_numbers_without_roots_as_keras_writes_them() -> None:
    events = [slice_event("Profiled batch", 1000 * at, 900, category="python", step_num=at) for at in range(3)]
    found = profile_of(events).get(find_steps)
    assert found.source == "step_num"
    assert found.text == "steps from the step_num of “Profiled batch”"


def test_names_that_begin_like_steps() -> None:
    events = [slice_event("train", 1000 * at, 900, category="") for at in range(3)]
    events += [slice_event("train/dense/matmul:MatMul", 1000 * at, 10, category="", tid=7) for at in range(9)]
    found = profile_of(events).get(find_steps)
    assert found.source == "trace_context"
    assert [(step.name, step.number) for step in found.steps] == [("train 0", 0), ("train 1", 1), ("train 2", 2)]


def test_numbers_in_names_as_keras_writes_them_with_jax() -> None:
    found = profile_of([slice_event(f"Profiled batch {at}", 1000 * at, 900, category="") for at in range(3)])
    steps = found.get(find_steps)
    assert (steps.source, [step.number for step in steps.steps]) == ("trace_context", [0, 1, 2])


def test_the_line_of_steps_of_a_device() -> None:
    events = [
        {"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "/device:TPU:0"}},
        {"ph": "M", "name": "thread_name", "pid": 3, "tid": 1, "args": {"name": "Steps"}},
        *(slice_event(str(at), 1000 * at, 900, category="Steps", pid=3, tid=1) for at in range(5, 8)),
    ]
    profile = profile_of(events)
    profile.trace.tracks[0] = msgspec.structs.replace(profile.trace.tracks[0], is_device=True, device=0)
    found = profile.get(find_steps)
    assert found.source == "step_marker"
    assert [step.number for step in found.steps] == [5, 6, 7]


def test_steps_end_with_the_optimizer() -> None:
    events = []
    for at in range(4):
        events.append(slice_event("aten::conv2d", 1000 * at, 500))
        events.append(slice_event("Optimizer.step#SGD.step", 1000 * at + 700, 200, category="user_annotation"))
    found = profile_of(events).get(find_steps)
    assert found.source == "optimizer"
    assert found.text == "steps inferred: each ends with “Optimizer.step#SGD.step”"
    assert bounds(found) == [(0, 900), (900, 1900), (1900, 2900), (2900, 3900)]


def test_steps_begin_with_the_data_loader() -> None:
    events = []
    for at in range(4):
        events.append(slice_event("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1000 * at, 100))
        events.append(slice_event("aten::conv2d", 1000 * at + 100, 600))
    events.append(slice_event("save a checkpoint", 20_000, 5000, category="user_annotation"))  # belongs to no step
    found = profile_of(events).get(find_steps)
    assert found.source == "data_loader"
    assert bounds(found) == [(0, 1000), (1000, 2000), (2000, 3000), (3000, 3700)]


def repeated_layers(steps: int, layers: int) -> list[Event]:
    """Each step: an embedding, then layers of two operators, then the loss; distances vary by a tenth."""
    random, events, time = np.random.default_rng(1), [], 0
    for _ in range(steps):
        names = ["aten::embedding", *["aten::mm", "aten::relu"] * layers, "aten::nll_loss"]
        for name in names:
            duration = int(random.integers(90, 110))
            events.append(slice_event(name, time, duration))
            time += duration + 10
    return events


def test_steps_from_repeated_operators_are_not_layers() -> None:
    found = profile_of(repeated_layers(steps=6, layers=12)).get(find_steps)
    assert found.source == "repetition"
    assert "“aten::embedding” begins each of 6 repetitions" in found.text
    assert len(found.steps) == 6


def test_repetition_below_functions_around_everything() -> None:
    events = repeated_layers(steps=5, layers=3)
    end = max(event["ts"] + event["dur"] for event in events) * 1000
    around = [slice_event("main", 0, int(end), category="python_function")]
    assert len(profile_of([*around, *events]).get(find_steps).steps) == 5


def test_calls_that_happen_to_repeat_are_no_steps() -> None:
    events = [slice_event(f"op {at}", 1000 * at, 500) for at in range(30)]
    events += [slice_event("cudaMalloc", 9000 * at + 600, 100, category="cuda_runtime") for at in range(4)]
    assert profile_of(events).get(find_steps).source == "none"


def test_a_step_that_compiles_again_is_marked() -> None:
    events = [step_event(number, 1000 * number, 1000) for number in range(5)]
    events += [slice_event("_compile.compile_inner (dynamo_timed)", start, 500) for start in (100, 3100)]
    assert [step.note for step in profile_of(events).get(find_steps).steps] == ["warm-up", "", "", "recompiled", ""]


def test_a_short_last_step_with_all_its_operators_is_complete() -> None:
    events = []
    for number, duration in enumerate([5000, 4000, 6000, 1000]):
        events.append(step_event(number, 10_000 * number, duration))
        events += [slice_event("aten::mm", 10_000 * number + 100 * at, 50) for at in range(6)]
    assert [step.note for step in profile_of(events).get(find_steps).steps] == [""] * 4
