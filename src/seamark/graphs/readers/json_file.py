"""Reads a JSON file: a graph of Model Explorer, or a Keras model (`model.to_json()`)."""

from __future__ import annotations

from typing import Any

import msgspec

from seamark.graphs.form import Graph, GraphError


def from_json(data: bytes, *, title: str) -> Graph:
    fields = json_object(data)
    if "graphs" in fields or "graphCollections" in fields:
        from seamark.graphs.readers.model_explorer import from_model_explorer

        return from_model_explorer(data, title=title)
    if "class_name" in fields and "config" in fields:
        from seamark.graphs.readers.keras import from_keras_config

        return from_keras_config(fields, title=title)
    raise GraphError("the JSON is neither a graph of Model Explorer nor a Keras model")


def json_object(data: bytes) -> dict[str, Any]:
    try:
        found = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise GraphError(f"the file is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise GraphError("the JSON is no object, so it is no graph")
    return found
