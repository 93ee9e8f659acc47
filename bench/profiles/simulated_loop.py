"""SimulatedLoop: a training loop on a host thread and one GPU, recorded as torch.profiler would record it.

The host launches kernels one after another; a kernel starts when its launch is done and its stream is free; a
synchronizing call waits for the streams. So a wait in the result follows from its cause, as in a real run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HOST, LOADER, GPU = 4100, 4101, 0
COMPUTE, COPIES, NCCL = 7, 14, 20
LAUNCH_NS, LAUNCH_DELAY_NS = 6_000, 2_000
GAP_NS = 100  # between two calls on the host
# The queue of launches is finite: a launch waits while the device is so far behind.
MAX_AHEAD_NS = 12_000_000
DEVICE = {"id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 85_000_000_000, "numSms": 108}
HALF_GEMM = "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x3_nn"
FLOAT_GEMM = "ampere_sgemm_128x64_nn"
POINTWISE = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<c10::BFloat16>>(int)"


class SimulatedLoop:
    """Times are nanoseconds. `now` is the host's clock, `free` when each stream is free."""

    def __init__(self, *, rank: int = 0, world_size: int = 1, backend: str = "nccl", seed: int = 0) -> None:
        self.events: list[dict[str, Any]] = []
        self.now = 1_000_000
        self.free = {COMPUTE: 0, COPIES: 0, NCCL: 0}
        self.rank, self.world_size, self.backend = rank, world_size, backend
        self.allocated = 2_000_000_000
        self.reserved = 3_000_000_000
        self._correlation = 0
        self._external = 0
        self._step = 0
        self._random = random.Random(seed)

    # The host

    @contextmanager
    def span(self, name: str, category: str = "cpu_op", *, external: int = 0, **arguments: Any) -> Iterator[None]:
        start = self.now
        if external:
            arguments["External id"] = external
        yield
        self._slice(name, category, start, self.now - start, HOST, HOST, arguments)
        self.now += GAP_NS

    @contextmanager
    def step(self) -> Iterator[None]:
        with self.span(f"ProfilerStep#{self._step}", "user_annotation"):
            yield
        self._step += 1

    def work(self, duration: int) -> None:
        """Time of the host that no slice has."""
        self.now += self._varied(duration)

    def _varied(self, duration: int) -> int:
        """No two calls take the same time."""
        return round(duration * self._random.uniform(0.85, 1.15))

    def load_batch(self, wait: int, *, is_single_process: bool = False) -> None:
        loader = "_SingleProcessDataLoaderIter" if is_single_process else "_MultiProcessingDataLoaderIter"
        with self.span(f"enumerate(DataLoader)#{loader}.__next__", "user_annotation"):
            if is_single_process:
                with self.span("aten::stack"):
                    self.work(wait)
            else:
                self.work(wait)

    # The device

    def op(
        self, name: str, kernels: list[tuple[str, int]], *, host: int = 4_000, stream: int = COMPUTE, **kernel: Any
    ) -> None:
        """An operator that launches kernels, each a name and its duration."""
        self._external += 1
        external = self._external
        with self.span(name, external=external):
            self.work(host)
            for kernel_name, duration in kernels:
                self.launch(kernel_name, duration, stream=stream, external=external, **kernel)

    def launch(
        self,
        name: str,
        duration: int,
        *,
        stream: int = COMPUTE,
        external: int = 0,
        category: str = "kernel",
        **arguments: Any,
    ) -> None:
        self._correlation += 1
        ids = {"correlation": self._correlation, "External id": external}
        call = "cudaLaunchKernel" if category == "kernel" else "cudaMemcpyAsync"
        with self.span(call, "cuda_runtime", external=external, correlation=self._correlation):
            self.now = max(self.now + LAUNCH_NS, self.free[stream] - MAX_AHEAD_NS)
        duration = self._varied(duration)
        start = max(self.now + LAUNCH_DELAY_NS, self.free[stream], arguments.pop("after", 0))
        self.free[stream] = start + duration
        shape = (
            {"blocks per SM": 8.0, "warps per SM": 64.0, "est. achieved occupancy %": 75}
            if category == "kernel"
            else {}
        )
        shape = {**shape, **arguments}
        self._slice(name, category, start, duration, GPU, stream, {"device": 0, "stream": stream, **ids, **shape})

    def copy(
        self,
        direction: str,
        size: int,
        duration: int,
        *,
        is_pinned: bool = True,
        stream: int = COPIES,
        is_blocking: bool = False,
    ) -> None:
        kind = "Pinned" if is_pinned else "Pageable"
        ends = {"HtoD": f"{kind} -> Device", "DtoH": f"Device -> {kind}"}[direction]
        self._external += 1
        with self.span("aten::copy_", external=self._external):
            self.work(3_000)
            self.launch(
                f"Memcpy {direction} ({ends})",
                duration,
                stream=stream,
                external=self._external,
                category="gpu_memcpy",
                bytes=size,
            )
            if is_blocking:
                self.synchronize(stream)

    def synchronize(self, *streams: int, call: str = "cudaStreamSynchronize") -> None:
        with self.span(call, "cuda_runtime", correlation=0):
            self.now = max(self.now + 2_000, *(self.free[stream] for stream in streams or self.free))

    def item(self) -> None:
        """loss.item(): copies one number and waits for it."""
        with self.span("aten::item"), self.span("aten::_local_scalar_dense"):
            after = self.free[COMPUTE]
            self.launch(
                "Memcpy DtoH (Device -> Pageable)", 1_500, stream=COMPUTE, category="gpu_memcpy", bytes=4, after=after
            )
            self.synchronize(COMPUTE)

    def all_reduce(self, size: int, duration: int, *, after: int | None = None) -> None:
        """Starts when the gradients of its bucket are there."""
        self._external += 1
        with self.span("nccl:all_reduce", external=self._external):
            start = self.free[COMPUTE] if after is None else after
            message: dict[str, Any] = {"Collective name": "allreduce", "In msg nelems": size // 2, "dtype": "BFloat16"}
            self.launch(
                "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*)",
                duration,
                stream=NCCL,
                external=self._external,
                after=start,
                **message,
            )

    def wait_for(self, stream: int, other: int) -> None:
        """The first stream does nothing more until the other is done; the host goes on."""
        self.free[stream] = max(self.free[stream], self.free[other])

    def memory(self, change: int) -> None:
        self.allocated += change
        self.reserved = max(self.reserved, self.allocated + 500_000_000)
        arguments = {
            "Total Reserved": self.reserved,
            "Total Allocated": self.allocated,
            "Bytes": change,
            "Addr": 140_000_000_000_000 + len(self.events) * 512,
            "Device Id": 0,
            "Device Type": 1,
        }
        self.events.append(
            {
                "ph": "i",
                "s": "t",
                "cat": "cpu_instant_event",
                "name": "[memory]",
                "pid": HOST,
                "tid": HOST,
                "ts": self.now / 1000,
                "args": arguments,
            }
        )

    # The file

    def trace(self) -> dict[str, Any]:
        names = [_named("process_name", HOST, 0, "python"), _named("process_name", GPU, 0, "GPU 0")]
        names += [_named("thread_name", GPU, stream, f"stream {stream}") for stream in self.free]
        names += [_named("thread_name", HOST, HOST, "thread 4100 (python)")]
        document: dict[str, Any] = {
            "schemaVersion": 1,
            "deviceProperties": [DEVICE],
            "traceEvents": names + self.events,
        }
        if self.world_size > 1:
            info = {"backend": self.backend, "rank": self.rank, "world_size": self.world_size}
            document["distributedInfo"] = info
        return document

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(self.trace()))

    def _slice(
        self, name: str, category: str, start: int, duration: int, pid: int, tid: int, arguments: dict[str, Any]
    ) -> None:
        self.events.append(
            {
                "ph": "X",
                "cat": category,
                "name": name,
                "pid": pid,
                "tid": tid,
                "ts": start / 1000,
                "dur": duration / 1000,
                "args": arguments,
            }
        )


def _named(name: str, pid: int, tid: int, text: str) -> dict[str, Any]:
    return {"ph": "M", "name": name, "pid": pid, "tid": tid, "ts": 0, "args": {"name": text}}
