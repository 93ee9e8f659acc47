"""A sweep whose every number is known: runs with parameters in files, and losses that a formula gives."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from seamark.write.append.event_file import EventFile

RATES = (0.1, 0.03, 0.01, 0.003, 0.001)
MODELS = ("resnet18", "resnet50", "vit-b16", "mixer-s16")
POINTS = 4
BEGAN = 1_700_000_000.0


@dataclass(frozen=True)
class Trial:
    """One run: what it was given, and what it must have come to."""

    model: str
    lr: float
    seed: int

    @property
    def name(self) -> str:
        return f"{self.model}/lr{self.lr:g}_seed{self.seed}"

    @property
    def params(self) -> dict[str, object]:
        return {
            "model": self.model,
            "optim": {"lr": self.lr, "name": "adam"},
            "seed": self.seed,
            "use_ema": self.seed % 2 == 0,
        }

    @property
    def losses(self) -> list[float]:
        """Falls, and rises again at the end, so that least and last are different."""
        floor = round(
            0.2 + 0.1 * MODELS.index(self.model) + 0.05 * RATES.index(self.lr) + 0.001 * (self.seed * 7 % 10), 6
        )
        return [floor + 1.0, floor + 0.5, floor, round(floor + 0.1 + 0.0001 * self.seed, 6)]

    @property
    def least(self) -> float:
        return min(self.losses)


def trials(seeds: int) -> Iterator[Trial]:
    for model in MODELS:
        for lr in RATES:
            yield from (Trial(model, lr, seed) for seed in range(seeds))


def write_sweep(logdir: Path, seeds: int) -> list[Trial]:
    written = list(trials(seeds))
    for place, trial in enumerate(written):
        folder = logdir / trial.name
        began = BEGAN + 60 * place
        with EventFile(folder) as file:
            for step, loss in enumerate(trial.losses):
                file.add_scalar("val/loss", loss, step * 10, wall_time=began + step)
                file.add_scalar("train/acc", 1 - loss / 4, step * 10, wall_time=began + step)
        (folder / "config.json").write_text(json.dumps(trial.params))
    return written
