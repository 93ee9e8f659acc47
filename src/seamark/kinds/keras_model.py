"""Keras models: the layers, as JSON from Keras."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from seamark.format.messages import Summary
from seamark.kinds.graph import blob_of
from seamark.kinds.payload import DecodeError, utf8
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings

PLUGIN_NAME = "graph_keras_model"
TAG = "keras"


@dataclass(frozen=True, slots=True, eq=False)
class KerasModel:
    text: str  # the JSON as written
    model: Mapping[str, Any]
    class_name: str
    name: str
    layers: int
    keras_version: str


def encode(text: str, *, tag: str = TAG) -> Summary.Value:
    """`text` is the result of model.to_json()."""
    return tensor_value(tag, from_strings([text], shape=[]), plugin_name=PLUGIN_NAME, content=b"1")


def decode(data: bytes) -> KerasModel:
    text = utf8(blob_of(data, "keras model"))
    try:
        model = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"keras model is not JSON: {error}") from error
    if not isinstance(model, dict):
        raise DecodeError(f"keras model is not an object: got {type(model).__name__}")
    config = model.get("config")
    # Before Keras 2.2 a Sequential model's config was the list of its layers.
    layers = config.get("layers") if isinstance(config, dict) else config
    return KerasModel(
        text=text,
        model=model,
        class_name=str(model.get("class_name", "")),
        name=str(config.get("name", "")) if isinstance(config, dict) else "",
        layers=len(layers) if isinstance(layers, list) else 0,
        keras_version=str(model.get("keras_version", "")),
    )
