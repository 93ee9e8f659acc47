"""ModelLibrary: the models of a set, and their predictions for all rows, each computed once."""

from __future__ import annotations

from typing import NamedTuple

from seamark.dashboards.whatif.predictions import PredictionJobs
from seamark.dashboards.whatif.wire.sets import ModelEntry
from seamark.examples.form import ExamplesError, ExampleSet, Model, Predictions, ScoredSet
from seamark.examples.predict.backends import open_backend
from seamark.examples.predict.columns_model import stored_models, stored_predictions
from seamark.examples.predict.live_model import Backend
from seamark.examples.predict.process_backend import Limits
from seamark.examples.predict.spec import parse_models
from seamark.plugin import ModelOptions, RequestError, not_found

WAIT_SECS = 5.0
# Steps of a logged set that can stand beside the shown one.
MAX_OTHER_STEPS = 100
NOT_ALLOWED = (
    "running models is not allowed, so changed rows cannot be predicted; start the server with --allow_predict MODEL, "
    "or seamark whatif with --predict MODEL"
)


class StoredModel(NamedTuple):
    model: str
    step: int | None = None  # None: that of the set


class ModelLibrary:
    """For any thread. Live models are those that the command line allows; they come first, then stored predictions."""

    def __init__(self, options: ModelOptions | None = None) -> None:
        options = options or ModelOptions()
        limits = Limits(options.timeout_secs, options.memory_mb)
        backends = [open_backend(spec, limits) for spec in parse_models(options.allowed)]
        self._backends: dict[str, Backend] = {backend.name: backend for backend in backends}
        self._jobs = PredictionJobs()

    @property
    def can_predict(self) -> bool:
        return bool(self._backends)

    def entries(self, examples: ExampleSet) -> list[ModelEntry]:
        """Begins to predict all rows, if that has not begun, and does not wait for it."""
        live = [self._live_entry(examples, backend) for backend in self._backends.values()]
        return [*live, *self._stored(examples)]

    def scored(self, examples: ExampleSet, name: str) -> ScoredSet:
        """The examples with the predictions of a model; of the first one if `name` is empty.

        Waits some seconds for a live model, then raises a RequestError with how far it has come.
        """
        backend = self._live(examples, name)
        if backend is None:
            stored = self._stored_names(examples)
            return ScoredSet(examples, predictions_of(examples, stored[name] if name else next(iter(stored.values()))))
        job = self._jobs.job(examples, backend, retry=True)
        predictions = job.wait(WAIT_SECS)
        if predictions is None:
            raise RequestError(
                f"the model '{backend.name}' has predicted {job.done:,} of {examples.rows:,} rows so far; ask again",
                code="unavailable",
                details={"progress": job.progress},
            )
        return ScoredSet(examples, predictions)

    def stored(self, examples: ExampleSet, name: str) -> ScoredSet:
        """The examples with the predictions that are stored with them.

        A live model has no past: its name means the first stored predictions, as an empty one does.
        """
        stored = self._stored_names(examples)
        if not stored:
            raise not_found("the set has no stored predictions")
        if name and name not in stored and name not in self._backends:
            raise not_found(f"the set has no model '{name}', want one of {', '.join(stored)}")
        model = stored.get(name, next(iter(stored.values()))).model
        return ScoredSet(examples, stored_predictions(examples, model))

    def model(self, examples: ExampleSet, name: str) -> Model:
        """A model that predicts changed rows; the first one if `name` is empty."""
        if not self.can_predict:
            raise RequestError(NOT_ALLOWED, code="forbidden")
        backend = self._live(examples, name)
        if backend is None:
            raise RequestError(
                f"the predictions of '{name}' are stored, so it cannot predict changed rows; want one of "
                f"{', '.join(self._backends)}",
                code="invalid_parameter",
            )
        return self._jobs.job(examples, backend).model

    def _live(self, examples: ExampleSet, name: str) -> Backend | None:
        """None: a model with stored predictions."""
        if not name and self._backends:
            return next(iter(self._backends.values()))
        if name in self._backends:
            return self._backends[name]
        stored = self._stored_names(examples)
        if not stored:
            raise not_found("the set has no predictions and no model" if not self._backends else f"no model '{name}'")
        if name and name not in stored:
            raise not_found(f"the set has no model '{name}', want one of {', '.join([*self._backends, *stored])}")
        return None

    def _stored_names(self, examples: ExampleSet) -> dict[str, StoredModel]:
        """By the name that is shown. A live model may have the same name. Those of other steps come last."""
        names = {f"{name} (stored)" if name in self._backends else name: name for name in stored_models(examples)}
        found = {shown: StoredModel(name) for shown, name in names.items()}
        for step in other_steps(examples):
            found |= {f"{shown} at step {step:,}": StoredModel(name, step) for shown, name in names.items()}
        return found

    def _stored(self, examples: ExampleSet) -> list[ModelEntry]:
        classes = {name: list(stored_predictions(examples, name).classes) for name in stored_models(examples)}
        return [
            ModelEntry(shown, "columns", False, classes[stored.model], None, "", "")
            for shown, stored in self._stored_names(examples).items()
        ]

    def _live_entry(self, examples: ExampleSet, backend: Backend) -> ModelEntry:
        job = self._jobs.job(examples, backend)
        error = job.error
        return ModelEntry(
            name=backend.name,
            source=backend.source,
            can_predict=True,
            classes=list(job.model.classes),
            row_ms=job.model.row_ms,
            error=str(error or ""),
            traceback=error.traceback if error else "",
            progress=job.progress,
            note=job.note,
        )


def other_steps(examples: ExampleSet) -> list[int]:
    """The last ones at which the same rows have predictions."""
    if examples.logged is None:
        return []
    return [step for step in examples.logged.steps() if step != examples.logged.own][-MAX_OTHER_STEPS:]


def predictions_of(examples: ExampleSet, stored: StoredModel) -> Predictions:
    if stored.step is None or examples.logged is None:
        return stored_predictions(examples, stored.model)
    other = examples.logged.open(stored.step)
    if other.rows != examples.rows:
        raise ExamplesError(f"step {stored.step:,} has {other.rows:,} rows, want {examples.rows:,} to compare them")
    if stored.model not in stored_models(other):
        raise ExamplesError(f"step {stored.step:,} has no predictions of '{stored.model}'")
    return stored_predictions(other, stored.model)
