"""Roofline: rates and intensities that are known by construction."""

from __future__ import annotations

from seamark.profiles.analyses.roofline import find_roofline, has_flops
from seamark.profiles.testing_traces import TraceBuilder, profile_of

PLANES = {"planes": {"/device:GPU:0": {"peak_teraflops_per_second": 100.0, "peak_hbm_bw_gigabytes_per_second": 1000.0}}}


def build(metadata: dict[str, object] | None = None) -> TraceBuilder:
    builder = TraceBuilder(metadata=metadata)
    ops = builder.track("XLA Ops", device=0)
    for start in (0, 1000):
        builder.slice(ops, start, 500, "fusion.1", "", flops=20_000_000, bytes_accessed=100_000)
    builder.slice(ops, 2000, 100, "copy.2", "", flops=1000, bytes_accessed=100_000)
    return builder


def test_rates_of_operations() -> None:
    found = find_roofline(profile_of(build(PLANES), []))
    assert (found.peak_flop_rate, found.peak_bandwidth, found.peaks_note) == (1e14, 1e12, "")
    fusion, copy = found.rows
    assert (fusion.name, fusion.calls, fusion.self_ns, fusion.flops, fusion.bytes) == ("fusion.1", 2, 1000, 4e7, 2e5)
    assert (fusion.flop_rate, fusion.intensity, fusion.bound) == (4e13, 200.0, "compute")
    assert (copy.flop_rate, copy.intensity, copy.bound) == (1e10, 0.01, "memory")


def test_without_peaks_the_bound_is_unknown() -> None:
    found = find_roofline(profile_of(build(), []))
    assert found.peak_flop_rate is None and {row.bound for row in found.rows} == {"unknown"}
    assert "at most" in found.peaks_note


def test_without_flops_it_says_so() -> None:
    profile = profile_of(TraceBuilder(), [])
    assert not has_flops(profile.trace)
    assert "record_shapes" in find_roofline(profile).notes[0]
