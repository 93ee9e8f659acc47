"""Rules for the device's own time: precision, occupancy, copies, collectives."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from seamark.profiles.activity import Activity
from seamark.profiles.analyses.slices.intervals import Intervals, intersect, subtract
from seamark.profiles.findings.host_rules import kernels, per_step
from seamark.profiles.findings.rule import Rule, count_of, finding, needs_device
from seamark.profiles.findings.timeline import Timeline, slices_of_cause
from seamark.profiles.form import SliceIndices
from seamark.profiles.results import Finding

MATRIX_NAME = re.compile(r"gemm|conv|wgrad|dgrad|fprop|matmul|cutlass|xmma|scudnn|winograd|implicit", re.I)
# Half precision doubles the rate at least, and the traffic halves.
HALF_PRECISION_GAIN = 0.5
MIN_PRECISION_GAIN = 0.05
FIRST_TENSOR_CORES = 7  # compute capability
FIRST_BF16_AND_TF32 = 8
AMD_WAVEFRONT = 64  # threads; a warp of NVIDIA has 32
TENSOR_CORE_DEVICES = re.compile(r"V100|A100|A10|A30|A40|H100|H200|B100|B200|L4|T4|RTX|TITAN V|MI\d{2,3}", re.I)
LOW_BLOCKS_PER_SM = 0.5
UNUSED_SM_GAIN = 0.5
MIN_COPY_BYTES = 1_000_000
SMALL_COLLECTIVE_NS = 100_000
MIN_SMALL_COLLECTIVES = 50


def has_tensor_cores(timeline: Timeline) -> bool:
    for device in devices_of(timeline):
        major = device.get("computeMajor")
        is_new = isinstance(major, int) and major >= FIRST_TENSOR_CORES
        if is_new or TENSOR_CORE_DEVICES.search(str(device.get("name", ""))):
            return True
    return False


def devices_of(timeline: Timeline) -> list[dict[str, Any]]:
    devices = timeline.trace.metadata.get("deviceProperties")
    return [device for device in devices if isinstance(device, dict)] if isinstance(devices, list) else []


def precision_advice(timeline: Timeline) -> str:
    """What the device can do: Volta and Turing have neither bf16 nor TF32, and AMD has no TF32 before the MI300."""
    device = next(iter(devices_of(timeline)), {})
    major = device.get("computeMajor")
    if device.get("warpSize") == AMD_WAVEFRONT:
        return "in bf16: use torch.autocast."
    if isinstance(major, int) and major < FIRST_BF16_AND_TF32:
        return "in fp16: use torch.autocast with dtype=torch.float16 and a GradScaler."
    return 'in bf16: use torch.autocast, or torch.set_float32_matmul_precision("high") for TF32.'


def check_precision(timeline: Timeline) -> Finding | None:
    found = kernels(timeline)
    full = found[timeline.activities[found] == Activity.KERNEL_32]
    is_matrix = np.array([MATRIX_NAME.search(entry.text) is not None for entry in timeline.trace.names], bool)
    full = full[is_matrix[timeline.trace.name[full]]]
    time = int(timeline.trace.duration[full].sum())
    return finding(
        timeline,
        "full_precision",
        text="Matrix products run in single precision, without tensor cores.",
        advice=f"{per_step(timeline, time)} of kernels would take half as long or less {precision_advice(timeline)}",
        gain_ns=time * HALF_PRECISION_GAIN,
        formula="Half of the time of matrix kernels that do not use tensor cores, divided by the step.",
        slices=full,
        min_gain=MIN_PRECISION_GAIN,
    )


def needs_tensor_cores(timeline: Timeline) -> str:
    return needs_device(timeline) or (
        "" if has_tensor_cores(timeline) else "the device is not known to have tensor cores"
    )


def check_occupancy(timeline: Timeline) -> Finding | None:
    indices, values = timeline.trace.field("blocks per SM")
    inside = np.isin(indices, kernels(timeline))
    indices, blocks = indices[inside], values[inside].astype(np.float64)
    low = blocks < LOW_BLOCKS_PER_SM
    unused = float((timeline.trace.duration[indices[low]] * (1 - blocks[low])).sum())
    return finding(
        timeline,
        "low_occupancy",
        text=f"Kernels use few of the device's processors: {count_of(int(low.sum()), 'kernel')} with less "
        "than one block for every two.",
        advice=f"{per_step(timeline, unused)} of processors are unused. Raise the batch size, or run independent work "
        "in parallel streams.",
        gain_ns=unused * UNUSED_SM_GAIN,
        formula="Half of the kernels' time multiplied by the share of processors without a block, divided by the step.",
        slices=indices[low],
    )


def needs_blocks(timeline: Timeline) -> str:
    return "" if len(timeline.trace.field("blocks per SM").indices) else "no launch parameters in the trace"


def exposed_copies(timeline: Timeline) -> dict[str, tuple[SliceIndices, int]]:
    """The copies that nothing hides, by what to do about them: their slices and exposed time."""
    copies = timeline.in_steps(timeline.on_device(timeline.with_activity(Activity.COPY)))
    texts = [entry.text for entry in timeline.trace.names]
    kind = np.array([copy_type(text) for text in texts])[timeline.trace.name[copies]] if len(copies) else np.empty(0)
    indices, sizes = timeline.trace.field("bytes")
    large = indices[sizes >= MIN_COPY_BYTES]
    found = {}
    for name in ("unpinned", "to_device", "to_host"):
        slices = copies[kind == name]
        if name != "to_device":
            slices = slices[np.isin(slices, large)]
        alone = subtract(subtract(timeline.covered(slices), timeline.compute), timeline.collectives)
        found[name] = slices, intersect(alone, timeline.steps).total
    return found


def copy_type(text: str) -> str:
    lower = text.lower()
    if "htod" in lower or "h2d" in lower or "hosttodevice" in lower:
        return "unpinned" if "pageable" in lower else "to_device"
    if "dtoh" in lower or "d2h" in lower or "devicetohost" in lower:
        return "to_host"
    return ""


def check_copies(name: str, code: str, text: str, advice: str) -> Rule:
    def check(timeline: Timeline) -> Finding | None:
        slices, exposed = exposed_copies(timeline)[name]
        return finding(
            timeline,
            code,
            text=text,
            advice=f"{per_step(timeline, exposed)} of copies run while nothing else does. {advice}",
            gain_ns=exposed,
            formula="The time of these copies in which nothing else runs on the device, divided by the step.",
            slices=slices,
        )

    return Rule(code, check, needs_device)


def collectives(timeline: Timeline) -> SliceIndices:
    """Of the device; without one, of the host."""
    slices = timeline.with_activity(Activity.COLLECTIVE)
    return timeline.in_steps(timeline.on_device(slices) if timeline.has_device else slices)


def uses_data_parallel(timeline: Timeline) -> bool:
    return len(slices_of_cause(timeline, "data_parallel")) > 0


def is_mostly_small(timeline: Timeline, slices: SliceIndices) -> bool:
    if len(slices) < MIN_SMALL_COLLECTIVES * timeline.count:
        return False
    return bool(np.median(timeline.trace.duration[slices]) < SMALL_COLLECTIVE_NS)


def exposed_communication(timeline: Timeline) -> Intervals:
    if not timeline.has_device:
        return timeline.parts["host_collectives"]
    return intersect(subtract(timeline.collectives, timeline.compute), timeline.steps)


def communication_gain_ns(timeline: Timeline) -> int:
    """What hiding the communication gains. Waiting for another rank is not part of it."""
    return max(0, exposed_communication(timeline).total - timeline.rank_wait_ns)


def check_communication(timeline: Timeline) -> Finding | None:
    slices = collectives(timeline)
    if uses_data_parallel(timeline) or is_mostly_small(timeline, slices):
        return None
    gain = communication_gain_ns(timeline)
    total = max(1, intersect(timeline.covered(slices), timeline.steps).total)
    hidden = 1 - min(1.0, exposed_communication(timeline).total / total)
    share = "None" if hidden < 0.005 else f"Only {hidden:.0%}" if hidden < 0.5 else f"{hidden:.0%}"
    return finding(
        timeline,
        "exposed_communication",
        text=f"{share} of the communication is hidden behind computation.",
        advice=f"{per_step(timeline, gain)} of collectives run alone. Send gradients earlier in smaller buckets "
        "(bucket_cap_mb), prefetch parameters (FSDP), or accumulate gradients over several steps.",
        gain_ns=gain,
        formula="The time of collectives in which the device computes nothing, divided by the step. Without a device: "
        "in which the profiled thread runs no operator.",
        slices=slices,
    )


def check_small_collectives(timeline: Timeline) -> Finding | None:
    slices = collectives(timeline)
    if uses_data_parallel(timeline) or not is_mostly_small(timeline, slices):
        return None
    gain = communication_gain_ns(timeline)
    return finding(
        timeline,
        "small_collectives",
        text=f"Each step runs {len(slices) / timeline.count:,.0f} small collectives: latency dominates.",
        advice=f"They take {per_step(timeline, gain)} alone. Put tensors into larger buckets or flatten them into one.",
        gain_ns=gain,
        formula="The time of collectives in which the device computes nothing, divided by the step.",
        slices=slices,
    )


def check_host_collectives(timeline: Timeline) -> Finding | None:
    slices = timeline.in_steps(slices_of_cause(timeline, "host_collectives"))
    gain = timeline.parts["host_collectives"].total
    return finding(
        timeline,
        "host_collectives",
        text="Gradients are exchanged on the host, not between the devices.",
        advice=f'The device waits {per_step(timeline, gain)}. Use init_process_group("nccl").',
        gain_ns=gain,
        formula="The time of collectives on the host in which no device works, divided by the step.",
        slices=slices,
    )


def check_data_parallel(timeline: Timeline) -> Finding | None:
    slices = timeline.in_steps(slices_of_cause(timeline, "data_parallel"))
    if not len(slices):
        return None
    gain = timeline.parts["data_parallel"].total + communication_gain_ns(timeline)
    return finding(
        timeline,
        "data_parallel",
        text="nn.DataParallel copies the model to every device in each step.",
        advice=f"Scattering, broadcasting and gathering take {per_step(timeline, gain)}. Use "
        "nn.parallel.DistributedDataParallel with one process for each device.",
        gain_ns=gain,
        formula="The device's idle time inside DataParallel and its collectives that run alone, divided by the step.",
        slices=slices,
    )


RULES = [
    Rule("full_precision", check_precision, needs_tensor_cores),
    Rule("low_occupancy", check_occupancy, needs_blocks),
    check_copies(
        "unpinned",
        "unpinned_copies",
        "Batches are copied to the device from pageable memory.",
        "Set pin_memory=True in the DataLoader and copy with non_blocking=True.",
    ),
    check_copies(
        "to_device",
        "exposed_copies",
        "The device waits for its input to be copied.",
        "Prefetch the next batch on a stream of its own while the device computes.",
    ),
    check_copies(
        "to_host",
        "device_to_host_copies",
        "Large results are copied to the host inside the step.",
        "Keep them on the device, reduce them there first, or copy with non_blocking=True into pinned memory.",
    ),
    Rule("exposed_communication", check_communication),
    Rule("small_collectives", check_small_collectives, needs_device),
    Rule("host_collectives", check_host_collectives, needs_device),
    Rule("data_parallel", check_data_parallel, needs_device),
]
