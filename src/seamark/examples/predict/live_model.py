"""LiveModel: a model that is asked again for every prediction, for one set."""

from __future__ import annotations

from threading import Lock
from typing import Literal, Protocol

import numpy as np

from seamark.examples.form import ExampleSet, Overrides, PredictError, Predictions
from seamark.examples.predict.interpret import Expected, expected_of
from seamark.examples.predict.raw import RawScores
from seamark.tables.column import Rows

FIRST_ROWS = 64


class Backend(Protocol):
    """Where a model runs. For any thread."""

    @property
    def name(self) -> str: ...

    @property
    def source(self) -> Literal["process", "http"]: ...

    @property
    def version(self) -> int:
        """Grows when the model changed."""

    def raw_scores(self, examples: ExampleSet, rows: Rows, overrides: Overrides | None = None) -> RawScores:
        """Raises PredictError."""


class LiveModel:
    """For any thread. Measures the time of a row."""

    def __init__(self, backend: Backend, examples: ExampleSet) -> None:
        self._backend, self._examples = backend, examples
        self._lock = Lock()
        self._expected: Expected | None = None
        self._rows, self._secs = 0, 0.0
        self.note = ""

    @property
    def name(self) -> str:
        return self._backend.name

    @property
    def classes(self) -> tuple[str, ...]:
        """() until it has predicted."""
        return self._expected.classes if self._expected else ()

    @property
    def row_ms(self) -> float | None:
        return 1000 * self._secs / self._rows if self._rows else None

    def predict(self, rows: Rows, overrides: Overrides | None = None) -> Predictions:
        """NaN where the model returned NaN or infinity; a PredictError if it did so for all rows."""
        expected = self._expect()
        raw = self._backend.raw_scores(self._examples, rows, overrides)
        self._measure(raw)
        predictions = expected.predictions(raw)
        if len(rows) and np.isnan(predictions.scores).all():
            raise PredictError(f"the model '{self.name}' returned NaN or infinity for {_rows_text(rows)}")
        return predictions

    def _expect(self) -> Expected:
        """The first rows decide what the scores mean: one row with a score of 0.4 may be anything."""
        with self._lock:
            if self._expected is None:
                first = np.arange(min(FIRST_ROWS, self._examples.rows), dtype=np.int64)
                raw = self._backend.raw_scores(self._examples, first)
                self._expected = expected_of(self._examples, raw)
            return self._expected

    def _measure(self, raw: RawScores) -> None:
        with self._lock:
            self._rows, self._secs, self.note = self._rows + len(raw), self._secs + raw.secs, raw.note


def _rows_text(rows: Rows) -> str:
    return f"the row {int(rows[0])}" if len(rows) == 1 else f"all of {len(rows):,} rows"
