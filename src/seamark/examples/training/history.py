"""History: what happened to each example from step to step, added one step at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.examples.form import ScoredSet
from seamark.examples.losses import row_losses
from seamark.tables.column import Numbers, Rows

Counts = NDArray[np.int64]
UNKNOWN = -1


class History:
    """Of some rows of a set. Steps at which a row has no prediction or no truth are skipped for it.

    A forgetting event is a step at which a row is wrong and at the one before was right (Toneva et al., 2019).
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        count = len(rows)
        self.steps: list[int] = []
        self.forgotten: Counts = np.zeros(count, np.int64)
        self.flips: Counts = np.zeros(count, np.int64)
        self.known: Counts = np.zeros(count, np.int64)  # steps with a prediction and a truth
        self.right: Counts = np.zeros(count, np.int64)  # steps at which it is right
        self._loss_sum: Numbers = np.zeros(count)
        self._right_from: Counts = np.full(count, UNKNOWN)  # the position of the step since which it is right
        self._last_right: Counts = np.full(count, UNKNOWN)  # 1, 0 or UNKNOWN
        self._last_class: Counts = np.full(count, UNKNOWN)

    def add(self, step: int, scored: ScoredSet, threshold: float) -> Numbers:
        """Returns the error of each row: 1 or 0, or the absolute error."""
        errors = np.abs(scored.errors(threshold)[self._rows])
        losses = row_losses(scored, scored.errors(threshold))[self._rows]
        is_known = np.isfinite(losses)
        self._loss_sum += np.where(is_known, losses, 0.0)
        self.known += is_known
        if scored.task in ("binary", "multiclass"):
            self._add_classes(errors, scored.predicted_classes(threshold)[self._rows].astype(np.int64))
        self.steps.append(step)
        return errors

    def _add_classes(self, errors: Numbers, predicted: Counts) -> None:
        right = np.where(np.isnan(errors), UNKNOWN, errors == 0).astype(np.int64)
        self.right += right == 1
        self.forgotten += (self._last_right == 1) & (right == 0)
        self.flips += (self._last_class >= 0) & (predicted >= 0) & (self._last_class != predicted)
        starts = (right == 1) & (self._right_from == UNKNOWN)
        self._right_from = np.where(starts, len(self.steps), np.where(right == 0, UNKNOWN, self._right_from))
        self._last_right = np.where(right == UNKNOWN, self._last_right, right)
        self._last_class = np.where(predicted < 0, self._last_class, predicted)

    @property
    def mean_loss(self) -> Numbers:
        """NaN for a row without any known step."""
        return np.where(self.known > 0, self._loss_sum / np.maximum(self.known, 1), np.nan)

    def first_learned(self, at: int) -> int | None:
        """The step from which the row stays right to the end."""
        position = int(self._right_from[at])
        return None if position == UNKNOWN else self.steps[position]
