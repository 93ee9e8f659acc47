"""Train a few small models, log them live, and show them in the browser.

Needs only NumPy: six runs at three learning rates, one that overfits, one that diverges, two small GPTs, two with
embeddings, and a census for What-If. Each has a run.json beside its event files, as seamark.init() writes it.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from seamark.cli.arguments import log_directory
from seamark.cli.commands import serve
from seamark.cli.demo.census_run import CENSUS_NAME, TRAINED_MODEL, CensusRun
from seamark.cli.demo.demo_run import DemoRun
from seamark.cli.demo.embedding_runs import DIGITS_NAME, WORDS_NAME, DigitsRun, log_words
from seamark.cli.demo.glyphs import GlyphTraining
from seamark.cli.demo.gpt_run import GptRun
from seamark.cli.demo.small_gpt import GPT_RECIPES, SmallGpt
from seamark.cli.demo.two_moons import RECIPES, Training
from seamark.store import LogRoot
from seamark.write.run.config.settings import VARIABLES
from seamark.write.run.record.run_folder import RunInUseError

HISTOGRAM_INTERVAL = 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    demo = parser.add_argument_group("the demo")
    demo.add_argument(
        "--logdir",
        # Not `logdir`: the log directory in a settings file holds the user's runs, not demos.
        dest="folder",
        type=log_directory.folder,
        default=Path("runs/demo"),
        metavar="DIR",
        help="log directory to write to (default: runs/demo)",
    )
    demo.add_argument("--steps", type=int, default=2000, help="training steps per run (default: 2000)")
    demo.add_argument(
        "--duration_secs",
        type=float,
        default=60.0,
        metavar="SECS",
        help="spread the training over this time; 0: as fast as possible (default: 60)",
    )
    demo.add_argument(
        "--histogram_interval",
        type=serve.positive,
        default=HISTOGRAM_INTERVAL,
        metavar="STEPS",
        help=f"steps between two histograms (default: {HISTOGRAM_INTERVAL})",
    )
    demo.add_argument("--no_serve", action="store_true", help="train and exit, without a server")
    serve.add_server_arguments(parser)


def run(args: argparse.Namespace) -> int:
    folder: Path = args.folder
    # They are for the user's runs: the demo is not uploaded, and has the names that the docs mention.
    for variable in VARIABLES.values():
        os.environ.pop(variable, None)
    if args.no_serve:
        train(folder, steps=args.steps, duration_secs=0.0, histogram_interval=args.histogram_interval)
        count = len(RECIPES) + len(GPT_RECIPES) + len((DIGITS_NAME, WORDS_NAME, CENSUS_NAME))
        print(f"logged {count} runs of {args.steps} steps; look at them with: seamark --logdir '{folder}'")
        return 0
    # Ours, not the user's: editing works at once, and no other model runs without --allow_predict.
    args.allow_predict = (*args.allow_predict, TRAINED_MODEL)
    stopping = threading.Event()
    trainer = threading.Thread(
        target=train,
        args=[folder],
        kwargs={
            "steps": args.steps,
            "duration_secs": args.duration_secs,
            "histogram_interval": args.histogram_interval,
            "is_stopping": stopping.is_set,
            "on_end": lambda: print("The demo has trained all its runs; the page stays open until Ctrl-C.", flush=True),
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
    on_end: Callable[[], None] = lambda: None,
) -> None:
    """All runs side by side, one step each in turn, so that their curves grow together. `on_end`: unless stopped."""
    pause_secs = duration_secs / max(steps, 1)
    runs: list[DemoRun | GptRun | DigitsRun | CensusRun] = []
    try:
        for recipe in RECIPES:
            runs.append(DemoRun(folder, Training(recipe, total_steps=steps), histogram_interval))
        for gpt in GPT_RECIPES:
            runs.append(GptRun(folder, SmallGpt(gpt), histogram_interval, is_profiled=gpt is GPT_RECIPES[0]))
        runs.append(DigitsRun(folder, GlyphTraining(), total_steps=steps))
        runs.append(CensusRun(folder, total_steps=steps))
        log_words(folder)
    except RunInUseError as error:
        print(f"the demo does not train: {error}", file=sys.stderr)
        steps = 0
    begun = time.monotonic()
    for step in range(steps):
        for run in runs:
            run.train_one_step(step)
        behind_secs = begun + (step + 1) * pause_secs - time.monotonic()
        if behind_secs > 0:
            time.sleep(behind_secs)
        if is_stopping():
            break
    for run in runs:
        run.close(was_stopped=is_stopping())
    if steps and not is_stopping():
        on_end()
