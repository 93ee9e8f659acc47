"""Train a few small models for real, log them live, and show them in the browser.

Needs nothing but NumPy: six runs that learn at three rates, one that overfits and one that diverges.
"""

from __future__ import annotations

import argparse
import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

from seamark.cli import demo_kinds, serve
from seamark.cli.two_moons import RECIPES, Training
from seamark.kinds import hparams
from seamark.kinds.summary import event_record, graph_record
from seamark.store import LogRoot
from seamark.write.event_file import EventFile

EVALUATE_EVERY = 10
HISTOGRAM_INTERVAL = 100
CURVES_EVERY = 100
PICTURES_EVERY = 250
SOUND_EVERY = 500
# A run that diverged goes on for a moment, as real ones do before somebody looks.
STEPS_AFTER_DIVERGING = 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    demo = parser.add_argument_group("the demo")
    demo.add_argument(
        "--logdir",
        # Under another name: the log directory in a file of settings holds somebody's runs, not demos.
        dest="folder",
        type=Path,
        default=Path("runs/demo"),
        metavar="DIR",
        help="where to log (default: runs/demo)",
    )
    demo.add_argument("--steps", type=int, default=2000, help="training steps per run (default: 2000)")
    demo.add_argument(
        "--duration_secs",
        type=float,
        default=60.0,
        metavar="SECS",
        help="spread the training over this time; 0: as fast as it goes (default: 60)",
    )
    demo.add_argument(
        "--histogram_interval",
        type=serve.positive,
        default=HISTOGRAM_INTERVAL,
        metavar="STEPS",
        help=f"steps between two histograms (default: {HISTOGRAM_INTERVAL})",
    )
    demo.add_argument("--no_serve", action="store_true", help="train and end, without a server")
    serve.add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    if args.no_serve:
        train(folder, steps=args.steps, duration_secs=0.0, histogram_interval=args.histogram_interval)
        print(f"logged {len(RECIPES)} runs of {args.steps} steps; look at them with: seamark --logdir '{folder}'")
        return 0
    stopping = threading.Event()
    trainer = threading.Thread(
        target=train,
        args=[folder],
        kwargs={
            "steps": args.steps,
            "duration_secs": args.duration_secs,
            "histogram_interval": args.histogram_interval,
            "is_stopping": stopping.is_set,
        },
        daemon=True,
    )
    try:
        return serve.show([LogRoot("", folder.absolute())], args, beside=trainer.start)
    finally:
        stopping.set()
        with contextlib.suppress(RuntimeError):  # it never started when the port was taken
            trainer.join(timeout=2)


def train(
    folder: Path,
    *,
    steps: int,
    duration_secs: float,
    histogram_interval: int = HISTOGRAM_INTERVAL,
    is_stopping: Callable[[], bool] = lambda: False,
) -> None:
    """All runs side by side, one step each in turn, so that their curves grow together."""
    pause_secs = duration_secs / max(steps, 1)
    logs = [RunLog(folder / recipe.name, Training(recipe, total_steps=steps), histogram_interval) for recipe in RECIPES]
    begun = time.monotonic()
    for step in range(steps):
        for log in logs:
            log.train_one_step(step)
        behind_secs = begun + (step + 1) * pause_secs - time.monotonic()
        if behind_secs > 0:
            time.sleep(behind_secs)
        if is_stopping():
            break
    for log in logs:
        log.close()


class RunLog:
    """One run and its event file."""

    def __init__(self, folder: Path, training: Training, histogram_interval: int) -> None:
        self._training = training
        self._histogram_interval = histogram_interval
        self._losses: deque[float] = deque(maxlen=SOUND_EVERY)
        self._file = EventFile(folder)
        self._steps_left_after_diverging = STEPS_AFTER_DIVERGING
        self._file.append(graph_record(demo_kinds.network(training.recipe), wall_time=time.time()))
        self._file.append(event_record(demo_kinds.opening(training.recipe), step=0, wall_time=time.time()))

    def train_one_step(self, step: int) -> None:
        if self._steps_left_after_diverging == 0:
            return
        learning_rate = self._training.learning_rate
        measured, gradient_norm = self._training.step()
        self._losses.append(measured.loss)
        self._file.add_scalar("train/loss", measured.loss, step)
        self._file.add_scalar("train/accuracy", measured.accuracy, step)
        self._file.add_scalar("train/learning_rate", learning_rate, step)
        self._file.add_scalar("train/gradient_norm", gradient_norm, step)
        if step % EVALUATE_EVERY == 0:
            held_out = self._training.evaluate()
            self._file.add_scalar("eval/loss", held_out.loss, step)
            self._file.add_scalar("eval/accuracy", held_out.accuracy, step)
            for name, bound in zip(("low", "high"), held_out.accuracy_range(), strict=True):
                self._file.add_scalar(f"bounds/accuracy_{name}", bound, step)
        self._log_media(step)
        self._file.flush()
        if self._training.has_diverged:
            self._steps_left_after_diverging -= 1

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
            self._file.append(event_record(values, step=step, wall_time=time.time()))

    def close(self) -> None:
        failed = self._training.has_diverged
        end = hparams.SessionEnd(
            hparams.Status.FAILURE if failed else hparams.Status.SUCCESS, end_time_secs=time.time()
        )
        self._file.append(event_record(hparams.encode(end), step=self._training.steps_done, wall_time=time.time()))
        self._file.close()
