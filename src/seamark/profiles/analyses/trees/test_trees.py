from __future__ import annotations

import pytest

from seamark.profiles.analyses.trees.merging import merged_tree
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.analyses.trees.scopes import split_name
from seamark.profiles.analyses.trees.stacks import find_call_tree
from seamark.profiles.results import StackTree
from seamark.profiles.testing_events import (
    Event,
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    step_event,
    stream_names,
)


def lines_of(tree: StackTree) -> list[str]:
    """Each node as its path, with calls, total, self and device time."""
    paths: list[str] = []
    for node in tree.nodes:
        paths.append((paths[node.parent] + "/" if node.parent >= 0 else "") + node.name)
    return [
        f"{path} {node.calls} {node.total_ns} {node.self_ns} {node.device_ns}"
        for path, node in zip(paths, tree.nodes, strict=True)
    ]


def two_steps() -> list[Event]:
    events = list[Event]()
    for number, start in ((0, 0), (1, 10_000)):
        events += [
            step_event(number, start, 9000),
            slice_event("train", start + 100, 5000, category="python_function"),
            slice_event("aten::mm", start + 200, 1000),
            slice_event("aten::mm", start + 2000, 500),
            slice_event("aten::add", start + 6000, 100),
        ]
    return events


def test_steps_are_merged_in_the_call_tree() -> None:
    events = [*two_steps(), slice_event("PyTorch Profiler (0)", 0, 20_000, category="Trace", pid="Traces")]
    assert lines_of(profile_of(events).get(find_call_tree)) == [
        "train 2 10000 7000 None",
        "train/aten::mm 4 3000 3000 None",
        "aten::add 2 200 200 None",
    ]


def test_device_time_of_the_call_tree_is_with_everything_below() -> None:
    events = [
        *two_steps(),
        *stream_names(0, 7),
        launch_event(300, 10, 1),
        kernel_event("k", 700, 400, 1),
        launch_event(6010, 10, 2),
        kernel_event("k", 7000, 900, 2),
    ]
    assert lines_of(profile_of(events).get(find_call_tree)) == [
        "aten::add 2 200 190 900",
        "aten::add/cudaLaunchKernel 1 10 10 900",
        "train 2 10000 7000 400",
        "train/aten::mm 4 3000 2990 400",
        "train/aten::mm/cudaLaunchKernel 1 10 10 400",
    ]


def test_a_large_tree_keeps_its_largest_nodes() -> None:
    profile = profile_of(
        [
            *(slice_event(f"small {at}", 10 * at, 10) for at in range(20)),
            slice_event("large", 1000, 500),
            slice_event("inside", 1100, 300),
        ]
    )
    everything = profile.trace.duration > 0
    tree = merged_tree(profile, everything, max_nodes=2)
    assert lines_of(tree) == ["large 1 500 200 None", "large/inside 1 300 300 None"]
    assert tree.is_cut
    assert not merged_tree(profile, everything).is_cut


def test_modules_of_torch_are_a_tree_of_calls() -> None:
    found = profile_of(
        [
            *stream_names(0, 7),
            slice_event("nn.Module: Net_0", 0, 1000, category="python_function"),
            slice_event("torch/nn/modules/module.py(1): _call_impl", 10, 900, category="python_function"),
            slice_event("nn.Module: Linear_0", 100, 300, category="python_function"),
            slice_event("aten::linear", 110, 200),
            launch_event(120, 10, 1),
            slice_event("nn.Module: Linear_1", 500, 300, category="python_function"),
            kernel_event("gemm", 5000, 700, 1),
        ]
    ).get(find_modules)
    assert found.source == "nn.Module"
    assert lines_of(found.tree) == [
        "Net_0 1 1000 400 700",
        "Net_0/Linear_0 1 300 300 700",
        "Net_0/Linear_1 1 300 300 0",
    ]


def test_scopes_of_operator_names_are_a_tree() -> None:
    found = profile_of(
        [
            slice_event("model/dense/MatMul", 0, 100, category="Op"),
            slice_event("model/dense/BiasAdd", 200, 50, category="Op"),
            slice_event("model/dense/MatMul", 300, 100, category="Op"),
            slice_event("NoOp", 500, 10, category="Op"),
        ]
    ).get(find_modules)
    assert found.source == "name scope"
    assert lines_of(found.tree) == [
        "model 3 250 0 None",
        "model/dense 3 250 0 None",
        "model/dense/MatMul 2 200 200 None",
        "model/dense/BiasAdd 1 50 50 None",
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("jit(f)/transpose(jvp(a/b))/dot_general:", ["jit(f)", "transpose(jvp(a/b))", "dot_general"]),
        ("MatMul", ["MatMul"]),
        ("/a//b/", ["a", "b"]),
        ("", []),
    ],
)
def test_names_split_at_slashes_outside_brackets(name: str, parts: list[str]) -> None:
    assert split_name(name) == parts


def test_a_trace_without_modules_says_how_to_record_them() -> None:
    for events in ([], [slice_event("aten::mm", 0, 10), slice_event("", 20, 10)]):
        found = profile_of(events).get(find_modules)
        assert found.tree.nodes == []
        assert "with_stack=True" in found.notes[0]


def test_paths_of_python_files_are_no_scopes() -> None:
    found = profile_of([slice_event("lib/train.py(3): step", 0, 10, category="python_function")]).get(find_modules)
    assert found.tree.nodes == []
