"""PredictionJobs: the predictions of live models for all rows of a set, computed once, in the background."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict

import numpy as np

from seamark.examples.form import ExampleSet, PredictError, Predictions
from seamark.examples.predict.live_model import Backend, LiveModel
from seamark.examples.predict.process_backend import table_key

LOG = logging.getLogger(__name__)
MAX_JOBS = 16
FIRST_BATCH_ROWS = 256
MAX_BATCH_ROWS = 50_000
# Between two batches others get their turn: a point that somebody edits waits for one batch.
BATCH_SECS = 0.5
RETRY_SECS = 30.0


class PredictionJob:
    """For any thread. Runs in a thread of its own."""

    def __init__(self, model: LiveModel, examples: ExampleSet) -> None:
        self.model, self._examples = model, examples
        self._changed = threading.Condition()
        self._predictions: Predictions | None = None
        self.error: PredictError | None = None
        self.failed_at = 0.0
        self.done = 0
        threading.Thread(target=self._run, name="seamark-predict", daemon=True).start()

    @property
    def progress(self) -> float:
        return self.done / self._examples.rows if self._examples.rows else 1.0

    @property
    def note(self) -> str:
        predictions, notes = self._predictions, [self.model.note]
        if predictions is not None:
            missing = np.flatnonzero(np.isnan(predictions.scores.reshape(len(predictions), -1)).any(axis=1))
            if missing.size:
                notes.append(
                    f"the model returned NaN or infinity for {missing.size:,} of {len(predictions):,} rows, first for "
                    f"the row {missing[0]}; they count as rows without a prediction"
                )
        return "; ".join(filter(None, notes))

    def wait(self, timeout_secs: float) -> Predictions | None:
        """None if they are not complete by then. Raises the error of the model."""
        with self._changed:
            self._changed.wait_for(lambda: self._predictions is not None or self.error is not None, timeout_secs)
            if self.error is not None:
                raise PredictError(str(self.error), self.error.traceback)
            return self._predictions

    def _run(self) -> None:
        try:
            predictions = self._predict_all()
        except PredictError as error:
            self._fail(error)
            return
        except Exception as error:
            LOG.exception("the predictions of a model failed")
            self._fail(PredictError(f"the predictions of the model '{self.model.name}' failed: {error}"))
            return
        with self._changed:
            self._predictions = predictions
            self._changed.notify_all()

    def _fail(self, error: PredictError) -> None:
        with self._changed:
            self.error, self.failed_at = error, time.monotonic()
            self._changed.notify_all()

    def _predict_all(self) -> Predictions:
        parts: list[Predictions] = []
        batch = FIRST_BATCH_ROWS
        while self.done < self._examples.rows:
            rows = np.arange(self.done, min(self.done + batch, self._examples.rows), dtype=np.int64)
            started = time.monotonic()
            parts.append(self.model.predict(rows))
            secs = max(time.monotonic() - started, 1e-4)
            # The first call also loads the model, so that a batch grows even after a slow one.
            batch = int(np.clip(batch * BATCH_SECS / secs, max(1, batch // 8), min(4 * batch, MAX_BATCH_ROWS)))
            self.done += len(rows)
        scores = np.concatenate([part.scores for part in parts]) if parts else np.empty(0)
        return Predictions(parts[0].task if parts else "regression", scores, parts[0].classes if parts else ())


class PredictionJobs:
    """For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: OrderedDict[tuple[str, str, int], PredictionJob] = OrderedDict()

    def job(self, examples: ExampleSet, backend: Backend, *, retry: bool = False) -> PredictionJob:
        """Of the model as its files are now. `retry`: begins a job again that failed some time ago."""
        key = (table_key(examples), backend.name, backend.version)
        with self._lock:
            job = self._jobs.get(key)
            if job is None or (retry and job.error and time.monotonic() - job.failed_at > RETRY_SECS):
                job = self._jobs[key] = PredictionJob(LiveModel(backend, examples), examples)
            self._jobs.move_to_end(key)
            while len(self._jobs) > MAX_JOBS:
                self._jobs.popitem(last=False)
            return job
