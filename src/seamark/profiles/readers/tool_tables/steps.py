"""The steps of overview_page.pb and input_pipeline.pb: their times and what they consist of, without when they ran."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from seamark.format.messages import (
    InputPipelineAnalysisResult,
    PackedMessage,
    PerGenericStepDetails,
    PerTpuStepDetails,
)
from seamark.profiles.results import BREAKDOWN_PARTS, StepBreakdown

NS_PER_MS = 1_000_000
# Hosts without an accelerator, as TensorFlow calls them.
CPU_TYPES = frozenset({"", "CPU_ONLY", "CPU"})


class StepTimes(NamedTuple):
    name: str
    number: int
    duration_ms: float
    parts_ms: dict[str, float]  # without the part that takes the rest


def has_device(hardware_type: str) -> bool:
    return hardware_type.upper() not in CPU_TYPES


def steps_of(analysis: InputPipelineAnalysisResult, *, half_share: float) -> list[StepBreakdown]:
    """Each step begins where the one before ends. `half_share` is the part of device compute in 16 bits."""
    rest = "idle" if has_device(analysis.hardware_type) else "other"
    start_ns = 0
    steps: list[StepBreakdown] = []
    for times in _times_of(analysis.step_details, half_share):
        duration_ns = max(0, round(times.duration_ms * NS_PER_MS))
        steps.append(
            StepBreakdown(
                name=times.name,
                number=times.number,
                start_ns=start_ns,
                duration_ns=duration_ns,
                breakdown=_breakdown(times, duration_ns, rest),
            )
        )
        start_ns += duration_ns
    return steps


def _breakdown(times: StepTimes, duration_ns: int, rest: str) -> dict[str, int]:
    """In whole nanoseconds that sum to the step."""
    parts = dict.fromkeys(BREAKDOWN_PARTS, 0)
    for part, time_ms in times.parts_ms.items():
        parts[part] += max(0, round(time_ms * NS_PER_MS))
    missing = duration_ns - sum(parts.values())
    if missing >= 0:
        parts[rest] += missing
    else:
        # By rounding, or since a file claims more than the step.
        for part in sorted(parts, key=lambda name: -parts[name]):
            taken = min(parts[part], -missing)
            parts[part] -= taken
            missing += taken
    return parts


def _times_of(packed: Iterable[PackedMessage], half_share: float) -> Iterable[StepTimes]:
    for each in packed:
        kind = each.type_url.rpartition(".")[2]
        if kind == "PerGenericStepDetails":
            yield _of_host_or_gpu(PerGenericStepDetails.FromString(each.value), half_share)
        elif kind == "PerTpuStepDetails":
            yield _of_tpu(PerTpuStepDetails.FromString(each.value), half_share)


def _of_host_or_gpu(step: PerGenericStepDetails, half_share: float) -> StepTimes:
    parts = {
        **_compute(step.device_compute_ms, half_share),
        "collectives": step.device_collectives_ms,
        "host_device_copies": step.host_to_device_ms + step.device_to_device_ms + step.output_ms,
        "input": step.host_wait_input_ms,
        "host_compute": step.host_compute_ms + step.host_prepare_ms,
        "compile": step.host_compile_ms,
    }
    return StepTimes(step.step_name or str(step.step_number), step.step_number, step.step_time_ms, parts)


def _of_tpu(step: PerTpuStepDetails, half_share: float) -> StepTimes:
    parts = {
        **_compute(step.tc_compute_time_ms + step.scv0_compute_time_ms, half_share),
        "collectives": step.all_reduce_compute_time_ms + step.all_reduce_sync_time_ms,
        "host_device_copies": step.tc_outfeed_time_ms,
        "input": step.tc_infeed_time_ms + step.scv0_infeed_time_ms,
    }
    return StepTimes(str(step.step_number), step.step_number, sum(parts.values()) + step.tc_idle_time_ms, parts)


def _compute(time_ms: float, half_share: float) -> dict[str, float]:
    return {"device_compute_16": time_ms * half_share, "device_compute_32": time_ms * (1 - half_share)}
