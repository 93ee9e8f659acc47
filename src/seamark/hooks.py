"""Hooks that a training loop calls once per step: a step counter and a profiler. Only the chief logs."""

from __future__ import annotations

from seamark.write.run.hooks.profiler_hook import ProfilerHook
from seamark.write.run.hooks.step_counter import StepCounter

__all__ = ["ProfilerHook", "StepCounter"]
