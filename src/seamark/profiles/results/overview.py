"""Overview: steps with their parts, and the numbers that matter."""

from __future__ import annotations

from seamark.profiles.results.base import Result, StepSource


class Step(Result, frozen=True, kw_only=True):
    name: str
    number: int | None
    start_ns: int
    duration_ns: int
    note: str = ""  # "recompiled"


class Steps(Result, frozen=True, kw_only=True):
    steps: list[Step]
    source: StepSource
    text: str  # how they were found: "steps from ProfilerStep#N"


class StepBreakdown(Result, frozen=True, kw_only=True):
    """One step: the parts of BREAKDOWN_PARTS in nanoseconds; they sum to its duration."""

    name: str
    number: int | None
    start_ns: int
    duration_ns: int
    breakdown: dict[str, int]
    note: str = ""


class Utilization(Result, frozen=True, kw_only=True):
    """Shares of the steps' time, between 0 and 1; None without a device."""

    device_compute: float | None
    device_any: float | None
    sm_efficiency: float | None
    occupancy: float | None
    tensor_cores: float | None  # of the kernels' time
    host_cpu: float | None
    exposed_communication_ns: int | None  # of all complete steps together
    communication_ns: int | None


class EnvironmentEntry(Result, frozen=True, kw_only=True):
    name: str
    value: str


class Headline(Result, frozen=True, kw_only=True):
    """The five numbers of the overview; None: n/a, and `reasons` says why."""

    step_mean_ns: int | None
    step_p5_ns: int | None
    step_p95_ns: int | None
    step_deviation_ns: int | None
    input_share: float | None
    peak_memory_bytes: int | None
    memory_limit_bytes: int | None
    peak_memory_at: str
    reasons: dict[str, str]


class StreamIdle(Result, frozen=True, kw_only=True):
    """What a stream waits for between its first and its last slice, as HolisticTraceAnalysis counts it."""

    stream: str
    device: int
    busy_ns: int
    host_wait_ns: int  # for the host to launch
    kernel_wait_ns: int  # between two kernels
    other_wait_ns: int


class Overview(Result, frozen=True, kw_only=True):
    steps: list[StepBreakdown]
    source: StepSource
    steps_text: str
    mean: dict[str, int]
    headline: Headline
    utilization: Utilization
    environment: list[EnvironmentEntry]
    streams: list[StreamIdle]
    notes: list[str]


class ResourceStrip(Result, frozen=True, kw_only=True):
    """The busy intervals of one resource in one step."""

    name: str  # input, host_launch, device_compute, copies, collectives, device_idle
    busy_ns: int
    starts: list[int]  # relative to the step
    durations: list[int]
    activities: list[int]


class StepStrip(Result, frozen=True, kw_only=True):
    step: Step
    strips: list[ResourceStrip]
    idle_ns: int
    idle_waiting_input_ns: int
    # HolisticTraceAnalysis' idle: waiting for the host to launch, between two kernels, other.
    host_wait_ns: int
    kernel_wait_ns: int
    other_wait_ns: int
