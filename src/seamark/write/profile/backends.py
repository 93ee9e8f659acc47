"""Backends: one for each framework's profiler. All have the same functions, and import nothing at the start.

A backend writes to the folder of one profile, `plugins/profile/<time>/`, with the names that other tools expect.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from seamark.write.profile.sampler import Sampler
from seamark.write.writer.ranks import Rank

BackendName = Literal["auto", "torch", "jax", "tensorflow", "python"]
BACKENDS: tuple[BackendName, ...] = ("auto", "torch", "jax", "tensorflow", "python")
PROFILE_FOLDER = Path("plugins") / "profile"  # TensorBoard's profile plugin reads it


class ProfileOptions(NamedTuple):
    """What is recorded. Shapes, stacks and memory make the program slower, and only torch has them."""

    warmup: int = 0  # steps that are run with the profiler, but not recorded
    record_shapes: bool = True
    with_stack: bool = False
    profile_memory: bool = False
    first_step: int = 0  # the number of the first step, which may be a warm-up

    @property
    def first_recorded(self) -> int:
        return self.first_step + self.warmup


class Backend(Protocol):
    def start(self) -> None: ...

    def step(self) -> None:
        """A step ends, and the next one begins."""

    def stop(self) -> None: ...

    def write(self, folder: Path, rank: Rank) -> None:
        """After stop()."""

    def discard(self) -> None:
        """After stop(), in place of write()."""


def choose_backend(name: BackendName, options: ProfileOptions) -> Backend:
    """For "auto": the framework that the program has imported; a sampling profiler for plain Python."""
    if name not in BACKENDS:
        raise ValueError(f"unknown backend: got {name!r}, want {', '.join(BACKENDS)}")
    if name == "auto":
        name = next((one for one in ("torch", "jax", "tensorflow") if one in sys.modules), "python")
    backend: Backend = CLASSES[name](options)
    return backend


def worker_name(rank: Rank) -> str:
    """The name of this process in file names: its rank, host and process id."""
    worker = re.sub(r"[^\w-]", "-", f"{socket.gethostname()}_{os.getpid()}")
    return f"rank{rank.number}_{worker}" if rank.size > 1 else worker


class TorchBackend:
    """Steps are in the trace as ProfilerStep#N."""

    def __init__(self, options: ProfileOptions) -> None:
        profiler = import_module("torch.profiler")
        recorded, warm_up = profiler.ProfilerAction.RECORD, profiler.ProfilerAction.WARMUP
        self._profile = profiler.profile(
            activities=list(profiler.supported_activities()),
            schedule=lambda step: warm_up if max(step - options.first_step, 0) < options.warmup else recorded,
            record_shapes=options.record_shapes,
            with_stack=options.with_stack,
            with_modules=options.with_stack,
            profile_memory=options.profile_memory,
        )
        self._profile.step_num = options.first_step

    def start(self) -> None:
        self._profile.start()

    def step(self) -> None:
        self._profile.step()

    def stop(self) -> None:
        self._profile.stop()

    def write(self, folder: Path, rank: Rank) -> None:
        # The file name of PyTorch's own handler, which its readers expect: worker, time, suffix.
        name = f"{worker_name(rank)}.{time.time_ns() // 1_000_000}.pt.trace.json.gz"
        self._profile.export_chrome_trace(str(folder / name))

    def discard(self) -> None:
        pass


class TracedSteps:
    """Steps of JAX and TensorFlow: an annotation with step_num and _r, which marks the root of a step."""

    def __init__(self, annotation: Any, first_number: int) -> None:
        self._annotation = annotation
        self._number = first_number
        self._running: Any = None

    def begin(self) -> None:
        self._running = self._annotation("train", step_num=self._number, _r=1)
        self._running.__enter__()
        self._number += 1

    def end(self) -> None:
        if self._running is not None:
            self._running.__exit__(None, None, None)
            self._running = None


class XPlaneBackend:
    """JAX and TensorFlow choose the folder below the given one themselves: they write to a temporary folder."""

    def __init__(self, options: ProfileOptions) -> None:
        self._folder: Path | None = None
        self._warmup, self._first_recorded = options.warmup, options.first_recorded
        self._steps: TracedSteps | None = None

    def start(self) -> None:
        if self._warmup == 0:
            self._begin()

    def step(self) -> None:
        if self._steps is not None:
            self._steps.end()
            self._steps.begin()
            return
        self._warmup -= 1
        if self._warmup <= 0:
            self._begin()

    def stop(self) -> None:
        if self._steps is None:
            return
        self._steps.end()
        self._end()

    def write(self, folder: Path, rank: Rank) -> None:
        if self._folder is None:
            raise RuntimeError("the profiler stopped before its first step")
        try:
            for path in sorted(self._folder.glob("plugins/profile/*/*")):
                name = f"rank{rank.number}_{path.name}" if rank.size > 1 else path.name
                shutil.move(path, folder / name)
        finally:
            self.discard()

    def discard(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _begin(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="seamark-profile-"))
        try:
            self._start_trace(str(self._folder))
        except BaseException:
            self.discard()
            self._folder = None
            raise
        self._steps = TracedSteps(self._annotation_class(), self._first_recorded)
        self._steps.begin()

    def _start_trace(self, folder: str) -> None:
        raise NotImplementedError

    def _end(self) -> None:
        raise NotImplementedError

    def _annotation_class(self) -> Any:
        raise NotImplementedError


class JaxBackend(XPlaneBackend):
    def _start_trace(self, folder: str) -> None:
        import_module("jax").profiler.start_trace(folder)

    def _end(self) -> None:
        import_module("jax").profiler.stop_trace()

    def _annotation_class(self) -> Any:
        return import_module("jax").profiler.TraceAnnotation


class TensorFlowBackend(XPlaneBackend):
    def _start_trace(self, folder: str) -> None:
        import_module("tensorflow").profiler.experimental.start(folder)

    def _end(self) -> None:
        import_module("tensorflow").profiler.experimental.stop()

    def _annotation_class(self) -> Any:
        return import_module("tensorflow").profiler.experimental.Trace


class PythonBackend:
    """Samples the stacks of all threads."""

    def __init__(self, options: ProfileOptions) -> None:
        self._warmup = options.warmup
        self._sampler = Sampler(first_step=options.first_recorded)

    def start(self) -> None:
        if self._warmup == 0:
            self._sampler.start()

    def step(self) -> None:
        if self._sampler.is_running:
            self._sampler.step()
            return
        self._warmup -= 1
        if self._warmup <= 0:
            self._sampler.start()

    def stop(self) -> None:
        self._sampler.stop()

    def write(self, folder: Path, rank: Rank) -> None:
        self._sampler.write(folder / f"{worker_name(rank)}.{time.time_ns() // 1_000_000}.trace.json.gz")

    def discard(self) -> None:
        pass


CLASSES: dict[str, Any] = {
    "torch": TorchBackend,
    "jax": JaxBackend,
    "tensorflow": TensorFlowBackend,
    "python": PythonBackend,
}
