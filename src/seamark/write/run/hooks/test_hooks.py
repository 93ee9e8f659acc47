"""Hooks in real loops: throughput by an injected clock, profiles by the real profiler."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch

import seamark
from seamark.hooks import ProfilerHook, StepCounter
from seamark.write.run.test_support import begin, points
from seamark.write.test_support import logged_warnings


class Clock:
    """Half a second per look."""

    def __init__(self, step_secs: float = 0.5) -> None:
        self.now, self.step_secs = 0.0, step_secs

    def __call__(self) -> float:
        return self.now

    def tick(self) -> None:
        self.now += self.step_secs


def test_steps_and_examples_a_second_are_logged_to_the_current_run() -> None:
    run, clock = begin(), Clock()
    counter = StepCounter(every_n_steps=2, batch_size=32, clock=clock)
    with counter:
        for _ in range(5):
            clock.tick()
            counter()
    run.finish()
    assert points(run, "global_step/sec") == [(2, 2.0), (4, 2.0)]
    assert points(run, "examples/sec") == [(2, 64.0), (4, 64.0)]


def test_wrapping_a_loader_uses_the_batch_sizes() -> None:
    clock = Clock()
    writer = seamark.SummaryWriter("logs")
    counter = StepCounter(every_n_steps=1, target=writer, clock=clock)
    for batch in counter.wrap([(np.zeros((4, 2)), np.zeros(4)), {"x": torch.zeros(6, 1)}, [1, 2, 3]]):
        assert batch is not None
        clock.tick()
    writer.close()
    run = begin()
    assert counter.steps_per_sec == 2.0 and counter.examples_per_sec == 6.0
    run.finish()


def test_a_plain_call_with_the_loops_own_step_begins_at_the_first() -> None:
    run, clock = begin(), Clock()
    counter = StepCounter(every_n_steps=10, clock=clock)
    for step in range(100, 131, 5):
        counter(step)
        clock.tick()
    counter(0)  # a loop that begins again
    run.finish()
    assert points(run, "global_step/sec") == [(110, 10.0), (120, 10.0), (130, 10.0)]


def test_without_a_run_a_counter_still_counts() -> None:
    clock = Clock()
    counter = StepCounter(1, clock=clock)
    for _ in range(3):
        counter()
        clock.tick()
    assert counter.steps_per_sec == 2.0
    with pytest.raises(ValueError, match="every_n_steps"):
        StepCounter(0)


def test_profiles_are_written_to_the_plugin_folder() -> None:
    run = begin()
    hook = ProfilerHook(every_n_steps=4, steps=2, warmup=1, max_profiles=2)
    with hook:
        for _ in range(17):
            torch.ones(8, 8) @ torch.ones(8, 8)
            hook()
    run.finish()
    folders = sorted((run.dir / "plugins" / "profile").iterdir())
    assert hook.profiles == folders and len(folders) == 2, "of the profiles after steps 4, 8, 12 the last two are kept"
    (trace,) = folders[0].iterdir()
    assert trace.name.endswith(".pt.trace.json.gz") and f"_{os.getpid()}." in trace.name
    names = [str(event.get("name")) for event in json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"]]
    assert names.count("aten::matmul") == 2
    assert {name for name in names if name.startswith("ProfilerStep")} == {"ProfilerStep#10", "ProfilerStep#11"}


def test_profiles_by_time() -> None:
    clock = Clock(step_secs=1.0)
    hook = ProfilerHook(every_secs=3, steps=1, warmup=0, target="logs", clock=clock)
    for _ in range(8):
        clock.tick()
        hook()
    hook.end()
    assert len(hook.profiles) == 2 and all(folder.is_dir() for folder in hook.profiles)


def test_a_profile_counts_calls_and_is_not_written_before_its_first_step() -> None:
    hook = ProfilerHook(every_n_steps=100, steps=2, warmup=1, target="logs", backend="python")
    with hook:
        for step in (100, 150, 250, 350, 400, 450):  # 400 begins a profile whose only step is a warm-up
            hook(step)
    (folder,) = hook.profiles
    (trace,) = folder.iterdir()
    names = [str(event["name"]) for event in json.loads(gzip.decompress(trace.read_bytes()))["traceEvents"]]
    assert [name for name in names if name.startswith("ProfilerStep")] == ["ProfilerStep#102", "ProfilerStep#103"]
    assert list(Path("logs").rglob("*.gz")) == [trace]


def test_jax_profiles_are_written_to_the_same_folder() -> None:
    jax = pytest.importorskip("jax")
    hook = ProfilerHook(every_n_steps=1, steps=1, warmup=0, backend="jax", target="logs", allow_every_step=True)
    with hook:
        hook(1)
        jax.numpy.ones(3).block_until_ready()
        hook(2)
    assert [path for folder in hook.profiles for path in folder.glob("*.xplane.pb")]


def test_hooks_of_other_ranks_do_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("WORLD_SIZE", "2")
    run = begin(name="a")
    assert run.disabled
    profiler = ProfilerHook(1, steps=1, warmup=0, allow_every_step=True)
    other = ProfilerHook(1, steps=1, warmup=0, allow_every_step=True, target="b")
    with profiler, other, StepCounter(1) as counter:
        for _ in range(3):
            profiler()
            other()
            counter()
        run.log({"a": 1})
    assert profiler.profiles == other.profiles == [] and not Path("runs").exists() and not Path("b").exists()
    writer = begin(name="a", all_ranks=True)
    assert writer.dir == Path("runs/a-rank1").absolute()
    writer.log({"a": 1.0})
    writer.finish()
    assert points(writer, "a") == [(0, 1.0)]


def test_every_rank_records_when_asked_to(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    for rank in ("0", "1"):
        monkeypatch.setenv("RANK", rank)
        monkeypatch.setenv("WORLD_SIZE", "2")
        hook = ProfilerHook(2, steps=1, warmup=0, rank=None, target="logs", backend="python")
        with hook:
            for _ in range(5):
                hook()
        made += hook.profiles
    assert made[:2] == made[2:] and [folder.name for folder in made[:2]] == ["step_2", "step_4"]
    assert sorted(path.name.partition("_")[0] for path in made[0].iterdir()) == ["rank0", "rank1"]


def test_wrong_arguments_raise_at_once() -> None:
    for options in (
        {},
        {"every_n_steps": 10, "every_secs": 1},
        {"every_n_steps": 0},
        {"every_secs": 1, "backend": "x"},
        {"every_n_steps": 4, "steps": 3, "warmup": 1},
    ):
        with pytest.raises(ValueError, match=r"every_|backend"):
            ProfilerHook(**options)  # type: ignore[arg-type]


def test_a_hook_that_fails_does_not_end_the_loop() -> None:
    counter = StepCounter(1, target=object(), clock=(clock := Clock()))
    with logged_warnings("StepCounter failed"):
        for _ in counter.wrap(range(3)):
            clock.tick()
