"""HttpBackend: a model behind TensorFlow Serving's `:predict`, or behind an endpoint that takes the same JSON."""

from __future__ import annotations

import base64
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import urlsplit

import numpy as np

from seamark.examples.form import ExampleSet, Overrides, PredictError, Value
from seamark.examples.predict.cancel import check_cancelled
from seamark.examples.predict.http_client import HttpError, JsonClient
from seamark.examples.predict.outputs import OutputError, normalized
from seamark.examples.predict.pictures import read_picture
from seamark.examples.predict.probabilities import ProbabilityMap
from seamark.examples.predict.process_backend import Limits
from seamark.examples.predict.raw import RawScores
from seamark.examples.predict.spec import ModelSpec
from seamark.examples.predict.turns import Turns
from seamark.tables.column import Column, Rows

MAX_ROWS, MAX_ROWS_WITH_PICTURES = 1000, 50  # in one request
PREDICT = ":predict"
SCORE_KEYS = ("scores", "probabilities", "predictions", "outputs", "logits")


class HttpBackend:
    """For any thread; requests take turns. No request is made before the first prediction."""

    source: Literal["process", "http"] = "http"
    version = 0  # a server does not say that its model changed

    def __init__(self, spec: ModelSpec, limits: Limits) -> None:
        parts = urlsplit(spec.location)
        self.name = spec.name
        self._path = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        self._is_tensorflow = parts.path.endswith(PREDICT)
        self._client = JsonClient(spec.location, limits.timeout_secs)
        self._turns = Turns()
        self._inputs: Mapping[str, Any] | None = None  # of the model's signature
        self._to_probabilities = ProbabilityMap()

    def raw_scores(self, examples: ExampleSet, rows: Rows, overrides: Overrides | None = None) -> RawScores:
        with self._turns.turn():
            parts = []
            has_pictures = any(column.type == "image" for column in examples.features)
            step = MAX_ROWS_WITH_PICTURES if has_pictures else MAX_ROWS
            for start in range(0, max(1, len(rows)), step):
                check_cancelled()
                chunk = slice(start, start + step)
                changed = {name: values[chunk] for name, values in (overrides or {}).items()}
                parts.append(self._request(examples, rows[chunk], changed))
        return joined(parts)

    # With the turn

    def _request(self, examples: ExampleSet, rows: Rows, overrides: Overrides) -> RawScores:
        started = time.perf_counter()
        try:
            if self._is_tensorflow and self._inputs is None:
                self._inputs = self._signature_inputs()
            content = self._client.request(
                "POST", self._path, {"instances": instances(examples, rows, overrides, self._inputs or {})}
            )
            predicted, classes = predictions_in(content)
            output = normalized(predicted, len(rows), classes)
        except HttpError as error:
            raise PredictError(f"the endpoint {error}: '{self._client.address}'") from None
        except OutputError as error:
            raise PredictError(f"the model '{self.name}' failed: {error}") from None
        secs = time.perf_counter() - started
        values = output.values.astype(np.float64)
        if self._is_tensorflow and not output.is_labels and examples.truth is not None:
            values = self._to_probabilities(values, examples.schema.task)
        return RawScores(
            values, tuple(output.classes or ()), output.is_labels, secs=secs, note=self._to_probabilities.note
        )

    def _signature_inputs(self) -> Mapping[str, Any]:
        """{} if the server does not describe the model: each row is sent as an object with all features."""
        with contextlib.suppress(HttpError, KeyError, TypeError):
            content = self._client.request("GET", f"{self._path.removesuffix(PREDICT)}/metadata")
            signatures = content["metadata"]["signature_def"]["signature_def"]
            found = signatures.get("serving_default") or next(iter(signatures.values()))
            return dict(found["inputs"])
        return {}


def instances(
    examples: ExampleSet, rows: Rows, overrides: Overrides, inputs: Mapping[str, Any]
) -> list[dict[str, Any]] | list[list[Any]]:
    """One object for each row; a list of all features if the model has one input for them."""
    columns = {column.name: _values(examples, column, rows, overrides.get(column.name)) for column in examples.features}
    names = [name for name in inputs if name in columns]
    if len(inputs) == 1 and not names:
        return [list(values) for values in zip(*columns.values(), strict=True)]
    if inputs and len(names) != len(inputs):
        missing = next(name for name in inputs if name not in columns)
        raise PredictError(f"the model takes the feature '{missing}', which the set does not have")
    chosen = {name: columns[name] for name in names or columns}
    wrapped = {name for name in names if len(_shape(inputs[name])) > 1}
    return [
        {name: [values[i]] if name in wrapped else values[i] for name, values in chosen.items()}
        for i in range(len(rows))
    ]


def predictions_in(content: Any) -> tuple[Any, Sequence[Any] | None]:
    """The predictions and the names of the classes, if the answer has any."""
    if not isinstance(content, dict) or not ({"predictions", "outputs"} & content.keys()):
        raise HttpError('answered JSON without "predictions", want {"predictions": [one for each row]}')
    predicted = content.get("predictions", content.get("outputs"))
    classes = content.get("classes")
    if isinstance(predicted, list) and predicted and isinstance(predicted[0], dict):
        first = predicted[0]
        key = next((key for key in SCORE_KEYS if key in first), next(iter(first)) if len(first) == 1 else None)
        if key is None:
            raise HttpError(f"answered several outputs for each row, want one called scores: {', '.join(first)}")
        classes = first.get("classes", classes)
        predicted = [row.get(key) if isinstance(row, dict) else None for row in predicted]
    return predicted, classes if isinstance(classes, list) else None


def joined(parts: Sequence[RawScores]) -> RawScores:
    if len(parts) == 1:
        return parts[0]
    first = parts[0]
    if not first.is_labels:
        if len({part.values.shape[1:] for part in parts}) > 1:
            raise PredictError("the endpoint answered a different number of scores for some rows")
        return replace(first, values=np.concatenate([p.values for p in parts]), secs=sum(p.secs for p in parts))
    classes = tuple(dict.fromkeys(name for part in parts for name in part.classes))
    position = {name: index for index, name in enumerate(classes)}
    codes = [position[part.classes[int(code)]] for part in parts for code in part.values]
    return replace(first, values=np.array(codes, np.float64), classes=classes, secs=sum(p.secs for p in parts))


def _values(examples: ExampleSet, column: Column, rows: Rows, changed: Sequence[Value] | None) -> list[Any]:
    if changed is None:
        values = [column.value(int(row)) for row in rows]
    else:
        values = [None if value is None or value != value else _plain(value) for value in changed]
    if column.type == "image":
        return [None if value is None else _encoded(read_picture(examples, str(value))) for value in values]
    return values


def _encoded(picture: bytes | None) -> dict[str, str] | None:
    """As TensorFlow Serving takes bytes."""
    return None if picture is None else {"b64": base64.b64encode(picture).decode()}


def _plain(value: Value) -> Value:
    return value.item() if isinstance(value, np.generic) else value


def _shape(entry: Any) -> list[Any]:
    try:
        return list(entry["tensor_shape"]["dim"])
    except (KeyError, TypeError):
        return []
