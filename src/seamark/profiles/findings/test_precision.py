"""The advice on precision names what the device of the trace has."""

from __future__ import annotations

import pytest

from seamark.profiles.findings.rules import findings_of_ranks
from seamark.profiles.profile import Profile
from seamark.profiles.testing_traces import TraceBuilder, profile_of

MS = 1_000_000


def single_precision(device: dict[str, object]) -> Profile:
    """Steps of 10 ms, of which a matrix product takes 8 ms."""
    builder = TraceBuilder(metadata={"deviceProperties": [{"id": 0, **device}]})
    main, stream = builder.track("main"), builder.track("stream 7", device=0)
    for step in range(3):
        start = step * 10 * MS
        builder.slice(main, start, 10 * MS, f"ProfilerStep#{step}", "user_annotation")
        builder.slice(stream, start + MS, 8 * MS, "volta_sgemm_128x64_tn", "kernel")
    return profile_of(builder, [(step * 10 * MS, (step + 1) * 10 * MS) for step in range(3)])


@pytest.mark.parametrize(
    ("device", "names", "leaves_out"),
    [
        ({"name": "Tesla V100", "computeMajor": 7, "warpSize": 32}, "float16", ("bf16", "TF32")),
        ({"name": "NVIDIA A100", "computeMajor": 8, "warpSize": 32}, "TF32", ("float16",)),
        ({"name": "AMD Instinct MI250", "computeMajor": 9, "warpSize": 64}, "bf16", ("float16", "TF32")),
        ({"name": "NVIDIA H100"}, "TF32", ("float16",)),
    ],
)
def test_advice_fits_the_device(device: dict[str, object], names: str, leaves_out: tuple[str, ...]) -> None:
    found = {finding.code: finding for finding in findings_of_ranks([("", single_precision(device))], 0).findings}
    advice = found["full_precision"].advice
    assert names in advice
    assert not [word for word in leaves_out if word in advice]
