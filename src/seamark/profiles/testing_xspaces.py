"""Builds XSpace files for tests: planes with lines of events, each with its stats by name."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

StatValue = int | float | str | bytes


def varint(value: int) -> bytes:
    value &= 0xFFFFFFFFFFFFFFFF
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def content(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(data)) + data


@dataclass
class XPlaneBuilder:
    """Names get their ids in order of use."""

    name: str
    stats: Mapping[str, StatValue] = field(default_factory=dict)
    _lines: list[bytes] = field(default_factory=list)
    _events: dict[tuple[str, str], int] = field(default_factory=dict)
    _event_stats: dict[tuple[str, str], Mapping[str, StatValue]] = field(default_factory=dict)
    _stats: dict[str, int] = field(default_factory=dict)

    def line(self, name: str, *events: bytes, id: int | None = None, timestamp_ns: int = 0) -> XPlaneBuilder:
        id = len(self._lines) + 1 if id is None else id
        head = number(1, id) + content(2, name) + number(3, timestamp_ns)
        self._lines.append(head + b"".join(content(4, event) for event in events))
        return self

    def event(
        self,
        name: str,
        start_ns: float,
        duration_ns: float,
        stats: Mapping[str, StatValue] | None = None,
        *,
        display_name: str = "",
        name_stats: Mapping[str, StatValue] | None = None,
    ) -> bytes:
        key = (name, display_name)
        id = self._events.setdefault(key, len(self._events) + 1)
        if name_stats:
            self._event_stats[key] = name_stats
        times = number(2, round(start_ns * 1000)) + number(3, round(duration_ns * 1000))
        return number(1, id) + times + b"".join(content(4, self._stat(*stat)) for stat in (stats or {}).items())

    def add_module(self, name: str, program_id: int, hlo: bytes) -> XPlaneBuilder:
        """A compiled program, as in the plane /host:metadata."""
        self.event(name, 0, 0, name_stats={"Hlo Proto": hlo, "program_id": program_id})
        return self

    def build(self) -> bytes:
        parts = [content(2, self.name), *(content(3, line) for line in self._lines)]
        for (name, display_name), id in self._events.items():
            stats = self._event_stats.get((name, display_name), {})
            entry = number(1, id) + content(2, name) + (content(4, display_name) if display_name else b"")
            entry += b"".join(content(5, self._stat(*stat)) for stat in stats.items())
            parts.append(content(4, number(1, id) + content(2, entry)))
        plane_stats = [content(6, self._stat(*stat)) for stat in self.stats.items()]
        for name, id in self._stats.items():
            parts.append(content(5, number(1, id) + content(2, number(1, id) + content(2, name))))
        return b"".join(parts + plane_stats)

    def _stat(self, name: str, value: StatValue) -> bytes:
        head = number(1, self._stats.setdefault(name, len(self._stats) + 1))
        if isinstance(value, bytes):
            return head + content(6, value)
        if isinstance(value, str):
            return head + content(5, value)
        if isinstance(value, float):
            return head + varint(2 << 3 | 1) + struct.pack("<d", value)
        return head + number(4, value)


def xspace(*planes: XPlaneBuilder, hosts: tuple[str, ...] = ("host",), errors: tuple[str, ...] = ()) -> bytes:
    parts = [content(1, plane.build()) for plane in planes]
    return b"".join([*parts, *(content(2, text) for text in errors), *(content(4, host) for host in hosts)])


def gpu_xspace(steps: int = 3) -> bytes:
    """A host that launches two kernels and a copy in each step of 1 ms."""
    host = XPlaneBuilder("/host:CPU")
    gpu = XPlaneBuilder("/device:GPU:0", {"core_count": 80, "peak_teraflops_per_second": 19.5})
    python, stream = list[bytes](), list[bytes]()
    for step in range(steps):
        at = step * 1_000_000
        python.append(host.event("train", at, 950_000, {"step_num": step, "_r": 1}))
        for launch, name in enumerate(("sgemm_128x64", "volta_h884gemm")):
            correlation = step * 10 + launch
            python.append(
                host.event("cuLaunchKernel", at + 10_000 + launch * 20_000, 5_000, {"correlation_id": correlation})
            )
            details = "regs:32 static_shared:0 dynamic_shared:512 grid:160,1,1 block:256,1,1 occ_pct:50"
            stats: dict[str, StatValue] = {"correlation_id": correlation, "kernel_details": details}
            stream.append(gpu.event(name, at + 100_000 + launch * 300_000, 300_000, stats))
        details = "kind_src:pinned kind_dst:device size:4096 dest:0 async:1"
        stream.append(gpu.event("MemcpyH2D", at + 800_000, 50_000, {"memcpy_details": details}))
    host.line("python", *python, id=7)
    gpu.line("Stream #14(Kernel,MemcpyH2D)", *stream, id=14)
    return xspace(gpu, host)


def tpu_xspace(steps: int = 3) -> bytes:
    """A TPU that computes two ops in each step of 1 ms."""
    tpu = XPlaneBuilder("/device:TPU:0", {"peak_teraflops_per_second": 275.0, "device_type_string": "TPU v4"})
    lines: dict[str, list[bytes]] = {"Steps": [], "XLA Modules": [], "XLA Ops": []}
    for step in range(steps):
        at = step * 1_000_000
        lines["Steps"].append(tpu.event(str(step), at, 900_000, {"step_num": step, "group_id": step}))
        lines["XLA Modules"].append(tpu.event("jit_step(1)", at, 900_000, {"run_id": step, "program_id": 1}))
        for name, start, duration, flops in (
            ("fusion.1", 0, 500_000, 2_000_000),
            ("all-reduce.2", 600_000, 200_000, 0),
        ):
            text, costs = f"%{name} = f32[8] fusion(...)", {"flops": flops, "bytes_accessed": 4096}
            lines["XLA Ops"].append(tpu.event(text, at + start, duration, display_name=name, name_stats=costs))
    for name, events in lines.items():
        tpu.line(name, *events)
    modules = XPlaneBuilder("/host:metadata").add_module("jit_step(1)", 1, b"hlo")
    task = XPlaneBuilder("Task Environment", {"profile_start_time": 1_794_935_664_000_000_000})
    return xspace(tpu, modules, task)
