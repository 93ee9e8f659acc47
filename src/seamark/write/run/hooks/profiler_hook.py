"""Profiles some steps at an interval and writes the profiles to plugins/profile/<time>/."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from seamark.write.profile.backends import BACKENDS, BackendName, ProfileOptions
from seamark.write.profile.recording import ProfileRecording
from seamark.write.run.hooks.loop_hook import LoopHook
from seamark.write.run.profiling import log_dir_of
from seamark.write.writer import ranks


class ProfilerHook(LoopHook):
    """Profiles `steps` steps every `every_n_steps` steps, or every `every_secs` seconds, after `warmup` steps.

    Uses torch's, JAX's or TensorFlow's profiler, whichever the program has imported, and samples a program without
    them. `target` is a SummaryWriter, a run or a folder, by default the current run. In a distributed run only `rank`
    records; None: every rank. Only the newest `max_profiles` are kept, because a trace is large.

    A profiler slows the steps that it records, so profiling every step is an error unless `allow_every_step` is set.
    """

    def __init__(
        self,
        every_n_steps: int | None = None,
        *,
        every_secs: float | None = None,
        steps: int = 3,
        warmup: int = 1,
        rank: int | None = 0,
        max_profiles: int = 10,
        backend: BackendName = "auto",
        record_shapes: bool = True,
        with_stack: bool = False,
        profile_memory: bool = False,
        allow_every_step: bool = False,
        target: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(target)
        if (every_n_steps is None) == (every_secs is None):
            raise ValueError("ProfilerHook takes either every_n_steps or every_secs")
        if (every_n_steps or 1) < 1 or (every_secs or 1) <= 0 or steps < 1 or warmup < 0:
            raise ValueError("every_n_steps, every_secs and steps are positive, and warmup is not negative")
        if every_n_steps is not None and every_n_steps <= steps + warmup and not allow_every_step:
            raise ValueError(
                f"every_n_steps must be more than steps + warmup, else every step is profiled: got {every_n_steps}, "
                f"want more than {steps + warmup}, or allow_every_step=True"
            )
        if backend not in BACKENDS:
            raise ValueError(f"unknown backend: got {backend!r}, want {', '.join(BACKENDS)}")
        self._every_n_steps, self._every_secs = every_n_steps, every_secs
        self._steps_to_run, self._rank = steps + warmup, rank
        self._options = ProfileOptions(warmup, record_shapes, with_stack, profile_memory)
        self._max_profiles, self._backend, self._clock = max_profiles, backend, clock
        self._recording: ProfileRecording | None = None
        self._steps_left = 0
        self._next_at = clock() + (every_secs or 0.0)
        self._made: list[Path] = []

    @property
    def profiles(self) -> list[Path]:
        """The folders of the profiles that are kept."""
        return list(self._made)

    def after_step(self, step: int, **_: Any) -> None:
        if self._recording is not None:
            self._steps_left -= 1
            if self._steps_left > 0:
                self._recording.step()
                return
            self._stop()
        if self._is_due(step):
            self._start(step)

    def end(self) -> None:
        """Writes a profile with at least one whole step, even if it has fewer than `steps`."""
        if self._recording is not None:
            self._stop()

    def _is_due(self, step: int) -> bool:
        if self._every_n_steps is not None:
            return step > 0 and step % self._every_n_steps == 0
        return self._clock() >= self._next_at

    def _start(self, step: int) -> None:
        self._steps_left = self._steps_to_run
        self._next_at = self._clock() + (self._every_secs or 0.0)
        is_recorded = self._rank is None or ranks.detect().number == self._rank
        folder = log_dir_of(self._target) if is_recorded and self._has_target() else None
        if folder is None:
            return
        # Ranks that record together share a folder: they are at the same step.
        session = f"step_{step}" if self._rank is None and ranks.detect().size > 1 else ""
        options = self._options._replace(first_step=step + 1)
        self._recording = ProfileRecording(folder, self._backend, options, session=session)
        self._recording.start()

    def _has_target(self) -> bool:
        """Without a run nothing is recorded: a hook does not choose a folder by itself."""
        return isinstance(self._target, str | Path) or self._writer() is not None

    def _stop(self) -> None:
        recording, self._recording = self._recording, None
        has_step = self._steps_to_run - self._steps_left > self._options.warmup
        folder = None if recording is None else recording.stop(discard=not has_step)
        if folder is None:
            return
        self._made.append(folder)
        while len(self._made) > self._max_profiles:
            shutil.rmtree(self._made.pop(0), ignore_errors=True)
