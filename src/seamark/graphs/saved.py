"""Graphs as bytes, to read one again faster than from its source."""

from __future__ import annotations

import struct
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.graphs.attributes import AttributeTable
from seamark.graphs.form import Edges, Graph, Groups, Nodes, Shape
from seamark.graphs.readers import node_attributes  # noqa: F401  # adds its decoder of attributes
from seamark.version import __version__

MAGIC = b"SMGRAPH\n"
# Goes up with every change of the form or of what a reader makes of a source.
SAVED_VERSION = 5
_HEAD = struct.Struct("<8sII")  # magic, version, checksum of the rest


class _SavedGraph(msgspec.Struct, array_like=True):
    """Columns are the bytes of arrays, whose types the form states."""

    writer: str
    title: str
    format: str
    problems: tuple[str, ...]
    facts: dict[str, Any]
    dtypes: list[str]
    shapes: list[Shape | None]
    ids: list[str]
    labels: bytes  # indices of label_names: many nodes share one
    label_names: list[str]
    op_names: list[str]
    device_names: list[str]
    source_names: list[str]
    sources: bytes  # pairs of a node and an index of source_names
    group_ids: list[str]
    group_labels: list[str]
    group_types: list[str]
    group_layers: list[str]
    attribute_encoding: str
    attributes: bytes
    columns: dict[str, bytes]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_SavedGraph)


def dump(graph: Graph) -> bytearray:
    """Raises ValueError for text that is no Unicode, as a JSON file may contain."""
    nodes, groups = graph.nodes, graph.groups
    labels, label_names = _indexed(nodes.labels)
    sources, source_names = _indexed(list(nodes.sources.values()))
    saved = _SavedGraph(
        writer=__version__,
        title=graph.title,
        format=graph.format,
        problems=graph.problems,
        facts=dict(graph.facts),
        dtypes=graph.dtypes,
        shapes=graph.shapes,
        ids=nodes.ids,
        labels=labels.tobytes(),
        label_names=label_names,
        op_names=nodes.op_names,
        device_names=nodes.device_names,
        source_names=source_names,
        sources=np.stack([np.array(list(nodes.sources), np.int32), sources]).tobytes(),
        group_ids=groups.ids,
        group_labels=groups.labels,
        group_types=groups.types,
        group_layers=groups.layers,
        attribute_encoding=nodes.attributes.encoding,
        attributes=nodes.attributes.data,
        columns={name: np.ascontiguousarray(column).tobytes() for name, column in _columns(graph).items()},
    )
    data = bytearray(_HEAD.size)
    _encoder.encode_into(saved, data, _HEAD.size)
    checksum = _core.masked_crc32c(memoryview(data)[_HEAD.size :])
    _HEAD.pack_into(data, 0, MAGIC, SAVED_VERSION, checksum)
    return data


def load(data: bytes | bytearray) -> Graph | None:
    """None for bytes that are damaged or that another version wrote."""
    if len(data) < _HEAD.size:
        return None
    magic, version, checksum = _HEAD.unpack_from(data)
    content = memoryview(data)[_HEAD.size :]
    if magic != MAGIC or version != SAVED_VERSION or checksum != _core.masked_crc32c(content):
        return None
    try:
        saved = _decoder.decode(content)
    except msgspec.DecodeError:
        return None
    return _graph_of(saved) if saved.writer == __version__ else None


def _columns(graph: Graph) -> dict[str, NDArray[Any]]:
    nodes, edges, groups = graph.nodes, graph.edges, graph.groups
    return {
        "ops": nodes.ops,
        "groups": nodes.groups,
        "devices": nodes.devices,
        "parameters": nodes.parameters,
        "trainable_parameters": nodes.trainable_parameters,
        "has_unknown_parameters": nodes.has_unknown_parameters,
        "output_starts": nodes.output_starts,
        "output_dtypes": nodes.output_dtypes,
        "output_shapes": nodes.output_shapes,
        "attribute_starts": nodes.attributes.starts,
        "sources": edges.sources,
        "targets": edges.targets,
        "source_outputs": edges.source_outputs,
        "is_control": edges.is_control,
        "parents": groups.parents,
        "ends": groups.ends,
    }


def _graph_of(saved: _SavedGraph) -> Graph:
    def column(name: str, dtype: type = np.int32) -> NDArray[Any]:
        return np.frombuffer(saved.columns[name], dtype)

    lined_nodes, lines = np.frombuffer(saved.sources, np.int32).reshape(2, -1).tolist()
    labels = saved.label_names
    nodes = Nodes(
        ids=saved.ids,
        labels=[labels[index] for index in np.frombuffer(saved.labels, np.int32).tolist()],
        ops=column("ops"),
        op_names=saved.op_names,
        groups=column("groups"),
        devices=column("devices"),
        device_names=saved.device_names,
        parameters=column("parameters", np.int64),
        trainable_parameters=column("trainable_parameters", np.int64),
        has_unknown_parameters=column("has_unknown_parameters", np.bool_),
        output_starts=column("output_starts"),
        output_dtypes=column("output_dtypes"),
        output_shapes=column("output_shapes"),
        attributes=AttributeTable(saved.attribute_encoding, saved.attributes, column("attribute_starts", np.int64)),
        sources={node: saved.source_names[line] for node, line in zip(lined_nodes, lines, strict=True)},
    )
    edges = Edges(column("sources"), column("targets"), column("source_outputs"), column("is_control", np.bool_))
    groups = Groups(
        ids=saved.group_ids,
        labels=saved.group_labels,
        types=saved.group_types,
        layers=saved.group_layers,
        parents=column("parents"),
        ends=column("ends"),
    )
    return Graph(
        title=saved.title,
        format=saved.format,
        nodes=nodes,
        edges=edges,
        groups=groups,
        dtypes=saved.dtypes,
        shapes=saved.shapes,
        problems=saved.problems,
        facts=saved.facts,
    )


def _indexed(names: list[str]) -> tuple[NDArray[np.int32], list[str]]:
    index_of: dict[str, int] = {}
    indices = np.fromiter((index_of.setdefault(name, len(index_of)) for name in names), np.int32, len(names))
    return indices, list(index_of)
