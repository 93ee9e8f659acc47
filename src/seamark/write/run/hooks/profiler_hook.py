"""Profiles some steps at an interval and writes the profiles to plugins/profile/<time>/."""

from __future__ import annotations

import os
import re
import socket
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from seamark.write.run.hooks.loop_hook import LoopHook

BACKENDS = ("auto", "torch", "jax")


class Profiler(Protocol):
    def start(self) -> None: ...
    def stop(self, folder: Path) -> None: ...


class ProfilerHook(LoopHook):
    """Profiles `active_steps` steps every `save_steps` steps, or every `save_secs` seconds.

    Uses torch or JAX, whichever the program has imported. `target` is a SummaryWriter, a run or a folder, by default
    the current run. Only the newest `max_profiles` are kept, because a trace is large.
    """

    def __init__(
        self,
        save_steps: int | None = None,
        save_secs: float | None = None,
        *,
        active_steps: int = 1,
        max_profiles: int = 10,
        backend: str = "auto",
        target: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(target)
        if (save_steps is None) == (save_secs is None):
            raise ValueError("ProfilerHook takes either save_steps or save_secs")
        if (
            (save_steps is not None and save_steps < 1)
            or (save_secs is not None and save_secs <= 0)
            or active_steps < 1
        ):
            raise ValueError("save_steps, save_secs and active_steps are positive")
        if backend not in BACKENDS:
            raise ValueError(f"unknown backend: got {backend!r}, want {', '.join(BACKENDS)}")
        self._save_steps, self._save_secs, self._active_steps = save_steps, save_secs, active_steps
        self._max_profiles, self._backend, self._clock = max_profiles, backend, clock
        self._profiler: Profiler | None = None
        self._first_step = self._next_step = 0
        self._next_at = clock() + (save_secs or 0.0)
        self._made: list[Path] = []

    @property
    def profiles(self) -> list[Path]:
        """The folders of the profiles that are kept."""
        return list(self._made)

    def begin(self) -> None:
        # As in the Estimator: with save_steps, the first step is profiled, too.
        if self._save_steps is not None:
            self._start(self._steps)

    def after_step(self, step: int, **_: Any) -> None:
        if self._profiler is not None and step - self._first_step >= self._active_steps:
            self._stop()
        if self._profiler is None and self._is_due(step):
            self._start(step)

    def end(self) -> None:
        if self._profiler is not None:
            self._stop()

    def _is_due(self, step: int) -> bool:
        if self._save_secs is not None:
            return self._clock() >= self._next_at
        return step >= self._next_step and step % (self._save_steps or 1) == 0

    def _start(self, step: int) -> None:
        self._first_step = step
        self._next_step = step + 1
        self._next_at = self._clock() + (self._save_secs or 0.0)
        if self._run_folder() is None:
            return
        profiler = profiler_of(self._backend)
        if profiler is None:
            self._warn_once.warn("backend", "nothing is profiled: neither torch nor jax is imported")
            return
        profiler.start()
        self._profiler = profiler

    def _stop(self) -> None:
        profiler, self._profiler = self._profiler, None
        root = self._run_folder()
        if profiler is None or root is None:
            return
        folder = root / "plugins" / "profile" / _session_name()
        profiler.stop(folder)
        self._made.append(folder)
        while len(self._made) > self._max_profiles:
            _remove(self._made.pop(0))

    def _run_folder(self) -> Path | None:
        if isinstance(self._target, str | os.PathLike):
            return Path(self._target)
        writer = self._writer()
        return None if writer is None else Path(writer.log_dir)


def profiler_of(backend: str) -> Profiler | None:
    if backend == "torch" or (backend == "auto" and "torch" in sys.modules):
        return TorchProfiler()
    if backend == "jax" or (backend == "auto" and "jax" in sys.modules):
        return JaxProfiler()
    return None


class TorchProfiler:
    def start(self) -> None:
        from torch import profiler

        everything = profiler.supported_activities()  # type: ignore[no-untyped-call]
        self._profile = profiler.profile(activities=list(everything))
        self._profile.start()

    def stop(self, folder: Path) -> None:
        self._profile.stop()
        folder.mkdir(parents=True, exist_ok=True)
        # The file name of PyTorch's own handler, which its readers expect: worker, time, suffix.
        worker = re.sub(r"[^\w-]", "-", f"{socket.gethostname()}_{os.getpid()}")
        self._profile.export_chrome_trace(str(folder / f"{worker}.{time.time_ns() // 1_000_000}.pt.trace.json.gz"))


class JaxProfiler:
    """JAX chooses the folder below the given one itself, so it writes to a temporary folder."""

    def start(self) -> None:
        import tempfile

        self._folder = Path(tempfile.mkdtemp(prefix="seamark-profile-"))
        import_module("jax").profiler.start_trace(str(self._folder))

    def stop(self, folder: Path) -> None:
        import shutil

        import_module("jax").profiler.stop_trace()
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(self._folder.glob("plugins/profile/*/*")):
            shutil.move(path, folder / path.name)
        shutil.rmtree(self._folder, ignore_errors=True)


def _session_name() -> str:
    """Sorts by time, with milliseconds."""
    now = time.time()
    return time.strftime("%Y_%m_%d_%H_%M_%S", time.localtime(now)) + f"_{int(now * 1000) % 1000:03d}"


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
