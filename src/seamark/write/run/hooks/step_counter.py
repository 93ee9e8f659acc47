"""Logs steps and examples per second."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from seamark.write.run.hooks.loop_hook import LoopHook

STEPS_TAG, EXAMPLES_TAG = "global_step/sec", "examples/sec"


class StepCounter(LoopHook):
    """Logs `global_step/sec` every `every_n_steps` steps, and `examples/sec` if the batch size is known.

    `target` is a SummaryWriter or a run, by default the current run. The time includes data loading.
    """

    wants_batch_size = True

    def __init__(
        self,
        every_n_steps: int = 100,
        batch_size: int | None = None,
        *,
        target: Any = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(target)
        if every_n_steps < 1:
            raise ValueError(f"every_n_steps is 1 or more: got {every_n_steps}")
        self._every, self._batch_size, self._clock = every_n_steps, batch_size, clock
        self._since: tuple[int, float] | None = None
        self._examples = 0
        self.steps_per_sec: float | None = None
        self.examples_per_sec: float | None = None

    def begin(self) -> None:
        self._since, self._examples = (self._steps, self._clock()), 0

    def after_step(self, step: int, **options: Any) -> None:
        examples = self._batch_size if self._batch_size is not None else options.get("batch_size")
        if self._since is None or step <= self._since[0]:
            # The first step, or a new loop: start measuring.
            self._since, self._examples = (step, self._clock()), 0
            return
        self._examples += examples or 0
        if step - self._since[0] >= self._every:
            self._report(step, self._since)

    def _report(self, step: int, since: tuple[int, float]) -> None:
        now = self._clock()
        secs = now - since[1]
        if secs <= 0:
            return
        self.steps_per_sec = (step - since[0]) / secs
        self.examples_per_sec = self._examples / secs if self._examples else None
        self._since, self._examples = (step, now), 0
        writer = self._writer()
        if writer is None:
            return
        writer.add_scalar(STEPS_TAG, self.steps_per_sec, step)
        if self.examples_per_sec is not None:
            writer.add_scalar(EXAMPLES_TAG, self.examples_per_sec, step)
