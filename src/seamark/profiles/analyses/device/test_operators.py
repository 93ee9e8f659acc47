"""Operators and kernels of XPlanes, where the device knows the operations."""

from __future__ import annotations

from pathlib import Path

from seamark.profiles.analyses.kernels import find_kernels
from seamark.profiles.analyses.operators import find_operators
from seamark.profiles.analyses.trees.modules import find_modules
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.profile import Profile
from seamark.profiles.testing_xspaces import XPlaneBuilder, gpu_xspace, tpu_xspace, xspace


def opened(folder: Path, data: bytes) -> Profile:
    path = folder / "host.xplane.pb"
    path.write_bytes(data)
    return ProfileOpener(None).open(path)


def test_the_operations_of_a_tpu_are_operators(tmp_path: Path) -> None:
    found = opened(tmp_path, tpu_xspace(steps=3)).get(find_operators)
    assert [(row.name, row.calls, row.device_self_ns, row.self_ns) for row in found.rows] == [
        ("fusion.1", 3, 1_500_000, 0),
        ("all-reduce.2", 3, 600_000, 0),
    ]
    assert found.total_device_ns == 2_100_000


def test_kernels_of_a_gpu_have_the_operation_of_the_framework(tmp_path: Path) -> None:
    gpu = XPlaneBuilder("/device:GPU:0")
    stats = {"tf_op": "jit(step)/dense/dot_general:", "hlo_op": "dot.1"}
    events = [gpu.event("sgemm", 0, 300, stats), gpu.event("volta_h884gemm", 400, 100, stats)]
    gpu.line("Stream #14(Kernel)", *events, id=14)
    # The same work once more, by operation.
    gpu.line("XLA Ops", gpu.event("dot.1", 0, 500), id=3)
    profile = opened(tmp_path, xspace(gpu))
    assert [(row.name, row.calls, row.device_self_ns) for row in profile.get(find_operators).rows] == [
        ("jit(step)/dense/dot_general", 2, 400)
    ]
    assert [(row.name, row.operator) for row in profile.get(find_kernels).rows] == [
        ("sgemm", "jit(step)/dense/dot_general"),
        ("volta_h884gemm", "jit(step)/dense/dot_general"),
    ]
    modules = profile.get(find_modules)
    assert modules.source == "name scope"
    assert [(node.name, node.device_ns) for node in modules.tree.nodes] == [
        ("jit(step)", 400),
        ("dense", 400),
        ("dot_general", 400),
    ]


def test_launch_parameters_of_an_xplane(tmp_path: Path) -> None:
    row = opened(tmp_path, gpu_xspace(steps=2)).get(find_kernels).rows[0]
    assert (row.grid, row.block, row.registers, row.shared_memory) == ("160, 1, 1", "256, 1, 1", 32, 512)
    assert (row.operator, row.occupancy) == ("", 50)
