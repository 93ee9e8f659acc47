"""What a training loop calls once per step: how fast it goes, and now and then a profile. Chief only, for any loop."""

from __future__ import annotations

from seamark.write.run.profiler_hook import ProfilerHook
from seamark.write.run.step_counter import StepCounter

__all__ = ["ProfilerHook", "StepCounter"]
