"""Adapter: how a model is asked. The base of all, and that of plain functions."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

from seamark.examples.predict.worker.inputs import Batch

FORMS = ("dataframe", "columns", "rows", "matrix")


class AdapterError(ValueError):
    """Something that cannot be used as a model. The message is a sentence for people."""


class Adapter:
    """`classes` and `is_classifier` are None if the model does not say so; `note` says how scores were made."""

    classes: Sequence[Any] | None = None
    is_classifier: bool | None = None
    note: str = ""

    def prepare(self, batch: Batch) -> Any:
        """The model's input. Not counted as its time."""
        raise NotImplementedError

    def predict(self, given: Any, task: str) -> Any:
        """`task` as in the schema of the set; "" if the set has no truth."""
        raise NotImplementedError


class FunctionAdapter(Adapter):
    """A function of all rows. Its attribute `seamark_input` names the form that it takes."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._form = getattr(function, "seamark_input", None) or default_form()
        if self._form not in FORMS:
            raise AdapterError(f"seamark_input is one of {', '.join(FORMS)}; got '{self._form}'")
        self.classes = getattr(function, "seamark_classes", None)

    def prepare(self, batch: Batch) -> Any:
        return getattr(batch, self._form)()

    def predict(self, given: Any, task: str) -> Any:
        return self._function(given)


def default_form() -> str:
    return "dataframe" if has_pandas() else "columns"


def has_pandas() -> bool:
    return importlib.util.find_spec("pandas") is not None
