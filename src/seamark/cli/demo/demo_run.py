"""One run of the demo: its configuration, the steps at which it logs, and its end."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import Any

import seamark
from seamark.cli.demo import demo_kinds
from seamark.cli.demo.two_moons import Measured, Training
from seamark.format.messages import Event, Summary
from seamark.write.writer.file_writer import FileWriter

EVALUATE_EVERY = 10
CURVES_EVERY = 100
PICTURES_EVERY = 250
SOUND_EVERY = 500
SYSTEM_SECS = 2.0
# A diverged run continues for a few steps before it fails.
STEPS_AFTER_DIVERGING = 20


class DivergedError(ArithmeticError):
    """Raised when the loss is not finite."""


def start_run(folder: Path, path: str, *, config: dict[str, Any], tags: list[str], notes: str) -> seamark.Run:
    above, _, name = path.rpartition("/")
    return seamark.init(
        name=name,
        dir=folder / above,
        config=config,
        tags=tags,
        notes=notes,
        # A second demo in the same folder resumes the runs of the first.
        resume="allow",
        reinit="create_new",
        # All runs share a process, so its console and working directory belong to none of them.
        console=False,
        git=False,
        system_metrics_secs=SYSTEM_SECS,
        quiet=True,
    )


class DemoRun:
    """A training, its run and its console log."""

    def __init__(self, folder: Path, training: Training, histogram_interval: int) -> None:
        recipe = training.recipe
        self._training = training
        self._histogram_interval = histogram_interval
        self._losses: deque[float] = deque(maxlen=SOUND_EVERY)
        self._steps_left_after_diverging = STEPS_AFTER_DIVERGING
        self._run = start_run(
            folder,
            recipe.name,
            config=demo_kinds.config_of(training),
            tags=demo_kinds.tags_of(recipe),
            notes=demo_kinds.notes_of(recipe),
        )
        self._run.define_metric("eval/accuracy", goal="maximize", summary="max")
        self._run.define_metric("eval/loss", goal="minimize", summary="min")
        self._console = (self._run.dir / "console.log").open("a", encoding="utf-8", buffering=1)
        self._print(f"two moons, {recipe.train_points} points, seed {recipe.seed}: {training.parameters} parameters")
        writer = self._run.writer
        assert writer is not None, "a run of the demo has a writer"
        # Kinds are encoded directly, to log variants that the run's methods do not; they go into the run's event file.
        self._file = FileWriter(writer.log_dir, sink=writer.sink)
        # Graphs opens the first run that has one: the GPTs have more to show than a network that fails.
        if "/" in recipe.name:
            self._file.add_event(Event(graph_def=demo_kinds.network(recipe)), 0)
        self._log_values(demo_kinds.initial_values(recipe), 0)

    def train_one_step(self, step: int) -> None:
        if not self._run.is_live:
            return
        learning_rate = self._training.learning_rate
        measured, gradient_norm = self._training.step()
        self._losses.append(measured.loss)
        self._run.log(
            {
                "train/loss": measured.loss,
                "train/accuracy": measured.accuracy,
                "train/learning_rate": learning_rate,
                "train/gradient_norm": gradient_norm,
            },
            step=step,
        )
        if step % EVALUATE_EVERY == 0:
            self._evaluate(step, measured, gradient_norm)
        self._log_media(step)
        if self._training.has_diverged:
            self._count_down_to_failure(step)

    def _evaluate(self, step: int, measured: Measured, gradient_norm: float) -> None:
        held_out = self._training.evaluate()
        low, high = held_out.accuracy_range()
        self._run.log(
            {
                "eval/loss": held_out.loss,
                "eval/accuracy": held_out.accuracy,
                "bounds/accuracy_low": low,
                "bounds/accuracy_high": high,
            },
            step=step,
        )
        self._print(
            f"step {step:>5}  loss {measured.loss:.4f}  gradient {gradient_norm:.3g}  "
            f"eval loss {held_out.loss:.4f}  eval accuracy {held_out.accuracy:.3f}"
        )

    def _log_media(self, step: int) -> None:
        values = []
        if step % self._histogram_interval == 0:
            values += demo_kinds.histograms(self._training)
        if step % CURVES_EVERY == 0:
            values.append(demo_kinds.curve(self._training))
        if step % PICTURES_EVERY == 0:
            values += demo_kinds.pictures(self._training)
        if step % SOUND_EVERY == SOUND_EVERY - 1 or step == 0:
            values.append(demo_kinds.sound(list(self._losses)))
        if values:
            self._log_values(values, step)

    def _log_values(self, values: list[Summary.Value], step: int) -> None:
        self._file.add_summary(Summary(value=values), step)

    def _count_down_to_failure(self, step: int) -> None:
        if self._steps_left_after_diverging == STEPS_AFTER_DIVERGING:
            self._print(f"WARNING step {step}: weights are no longer finite")
        self._steps_left_after_diverging -= 1
        if self._steps_left_after_diverging == 0:
            try:
                raise DivergedError(f"the loss is {self._losses[-1]} at step {step}; a smaller learning rate may help")
            except DivergedError as error:
                self._print(f"DivergedError: {error}")
                self._run.note_failure(error, error.__traceback__)
            self._end()

    def close(self, *, was_stopped: bool) -> None:
        if not self._run.is_live:
            return
        if was_stopped:
            self._run.note_failure(KeyboardInterrupt())
        self._end()

    def _end(self) -> None:
        self._run.end()
        self._console.close()

    def _print(self, line: str) -> None:
        self._console.write(f"{line}\n")
