"""The backward pass of modules: traces in which it is known which call belongs to which."""

from __future__ import annotations

from typing import Any

import numpy as np

from seamark.profiles.analyses.trees.backward import find_backward
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.form import NO_SLICE
from seamark.profiles.profile import Profile
from seamark.profiles.testing_events import (
    AUTOGRAD_THREAD,
    Event,
    kernel_event,
    launch_event,
    profile_of,
    slice_event,
    stream_names,
)

ENGINE = "autograd::engine::evaluate_function: "


def operator(name: str, start: int, duration: int, number: int) -> Event:
    return slice_event(name, start, duration, **{"Sequence number": number, "Fwd thread id": 0})


def backward(name: str, start: int, duration: int, number: int, *, tid: int = AUTOGRAD_THREAD) -> list[Event]:
    """The call of the engine, and the function inside it."""
    arguments: dict[str, Any] = {"Sequence number": number, "Fwd thread id": 1}
    return [
        slice_event(ENGINE + name, start, duration, tid=tid, **arguments),
        slice_event(name, start + 10, duration - 20, tid=tid, **arguments),
    ]


FORWARD = [
    slice_event("nn.Module: Net_0", 0, 1000, category="python_function"),
    slice_event("nn.Module: Linear_0", 100, 300, category="python_function"),
    operator("aten::linear", 110, 200, 5),
    operator("aten::addmm", 150, 100, 5),
    slice_event("nn.Module: ReLU_0", 500, 200, category="python_function"),
    # It makes no node, and has the number of the next call.
    operator("aten::empty", 505, 10, 6),
    operator("aten::relu", 520, 100, 6),
]
BACKWARD = [*backward("ReluBackward0", 2000, 400, 6), *backward("AddmmBackward0", 2500, 900, 5)]


def times_of(profile: Profile) -> dict[str, tuple[int | None, int | None]]:
    nodes = profile.get(find_modules).tree.nodes
    return {node.name: (node.backward_ns, node.backward_device_ns) for node in nodes}


def test_calls_of_autograd_belong_to_the_last_call_with_their_number() -> None:
    profile = profile_of([*FORWARD, *BACKWARD])
    found = find_backward(profile)
    names = [(profile.trace.text(int(a)), profile.trace.text(int(b))) for a, b in zip(*found[:2], strict=True)]
    assert names == [(f"{ENGINE}ReluBackward0", "aten::relu"), (f"{ENGINE}AddmmBackward0", "aten::addmm")]
    inside = [profile.trace.text(int(index)) for index in np.flatnonzero(found.around == 1)]
    assert inside == [f"{ENGINE}AddmmBackward0", "AddmmBackward0"]


def test_modules_have_the_time_of_their_backward_pass() -> None:
    profile = profile_of([*FORWARD, *BACKWARD])
    assert times_of(profile) == {"Net_0": (1300, None), "Linear_0": (900, None), "ReLU_0": (400, None)}
    assert profile.get(find_modules).notes == []


def test_kernels_that_the_backward_pass_launches_are_of_the_module() -> None:
    launches = [launch_event(160, 5, 1), {**launch_event(2600, 5, 2), "tid": AUTOGRAD_THREAD}]
    kernels = [*stream_names(0, 7), kernel_event("gemm", 5000, 70, 1), kernel_event("gemm", 6000, 80, 2)]
    profile = profile_of([*FORWARD, *BACKWARD, *launches, *kernels])
    assert times_of(profile) == {"Net_0": (1300, 80), "Linear_0": (900, 80), "ReLU_0": (400, 0)}
    assert [node.device_ns for node in profile.get(find_modules).tree.nodes] == [70, 70, 0]


def test_numbers_are_used_again_in_the_next_step() -> None:
    later = [slice_event("nn.Module: Other_0", 10_000, 500, category="python_function")]
    later += [operator("aten::mul", 10_100, 100, 5), *backward("MulBackward0", 11_000, 50, 5)]
    profile = profile_of([*FORWARD, *BACKWARD, *later])
    assert times_of(profile)["Linear_0"] == (900, None)
    assert times_of(profile)["Other_0"] == (50, None)


def test_arrows_count_more_than_numbers() -> None:
    arrow = {"cat": "fwdbwd", "name": "fwdbwd", "id": 1, "pid": 100}
    start = {**arrow, "ph": "s", "tid": 100, "ts": 0.15}
    end = {**arrow, "ph": "f", "bp": "e", "tid": AUTOGRAD_THREAD, "ts": 2.0}
    profile = profile_of([*FORWARD, *backward("ReluBackward0", 2000, 400, 6), start, end])
    assert times_of(profile)["Linear_0"] == (400, None)


def test_without_links_a_note_says_so() -> None:
    profile = profile_of(FORWARD)
    assert (find_backward(profile).forward == NO_SLICE).all()
    assert times_of(profile)["Net_0"] == (None, None)
    assert "no backward pass" in profile.get(find_modules).notes[0]
