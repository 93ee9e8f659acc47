from __future__ import annotations

from typing import Any

import pytest

from seamark.profiles.analyses.device.tensor_cores import could_use, is_matrix_operator, uses_tensor_cores
from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.testing_events import Event, kernel_event, launch_event, profile_of, slice_event, stream_names

GEMM = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_tn"


def launched(name: str, start: int, duration: int, correlation: int, **args: Any) -> list[Event]:
    """A kernel of the operator `aten::mm`."""
    return [
        slice_event("aten::mm", 100 * correlation, 50),
        launch_event(100 * correlation + 10, 5, correlation),
        kernel_event(name, start, duration, correlation, **args),
    ]


def test_kernels_are_grouped_by_name_operator_and_launch_parameters() -> None:
    wide = {
        "registers per thread": 64,
        "shared memory": 1024,
        "est. achieved occupancy %": 50,
        "blocks per SM": 2.5,
        "grid": [4, 106, 1],
        "block": [128, 1, 1],
    }
    found = profile_of(
        [
            *stream_names(0, 7),
            *launched(GEMM, 10_000, 100, 1, **wide),
            *launched(GEMM, 11_000, 300, 2, **(wide | {"est. achieved occupancy %": 90})),
            *launched(GEMM, 12_000, 70, 3, **(wide | {"grid": [8, 1, 1]})),
            kernel_event(GEMM, 13_000, 40, 99, **wide),
        ]
    ).get(find_kernels)
    assert [(row.operator, row.calls, row.total_ns, row.grid) for row in found.rows] == [
        ("aten::mm", 2, 400, "4, 106, 1"),
        ("aten::mm", 1, 70, "8, 1, 1"),
        ("", 1, 40, "4, 106, 1"),
    ]
    first = found.rows[0]
    assert (first.mean_ns, first.min_ns, first.max_ns, first.shared_memory) == (200, 100, 300, 1024)
    assert (first.registers, first.block) == (64, "128, 1, 1")
    assert first.occupancy == pytest.approx(80)  # weighted by time
    assert first.blocks_per_sm == pytest.approx(2.5)
    assert first.tensor_cores is True
    assert (found.total_ns, found.tensor_core_share) == (510, 1)


def test_the_longest_call_is_the_one_to_show() -> None:
    profile = profile_of([*stream_names(0, 7), *launched(GEMM, 10_000, 100, 1), *launched(GEMM, 11_000, 300, 2)])
    row = profile.get(find_kernels).rows[0]
    assert profile.trace.duration[row.longest] == 300


def test_copies_are_no_kernels_and_have_no_tensor_cores() -> None:
    found = profile_of(
        [
            *stream_names(0, 7),
            *launched("Memcpy HtoD (Pageable -> Device)", 10_000, 900, 1, category="gpu_memcpy"),
            *launched("elementwise_kernel", 11_000, 300, 2),
            *launched("ampere_sgemm_128x64_tn", 12_000, 100, 3),
            *launched("ncclDevKernel_AllReduce", 13_000, 50, 4),
        ]
    ).get(find_kernels)
    assert [(row.name, row.tensor_cores) for row in found.rows] == [
        ("elementwise_kernel", None),
        ("ampere_sgemm_128x64_tn", False),
        ("ncclDevKernel_AllReduce", None),
    ]
    assert found.tensor_core_share == 0
    assert (found.rows[0].registers, found.rows[0].occupancy, found.rows[0].grid) == (None, None, "")


def test_a_trace_of_the_host_has_no_kernels() -> None:
    for events in ([], [slice_event("aten::mm", 0, 10)]):
        found = profile_of(events).get(find_kernels)
        assert (found.rows, found.total_ns, found.tensor_core_share) == ([], 0, None)


@pytest.mark.parametrize(
    ("kernel", "uses", "could"),
    [
        ("volta_fp16_s884gemm_fp16_128x64_ldg8_f2f_nn", True, True),
        ("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n", True, True),
        ("nvjet_hsh_128x256_64x4_1x2_h_bz_coopA_NNT", True, True),
        ("void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x128>", True, True),
        ("flash_fwd_kernel", True, True),
        ("void gemmSN_TN_kernel<float>", False, True),
        ("void implicit_convolve_sgemm<float>", False, True),
        ("void at::native::vectorized_elementwise_kernel<4, AddFunctor>", False, False),
        ("void at::native::reduce_kernel<512, 1>", False, False),
    ],
)
def test_tensor_cores_are_known_by_the_name_of_the_kernel(kernel: str, uses: bool, could: bool) -> None:
    assert (uses_tensor_cores(kernel), could_use(kernel)) == (uses, could)


def test_operators_with_matrix_products() -> None:
    names = ["aten::mm", "aten::addmm", "aten::conv2d", "aten::cudnn_convolution", "AddmmBackward0", "dense/MatMul"]
    assert all(is_matrix_operator(name) for name in names)
    assert not any(is_matrix_operator(name) for name in ["aten::add", "aten::mm_like", "aten::mul", "aten::copy_"])
