"""XPlane files as traces: the events, what is beside them, and files that are damaged."""

from pathlib import Path

import numpy as np
import pytest

from seamark.profiles.arguments import read_arguments
from seamark.profiles.cache.opening import ProfileOpener
from seamark.profiles.form import ProfileError
from seamark.profiles.profile import Profile
from seamark.profiles.testing_xspaces import XPlaneBuilder, gpu_xspace, tpu_xspace, xspace


def opened(folder: Path, data: bytes) -> Profile:
    path = folder / "host.xplane.pb"
    path.write_bytes(data)
    return ProfileOpener(folder / "cache").open(path)


def named(profile: Profile, name: str) -> list[int]:
    return [index for index in range(profile.trace.slices) if profile.trace.text(index) == name]


def test_kernels_of_a_gpu_are_linked_with_their_launches(tmp_path: Path) -> None:
    profile = opened(tmp_path, gpu_xspace(steps=2))
    trace = profile.trace
    assert [(track.type, track.is_device, track.device, track.process) for track in trace.tracks] == [
        ("thread", False, -1, "/host:CPU"),
        ("stream", True, 0, "/device:GPU:0"),
    ]
    links = {(trace.text(int(a)), trace.text(int(b))) for a, b in zip(trace.flow_from, trace.flow_to, strict=True)}
    assert links == {("cuLaunchKernel", "sgemm_128x64"), ("cuLaunchKernel", "volta_h884gemm")}
    assert trace.field("step_num").values.tolist() == [0, 1]
    assert trace.field("blocks per SM").values.tolist() == [2.0] * 4
    assert trace.field("bytes").values.tolist() == [4096] * 2
    assert trace.problems == ()


def test_arguments_are_decoded_from_the_file(tmp_path: Path) -> None:
    profile = opened(tmp_path, gpu_xspace(steps=1))
    (arguments,) = read_arguments(profile, named(profile, "sgemm_128x64"))
    assert arguments == {
        "correlation_id": 0,
        "registers per thread": 32,
        "shared memory": 512,
        "grid": [160, 1, 1],
        "block": [256, 1, 1],
        "est. achieved occupancy %": 50,
    }


def test_arguments_of_a_name_are_those_of_each_event(tmp_path: Path) -> None:
    profile = opened(tmp_path, tpu_xspace(steps=1))
    (arguments,) = read_arguments(profile, named(profile, "fusion.1"))
    assert arguments == {"flops": 2_000_000, "bytes_accessed": 4096, "long name": "%fusion.1 = f32[8] fusion(...)"}
    assert profile.trace.field("flops").values.tolist() == [2_000_000, 0]


def test_the_metadata_has_the_device_and_the_programs(tmp_path: Path) -> None:
    trace = opened(tmp_path, tpu_xspace()).trace
    stats = trace.metadata["planes"]["/device:TPU:0"]["stats"]
    assert stats == {"peak_teraflops_per_second": 275.0, "device_type_string": "TPU v4"}
    (module,) = trace.metadata["hlo_modules"]
    assert (module["name"], module["program_id"], module["size"]) == ("jit_step(1)", 1, 3)
    assert tpu_xspace()[module["start"] :][:3] == b"hlo"
    assert trace.origin_ns == 1_794_935_664_000_000_000
    assert trace.metadata["hostnames"] == ["host"]
    assert trace.metadata["deviceProperties"] == [{"id": 0, "name": "TPU v4"}]


def test_a_second_opening_has_the_same_arguments(tmp_path: Path) -> None:
    path = tmp_path / "host.xplane.pb"
    path.write_bytes(gpu_xspace())
    first = ProfileOpener(tmp_path / "cache").open(path)
    second = ProfileOpener(tmp_path / "cache").open(path)
    slices = range(first.trace.slices)
    assert read_arguments(second, slices) == read_arguments(first, slices)
    assert np.array_equal(second.trace.flow_to, first.trace.flow_to)


def test_every_kind_of_value_can_be_an_argument(tmp_path: Path) -> None:
    stats = {"whole": -5, "real": 0.5, "text": "a", "bytes": b"\x00\x01", "_p": 4}
    plane = XPlaneBuilder("/host:CPU")
    profile = opened(tmp_path, xspace(plane.line("main", plane.event("op", 0, 10, stats))))
    assert read_arguments(profile, [0]) == [{"whole": -5, "real": 0.5, "text": "a", "bytes": "2 bytes"}]


def test_an_xplane_file_may_have_any_name(tmp_path: Path) -> None:
    path = tmp_path / "downloaded"
    path.write_bytes(tpu_xspace(steps=1))
    assert ProfileOpener(tmp_path / "cache").open(path).trace.slices == 4


def test_errors_of_the_profiler_are_problems(tmp_path: Path) -> None:
    plane = XPlaneBuilder("/host:CPU")
    trace = opened(tmp_path, xspace(plane.line("main", plane.event("op", 0, 10)), errors=("CUPTI is missing",))).trace
    assert trace.problems == ("the profiler reports an error: CUPTI is missing",)


def test_a_file_that_was_cut_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    data = gpu_xspace()
    trace = opened(tmp_path, data[: len(data) // 2]).trace
    assert 0 < trace.slices < opened(tmp_path, data).trace.slices
    assert any("ends early" in problem for problem in trace.problems)


@pytest.mark.parametrize("data", [b"", b"\xff" * 100, b"<html>no profile</html>"])
def test_what_is_no_xplane_is_an_error(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ProfileError):
        opened(tmp_path, data)
