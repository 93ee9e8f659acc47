"""Sweeps for tests: trials with a response that is known, as TensorFlow's hparams API writes them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seamark.kinds import hparams
from seamark.kinds.summary import event_record
from seamark.write.append.event_file import EventFile

STEPS = 5
BEGUN = 1_700_000_000.0


@dataclass(frozen=True)
class Made:
    """One trial, and what it reached."""

    name: str
    params: dict[str, Any]
    loss: float
    accuracy: float
    secs: float


def sweep(trials: int, seed: int = 7) -> list[Made]:
    """The loss is lowest near lr 1e-3; depth matters a little, dropout hardly."""
    dice = random.Random(seed)
    made = []
    for number in range(trials):
        lr, decay = 10 ** (-4.3 + 2.6 * dice.random()), 10 ** (-3.3 + 2.3 * dice.random())
        optimizer, batch = dice.choice(["adamw", "sgd", "lamb"]), dice.choice([64, 128, 256, 512])
        depth, dropout = dice.choice([18, 34, 50, 101]), round(dice.random() * 10) / 20
        off = math.log10(lr) + 3.05 - (0.5 if optimizer == "sgd" else 0.0)
        loss = 0.87 + 0.16 * off**2 + 0.035 * (math.log10(decay) + 1.4) ** 2 + {18: 0.13, 34: 0.06}.get(depth, 0.0)
        loss += 0.02 * abs(dropout - 0.15) + 0.02 * abs(dice.gauss(0, 1))
        params = {"lr": lr, "batch": batch, "optimizer": optimizer, "weight decay": decay, "dropout": dropout}
        params |= {"depth": depth, "bias": bool(number % 2)}
        made.append(Made(f"t-{number:04d}", params, loss, 1.01 - loss * 0.245, 60.0 + depth * 10))
    return made


def write_trial(logdir: Path, trial: Made) -> None:
    """The session's start, its curves and its end, in one run."""
    with EventFile(logdir / trial.name, wall_time=BEGUN) as file:
        start = hparams.SessionStart(trial.params, start_time_secs=BEGUN)
        file.append(event_record(hparams.encode(start), step=0, wall_time=BEGUN))
        for step in range(STEPS):
            share = (STEPS - 1 - step) / (STEPS - 1)
            wall = BEGUN + trial.secs * step / (STEPS - 1)
            file.add_scalar("val/loss", trial.loss * (1 + share), step, wall_time=wall)
            file.add_scalar("val/acc", trial.accuracy * (1 - 0.5 * share), step, wall_time=wall)
        end = hparams.SessionEnd(hparams.Status.SUCCESS, BEGUN + trial.secs)
        file.append(event_record(hparams.encode(end), step=STEPS, wall_time=BEGUN + trial.secs))


def write_sweep(logdir: Path, trials: int, seed: int = 7) -> list[Made]:
    made = sweep(trials, seed)
    for trial in made:
        write_trial(logdir, trial)
    return made
