"""Analysis: a computation that calls a model many times, in steps, and always has a result so far."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from seamark.examples.form import Model, Overrides, Predictions
from seamark.examples.points.point import Point
from seamark.examples.results.points import Attributions, PartialDependence, Progress
from seamark.tables.column import Rows

SEED = 0  # the same request returns the same numbers
# A slow model shows a first part soon; of a fast one each further call has up to four times as many rows.
FIRST_BATCH = 128
MAX_BATCH = 32_768
CALL_SECS = 0.3  # long enough that the cost of a call does not count, short enough to stop and to show a part


class Analysis(Protocol):
    """One thread takes the steps; any thread may read the result so far."""

    unit: Literal["rows", "samples"]

    @property
    def done(self) -> int: ...

    @property
    def total(self) -> int: ...

    def steps(self) -> Iterator[None]:
        """Calls the model once or a few times before each `yield`. Raises PredictError."""

    def result(self, progress: Progress) -> PartialDependence | Attributions: ...


@dataclass
class BatchSize:
    """How many rows the next call has, from how long the last one took."""

    rows: int = FIRST_BATCH
    secs: float = field(default=0.0, init=False)  # spent in the model

    def predict(self, model: Model, rows: Rows, overrides: Overrides) -> Predictions:
        started = time.perf_counter()
        predictions = model.predict(rows, overrides)
        secs = time.perf_counter() - started
        self.secs += secs
        if len(rows) >= self.rows // 2:
            fitting = len(rows) * CALL_SECS / max(secs, 1e-4)
            self.rows = int(min(MAX_BATCH, 4 * self.rows, max(1, fitting)))
        return predictions


def sample_rows(examples_rows: int, rows: Rows | None, count: int) -> Rows:
    """A random sample without repetition, in random order; of `rows`, or of all."""
    available = np.arange(examples_rows, dtype=np.int64) if rows is None else rows
    random = np.random.default_rng(SEED)
    chosen: Rows = random.permutation(available)[:count].astype(np.int64)
    return chosen


def predict_point(model: Model, point: Point) -> Predictions:
    return model.predict(np.array([point.row], np.int64), {name: [value] for name, value in point.edits.items()})


def student_quantile(degrees: int) -> float:
    """The value that |t| of Student's t exceeds with a probability of 5 %.

    Exact for one and two degrees of freedom, else by the expansion of Abramowitz and Stegun 26.7.5 (within 0.1 %).
    """
    if degrees <= 2:
        return 12.706204736 if degrees == 1 else 4.302652730
    z = 1.959963985
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return z + math.fsum(term / degrees ** (power + 1) for power, term in enumerate(terms))
