"""Reads the graphs that event files hold, from the payloads of the store."""

from __future__ import annotations

from seamark.format.budget import reading
from seamark.format.messages import TaggedRunMetadata
from seamark.graphs.form import Graph, GraphError
from seamark.kinds import DecodeError, graph, keras_model, run_metadata
from seamark.kinds.payload import parse


def read_payload(kind: str, data: bytes, *, is_tensor: bool, title: str) -> Graph:
    """`is_tensor`: the payload is a summary value, not a field of the event itself. Raises GraphError."""
    with reading(data, GraphError):
        return _read(kind, data, is_tensor=is_tensor, title=title)


def _read(kind: str, data: bytes, *, is_tensor: bool, title: str) -> Graph:
    from seamark.graphs.readers import graph_def

    try:
        if kind == "graphs":
            return graph_def.from_graph_def(graph.blob_of(data, "graph") if is_tensor else data, title=title)
        if kind == "meta_graph":
            return graph_def.from_meta_graph(data, title=title)
        if kind == keras_model.PLUGIN_NAME:
            from seamark.graphs.readers.keras import from_keras_config

            return from_keras_config(keras_model.decode(data).model, title=title)
        return graph_def.from_run_metadata(graph.blob_of(data, "run metadata"), title=title)
    except DecodeError as error:
        raise GraphError(str(error)) from error


def has_graph(data: bytes) -> bool:
    """Whether the run metadata in a summary value has a graph. Raises DecodeError."""
    profile = run_metadata.decode(data)
    return profile.function_graphs + profile.partition_graphs > 0


def profile_message(kind: str, data: bytes, *, is_tensor: bool) -> bytes:
    """The serialised RunMetadata in a payload."""
    if kind == run_metadata.TAGGED_PLUGIN_NAME and not is_tensor:
        return parse(TaggedRunMetadata, data, "tagged run metadata").run_metadata
    return graph.blob_of(data, "run metadata")
