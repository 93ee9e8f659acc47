"""Reads a JSON file: a graph of Model Explorer, or a Keras model (`model.to_json()`)."""

from __future__ import annotations

from seamark.graphs.form import Graph, GraphError
from seamark.graphs.readers.json_object import json_object


def from_json(data: bytes, *, title: str) -> Graph:
    fields = json_object(data)
    if "graphs" in fields or "graphCollections" in fields:
        from seamark.graphs.readers.model_explorer import from_model_explorer

        return from_model_explorer(data, title=title)
    if "class_name" in fields and "config" in fields:
        from seamark.graphs.readers.keras import from_keras_config

        return from_keras_config(fields, title=title)
    raise GraphError("the JSON is neither a graph of Model Explorer nor a Keras model")
