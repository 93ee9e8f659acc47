"""A run of the demo's GPT: its graph, the histograms of its layers, the costs of a few steps, and a profile."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.cli.demo import gpt_graph
from seamark.cli.demo.demo_run import start_run
from seamark.cli.demo.small_gpt import ADAM_RATE, SmallGpt
from seamark.cli.demo.tape import Array, Tape
from seamark.format.messages import Event, Summary, TaggedRunMetadata
from seamark.kinds import graph, histogram
from seamark.write.run.hooks.profiler_hook import ProfilerHook
from seamark.write.writer.file_writer import FileWriter

# A pass takes longer than a step of the other models.
TRAIN_EVERY = 10
PROFILED_STEPS = (0, 1000)
# The sampling profiler looks at a few passes of the first model.
PROFILE_EVERY_PASSES, PROFILED_PASSES = 60, 8


class GptRun:
    """A training and its run."""

    def __init__(self, folder: Path, model: SmallGpt, histogram_interval: int, *, is_profiled: bool = False) -> None:
        recipe = model.recipe
        self._model = model
        self._histogram_interval = histogram_interval
        aim = "as many blocks as the picture of a GPT has"
        if recipe.has_dead_mlp:
            aim = f"one block more and wider MLPs; the MLP of block {recipe.blocks - 1} is **dead** from the start"
        self._run = start_run(
            folder,
            recipe.name,
            config={
                "model": {"blocks": recipe.blocks, "width": recipe.width, "mlp_times": recipe.mlp_times},
                "optim": {"name": "adam", "learning_rate": ADAM_RATE},
                "seed": recipe.seed,
            },
            tags=["gpt"],
            notes=f"### A small GPT\nLearns the letters of a text: {aim}.\n\n- its graph is on Graphs",
        )
        writer = self._run.writer
        assert writer is not None, "a run of the demo has a writer"
        self._file = FileWriter(writer.log_dir, sink=writer.sink)
        self._profiler: ProfilerHook | None = None
        if is_profiled:
            self._profiler = ProfilerHook(
                PROFILE_EVERY_PASSES,
                steps=PROFILED_PASSES,
                warmup=0,
                backend="python",
                max_profiles=1,
                target=self._run,
            )

    def train_one_step(self, step: int) -> None:
        if not self._run.is_live or step % TRAIN_EVERY:
            return
        is_first = self._model.steps_done == 0
        loss, gradients, tape = self._model.step()
        self._run.log({"gpt/loss": loss, **self._block_norms(gradients)}, step=step)
        if is_first:
            self._file.add_event(Event(graph_def=graph.encode(gpt_graph.graph_of(tape))), step)
        if step in PROFILED_STEPS:
            self._log_costs(tape, step)
        if step % self._histogram_interval == 0:
            self._log_histograms(gradients, step)
        if self._profiler is not None:
            self._profiler()

    def _block_norms(self, gradients: dict[str, Array]) -> dict[str, float]:
        """The norm of all gradients of a block, under the name of the block."""
        squares: dict[str, float] = {}
        for name, gradient in gradients.items():
            if name.startswith("h."):
                block = "gradient_norm/" + ".".join(name.split(".")[:2])
                squares[block] = squares.get(block, 0.0) + float(np.square(gradient, dtype=np.float64).sum())
        return {block: square**0.5 for block, square in squares.items()}

    def _log_histograms(self, gradients: dict[str, Array], step: int) -> None:
        names = [name for name in gradients if name.endswith(".weight") and ".ln_" not in name]
        values = [histogram.encode(f"gradients/{name}", gradients[name]) for name in names]
        values += [histogram.encode(f"parameters/{name}", self._model.parameters[name]) for name in names]
        self._file.add_summary(Summary(value=values), step)

    def _log_costs(self, tape: Tape, step: int) -> None:
        costs = gpt_graph.run_metadata_of(tape).SerializeToString()
        self._file.add_event(Event(tagged_run_metadata=TaggedRunMetadata(tag=f"step_{step}", run_metadata=costs)), step)

    def close(self, *, was_stopped: bool) -> None:
        if not self._run.is_live:
            return
        if self._profiler is not None:
            self._profiler.end()
        if was_stopped:
            self._run.note_failure(KeyboardInterrupt())
        self._run.end()
