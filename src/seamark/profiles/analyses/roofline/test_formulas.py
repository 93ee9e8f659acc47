"""FLOPs from shapes: the same as torch's own counter, and rows of the table that are known by construction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seamark.profiles.analyses.roofline import find_roofline, has_flops
from seamark.profiles.analyses.roofline.device_peaks import peaks_of_device
from seamark.profiles.analyses.roofline.formulas import OperatorInputs, cost_of
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.testing_events import Event, kernel_event, launch_event, profile_of, slice_event, stream_names


def cost(name: str, shapes: list[Any], type: str = "float", values: list[str] | None = None) -> tuple[float, float]:
    found = cost_of(name, OperatorInputs(shapes, [type] * len(shapes), values or []))
    assert found
    return found.flops, found.bytes


def test_products_of_matrices() -> None:
    assert cost("aten::mm", [[2, 3], [3, 5]]) == (60, 4 * (6 + 15 + 10))
    assert cost("aten::addmm", [[5], [2, 3], [3, 5]], "c10::Half") == (60, 2 * (6 + 15 + 10))
    assert cost("aten::bmm", [[7, 2, 3], [7, 3, 5]])[0] == 7 * 60
    assert cost("aten::baddbmm", [[7, 2, 5], [7, 2, 3], [7, 3, 5]])[0] == 7 * 60


def test_groups_divide_the_work_of_a_convolution() -> None:
    """Also of the gradient of the weights, which torch's counter takes for ungrouped."""
    values = ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "4"]
    forward, _ = cost("aten::convolution", [[2, 8, 6, 6], [8, 2, 3, 3]], values=values)
    assert forward == 2 * (2 * 8 * 6 * 6) * (2 * 3 * 3)
    values = ["", "", "", "[8]", "[1, 1]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "4", "[True, True, True]"]
    backward, _ = cost("aten::convolution_backward", [[2, 8, 6, 6], [2, 8, 6, 6], [8, 2, 3, 3]], values=values)
    assert backward == 2 * forward


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("aten::mm", [[2, 3], [4, 5]]),
        ("aten::mm", [[2, 3]]),
        ("aten::mm", [[], [3, 5]]),
        ("aten::mm", [[[1], [2]], [3, 5]]),
        ("aten::convolution", [[1, 1, 4, 4], [1, 1, 3, 3]]),
        ("aten::relu", [[4]]),
    ],
)
def test_what_does_not_fit_has_no_cost(name: str, shapes: list[Any]) -> None:
    assert cost_of(name, OperatorInputs(shapes, [], [])) is None


def test_torch_counts_the_same(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from torch.utils.flop_counter import FlopCounterMode

    model = torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, stride=2, padding=1),
        torch.nn.Conv2d(8, 8, 3, dilation=2, padding=2),
        torch.nn.ConvTranspose2d(8, 4, 3, stride=2),
        torch.nn.Flatten(),
        torch.nn.Linear(4 * 17 * 17, 10),
    )
    data = torch.randn(2, 3, 16, 16)

    def run() -> None:
        (model(data).sum() + torch.bmm(torch.ones(3, 4, 5), torch.ones(3, 5, 6)).sum()).backward()

    with FlopCounterMode(display=False) as counter:
        run()
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as profiler:
        run()
    path = tmp_path / "host.pt.trace.json"
    profiler.export_chrome_trace(str(path))
    profile = ProfileOpener(None).open(path)
    assert has_flops(profile.trace)
    found = find_roofline(profile)
    assert sum(row.flops for row in found.rows) == counter.get_total_flops()
    assert "shapes" in found.notes[0]


def gpu_trace(kernel: str) -> list[Event]:
    inputs = {"Input Dims": [[64, 32], [32, 16]], "Input type": ["float", "float"], "Concrete Inputs": ["", ""]}
    return [
        *stream_names(0, 7),
        slice_event("aten::mm", 0, 100, **inputs),
        launch_event(10, 5, 1),
        kernel_event(kernel, 1000, 2000, 1),
        slice_event("aten::mm", 200, 100, **inputs),
        launch_event(210, 5, 2),
        kernel_event(kernel, 4000, 2096, 2),
        slice_event("aten::mm", 500, 100),
    ]


def test_rates_are_over_the_time_on_the_device_within_its_limits() -> None:
    metadata = {"record_shapes": 1, "deviceProperties": [{"id": 0, "name": "NVIDIA A100-SXM4-80GB"}]}
    (row,) = find_roofline(profile_of(gpu_trace("sgemm"), metadata=metadata)).rows
    assert (row.name, row.calls, row.self_ns) == ("aten::mm [64, 32], [32, 16]", 2, 4096)
    assert (row.flops, row.flop_rate, row.bound) == (2 * 65_536, 2 * 65_536 / 4096 * 1e9, "memory")
    single = find_roofline(profile_of(gpu_trace("sgemm"), metadata=metadata))
    half = find_roofline(profile_of(gpu_trace("ampere_fp16_s16816gemm"), metadata=metadata))
    assert (single.peak_flop_rate, half.peak_flop_rate, half.peak_bandwidth) == (19.5e12, 312e12, 2039e9)
    assert half.are_peaks_nominal
    assert "nominal ones of the data sheet of NVIDIA A100-SXM4-80GB, in 16 bits" in half.peaks_note


@pytest.mark.parametrize(
    ("name", "half", "bandwidth"),
    [
        ("Tesla V100-SXM2-32GB", 125e12, 900e9),
        ("NVIDIA A100-PCIE-40GB", 312e12, 1555e9),
        ("NVIDIA H100 80GB HBM3", 989.4e12, 3350e9),
        ("NVIDIA H100 PCIe", 756e12, 2000e9),
        ("AMD Instinct MI250X", 191.5e12, 1638e9),
        ("TPU v5 lite", 197e12, 819e9),
        ("TPU v5", 459e12, 2765e9),
    ],
)
def test_names_of_devices_lead_to_their_limits(name: str, half: float, bandwidth: float) -> None:
    found = peaks_of_device(name)
    assert found and (found.half, found.bandwidth) == (half, bandwidth)


def test_other_devices_have_no_limits() -> None:
    assert peaks_of_device("NVIDIA GeForce GTX 1080") is None
    assert peaks_of_device("") is None
