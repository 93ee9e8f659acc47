"""A run of the demo with examples: a logistic regression of the census along its training, for What-If."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from seamark.cli.demo.census import HIGH, LOW, Census, Encoding, make_census, sigmoid
from seamark.cli.demo.demo_run import start_run
from seamark.cli.demo.embedding_runs import LOGGED_AT

CENSUS_NAME = "census/logistic"
# As --allow_predict takes it.
TRAINED_MODEL = "trained=seamark.cli.demo.census_model:predict"
ROWS = 4000
BATCH_ROWS = 64
LEARNING_RATE = 0.3
LOG_EVERY = 5
SEED = 0


def demo_census() -> Census:
    return make_census(ROWS)


class CensusRun:
    """Trained by gradient descent on small batches, so that predictions flip on the way."""

    def __init__(self, folder: Path, *, total_steps: int) -> None:
        census = demo_census()
        self._table = {**census.columns, "income": np.where(census.is_high, HIGH, LOW)}
        self._is_high = census.is_high
        self._is_train = census.columns["split"] == "train"
        self._matrix = Encoding.fit(census.columns).matrix(census.columns)
        self._weights = np.zeros(self._matrix.shape[1])
        self._random = np.random.default_rng(SEED)
        self._logged_at = {round(share * max(total_steps - 1, 0)) for share in LOGGED_AT}
        self._run = start_run(
            folder,
            CENSUS_NAME,
            config={"rows": ROWS, "optim": {"rate": LEARNING_RATE, "batch": BATCH_ROWS}},
            tags=["examples"],
            notes="### A generated census\nNo person in it exists. Incomes of women with a degree were exchanged at "
            "random for a third of them, and What-If finds that.\n\n- its examples and predictions are on What-If",
        )

    def train_one_step(self, step: int) -> None:
        if not self._run.is_live:
            return
        if step in self._logged_at:
            scores = sigmoid(self._matrix @ self._weights)
            self._run.log_examples(self._table, {"logistic": scores}, name="census", truth="income", step=step)
            is_right = (scores >= 0.5) == self._is_high
            self._run.log({"census/test_accuracy": float(is_right[~self._is_train].mean())}, step=step)
        loss = self._descend()
        if step % LOG_EVERY == 0:
            self._run.log({"census/loss": loss}, step=step)

    def _descend(self) -> float:
        """Returns the loss of the batch before the step."""
        rows = self._random.choice(np.flatnonzero(self._is_train), BATCH_ROWS)
        matrix, truth = self._matrix[rows], self._is_high[rows]
        scores = sigmoid(matrix @ self._weights)
        self._weights -= LEARNING_RATE * matrix.T @ (scores - truth) / BATCH_ROWS
        return float(-np.log(np.where(truth, scores, 1 - scores)).mean())

    def close(self, *, was_stopped: bool) -> None:
        if was_stopped:
            self._run.note_failure(KeyboardInterrupt())
        self._run.end()
