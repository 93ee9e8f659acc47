"""Rules for what the host does while the device waits: input, synchronizing calls, launches, other work."""

from __future__ import annotations

import numpy as np

from seamark.profiles.activity import DEVICE_COMPUTE, Activity
from seamark.profiles.analyses.input_pipeline import find_input_pipeline, stage_advice
from seamark.profiles.analyses.slices.intervals import Intervals, covered_within
from seamark.profiles.analyses.steps.candidate import shortened
from seamark.profiles.findings.rule import Rule, count_of, finding, in_ms, needs_device, steps_with
from seamark.profiles.findings.timeline import OPTIMIZER_NAME, Timeline, slices_of_cause, sync_calls
from seamark.profiles.form import SliceIndices
from seamark.profiles.results import Finding

MIN_INPUT_GAIN = 0.05
SMALL_KERNEL_NS = 10_000
MIN_SMALL_KERNELS = 50  # in a step
MIN_OPTIMIZER_KERNELS = 50
TF_DATA_ADVICE = (
    "Add prefetch(AUTOTUNE) at the end of the tf.data pipeline and num_parallel_calls=AUTOTUNE to its slowest map."
)
SINGLE_PROCESS = "_SingleProcessDataLoaderIter"


def waits(timeline: Timeline) -> str:
    return "the device waits" if timeline.has_device else "the step waits"


def per_step(timeline: Timeline, ns: float) -> str:
    return f"{in_ms(ns / max(1, timeline.count))} a step"


def needs_input(timeline: Timeline) -> str:
    found = slices_of_cause(timeline, "input")
    return "" if len(found) else "no calls of a DataLoader or of tf.data in the trace"


def input_slices(timeline: Timeline) -> tuple[SliceIndices, bool]:
    """Those that are not inside another one; and whether the main process loads the data itself."""
    slices = timeline.in_steps(slices_of_cause(timeline, "input"))
    parent = timeline.trace.parent[slices]
    outer = slices[~np.isin(parent, slices)]
    is_single = any(SINGLE_PROCESS in timeline.trace.text(int(index)) for index in outer[:100])
    return outer, is_single


def waiting_steps(timeline: Timeline) -> int:
    """Those that wait so much of their time that it is a finding; the page Input counts the same."""
    waited = covered_within(timeline.parts["input"], timeline.step_start, timeline.step_end)
    return int((waited >= MIN_INPUT_GAIN * (timeline.step_end - timeline.step_start)).sum())


def check_input(timeline: Timeline) -> Finding | None:
    slices, is_single = input_slices(timeline)
    if is_single:
        return None
    gain = timeline.parts["input"].total
    name = timeline.trace.text(int(slices[0])) if len(slices) else ""
    advice = (
        " ".join(stage_advice(timeline.profile.get(find_input_pipeline).stages)) or TF_DATA_ADVICE
        if "Iterator" in name
        else "Raise num_workers and prefetch_factor of the DataLoader, or make the workers' transforms cheaper."
    )
    return finding(
        timeline,
        "input_bound",
        text=f"{waits(timeline).capitalize()} for input in {waiting_steps(timeline)} of {timeline.count} steps.",
        advice=f"{shortened(name)} blocks {per_step(timeline, gain)}. {advice}",
        gain_ns=gain,
        formula="The time in which the host's thread loads the next batch and no device works, divided by the step.",
        slices=slices,
        min_gain=MIN_INPUT_GAIN,
    )


def check_input_in_main_process(timeline: Timeline) -> Finding | None:
    slices, is_single = input_slices(timeline)
    if not is_single:
        return None
    gain = timeline.parts["input"].total
    return finding(
        timeline,
        "input_in_main_process",
        text="The training process loads the data itself, between the steps.",
        advice=f"{per_step(timeline, gain)} go to a DataLoader without workers. Set num_workers, "
        "persistent_workers=True and pin_memory=True, so that batches are made while the device computes.",
        gain_ns=gain,
        formula="The time in which the host's thread makes the next batch and no device works, divided by the step.",
        slices=slices,
        min_gain=MIN_INPUT_GAIN,
    )


def check_sync(timeline: Timeline) -> Finding | None:
    slices = sync_calls(timeline)
    gain = timeline.parts["sync"].total
    names = [timeline.trace.text(int(index)) for index in slices[:1000]]
    name = shortened(max(set(names), key=names.count)) if names else ""
    each = len(slices) / max(1, timeline.count)
    return finding(
        timeline,
        "sync_calls",
        text=f"{name} empties the launch queue {each:.0f} times a step."
        if each >= 2
        else f"{name} empties the launch queue.",
        advice=f"After each wait the device idles until the next launch: {per_step(timeline, gain)}. Avoid .item(), "
        ".cpu(), print and torch.cuda.synchronize() in the loop, or read the values of an earlier step.",
        gain_ns=gain,
        formula="The device's idle time from the return of a waiting call to the next kernel, divided by the step.",
        slices=slices,
    )


def kernels(timeline: Timeline) -> SliceIndices:
    return timeline.in_steps(timeline.on_device(timeline.with_activity(*DEVICE_COMPUTE)))


def launches(timeline: Timeline) -> SliceIndices:
    return timeline.in_steps(timeline.on_host(timeline.with_activity(Activity.RUNTIME)))


def median_kernel_ns(timeline: Timeline) -> float:
    durations = timeline.trace.duration[kernels(timeline)]
    return float(np.median(durations)) if len(durations) else 0.0


def check_launch_bound(timeline: Timeline) -> Finding | None:
    if 0 < median_kernel_ns(timeline) < SMALL_KERNEL_NS:
        return None
    gain = timeline.parts["launch"].total
    return finding(
        timeline,
        "launch_bound",
        text="The host launches kernels more slowly than the device runs them.",
        advice=f"The device waits {per_step(timeline, gain)} for the next launch. Use torch.compile or CUDA graphs, "
        "or take Python work out of the forward pass.",
        gain_ns=gain,
        formula="The device's idle time while the host is in operators and launches, divided by the step.",
        slices=launches(timeline),
    )


def check_small_kernels(timeline: Timeline) -> Finding | None:
    if median_kernel_ns(timeline) >= SMALL_KERNEL_NS:
        return None
    found = kernels(timeline)
    small = found[timeline.trace.duration[found] < SMALL_KERNEL_NS]
    gain = timeline.parts["launch"].total
    each = len(small) / max(1, timeline.count)
    if each < MIN_SMALL_KERNELS:
        return None
    return finding(
        timeline,
        "small_kernels",
        text=f"Each step runs {each:,.0f} kernels shorter than 10 µs: launching takes longer than computing.",
        advice=f"The device waits {per_step(timeline, gain)} between them. Fuse them with torch.compile, use CUDA "
        "graphs, or raise the batch size.",
        gain_ns=gain,
        formula="The device's idle time while the host is in operators and launches, divided by the step.",
        slices=small,
    )


def check_optimizer(timeline: Timeline) -> Finding | None:
    phases = timeline.in_steps(timeline.named(OPTIMIZER_NAME))
    inside = timeline.covered(phases)
    calls = launches(timeline)
    start = timeline.trace.start[calls]
    at = np.searchsorted(inside.start, start, "right") - 1
    within = calls[(at >= 0) & (start < inside.end[np.maximum(at, 0)])] if len(inside.start) else calls[:0]
    each = len(within) / max(1, timeline.count)
    if each < MIN_OPTIMIZER_KERNELS:
        return None
    gain = timeline.parts["optimizer"].total
    return finding(
        timeline,
        "unfused_optimizer",
        text=f"The optimizer launches {each:,.0f} kernels a step, one for each parameter.",
        advice=f"The device waits {per_step(timeline, gain)} for them. Pass fused=True or foreach=True to it.",
        gain_ns=gain,
        formula="The device's idle time inside the optimizer's step, divided by the step.",
        slices=within,
    )


def check_host(timeline: Timeline) -> Finding | None:
    idle = timeline.parts["host"]
    python = timeline.in_steps(timeline.on_main(timeline.with_activity(Activity.PYTHON, Activity.ANNOTATION)))
    overlap = python[overlaps(timeline, python, idle)]
    if not len(overlap):
        # No slice says what the host does: the steps themselves are the evidence.
        overlap = timeline.on_main(timeline.with_activity(Activity.STEP))
    return finding(
        timeline,
        "host_bound",
        text="The device waits while the host does other work than launching.",
        advice=f"{per_step(timeline, idle.total)} pass without an operator on the host's thread: logging, metrics, "
        "preparing batches. Do it less often, later, or in another thread.",
        gain_ns=idle.total,
        formula="The device's idle time while the host is in no operator, divided by the step.",
        slices=overlap,
    )


def overlaps(timeline: Timeline, slices: SliceIndices, idle: Intervals) -> SliceIndices:
    """Positions of the slices of which more than half is idle time of the device."""
    start, end = timeline.trace.start[slices], timeline.trace.end[slices]
    return np.flatnonzero(covered_within(idle, start, end) * 2 > end - start)


def check_cause(cause: str, code: str, text: str, advice: str) -> Rule:
    def check(timeline: Timeline) -> Finding | None:
        slices = timeline.in_steps(slices_of_cause(timeline, cause))
        gain = timeline.parts[cause].total
        return finding(
            timeline,
            code,
            text=text.format(
                steps=steps_with(timeline, slices), all=timeline.count, calls=count_of(len(slices), "call")
            ),
            advice=f"It takes {per_step(timeline, gain)}. {advice}",
            gain_ns=gain,
            formula="The time of these slices in which no device works, divided by the step.",
            slices=slices,
        )

    return Rule(code, check)


RULES = [
    Rule("input_bound", check_input, needs_input),
    Rule("input_in_main_process", check_input_in_main_process, needs_input),
    Rule("sync_calls", check_sync, needs_device),
    Rule("launch_bound", check_launch_bound, needs_device),
    Rule("small_kernels", check_small_kernels, needs_device),
    Rule("unfused_optimizer", check_optimizer, needs_device),
    Rule("host_bound", check_host, needs_device),
    check_cause(
        "compile",
        "recompilation",
        "The model is compiled again in {steps} of {all} steps.",
        "Keep shapes and Python values constant, or mark them dynamic (torch.compile(dynamic=True), "
        "jax.jit static_argnums).",
    ),
    check_cause(
        "checkpoint",
        "checkpoint_in_step",
        "A checkpoint is written inside {steps} of {all} steps.",
        "Copy the state to host memory and write it in another thread, or write it less often.",
    ),
    check_cause(
        "garbage",
        "garbage_collection",
        "Python collects garbage inside {steps} of {all} steps.",
        "Call gc.freeze() after set-up and gc.disable() in the loop; collect every few hundred steps.",
    ),
    check_cause(
        "allocator",
        "allocator_calls",
        "The allocator asks the driver for memory in {steps} of {all} steps: {calls}.",
        "Keep batch shapes constant, or set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; do not call "
        "torch.cuda.empty_cache() in the loop.",
    ),
]
