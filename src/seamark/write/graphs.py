"""A model's operations as a GraphDef: from a torch module by tracing it, from a Keras model, from an ONNX file."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from seamark.format.messages import (
    AttrValue,
    DataType,
    DeviceStepStats,
    Event,
    GraphDef,
    NodeDef,
    RunMetadata,
    StepStats,
    Summary,
    TaggedRunMetadata,
    TensorShape,
    VersionDef,
)

_PRODUCER = 22  # the version of GraphDef that torch's writers claim, and TensorBoard draws


def events_of(model: Any, example: Any, *, verbose: bool, strict: bool) -> list[bytes]:
    """Serialized Events."""
    if hasattr(model, "to_json") and not hasattr(model, "named_modules"):
        return [_keras_event(model)]
    if not hasattr(model, "named_modules") and not hasattr(model, "graph"):
        raise TypeError(f"add_graph takes a torch module or a Keras model: got {type(model).__name__}")
    from seamark.write.torch_graph import nodes_of

    graph = GraphDef(node=nodes_of(model, example, verbose=verbose, strict=strict), versions=_version())
    costs = RunMetadata(step_stats=StepStats(dev_stats=[DeviceStepStats(device="/device:CPU:0")]))
    tagged = TaggedRunMetadata(tag="step1", run_metadata=costs.SerializeToString())
    now = time.time()
    return [
        Event(wall_time=now, graph_def=graph.SerializeToString()).SerializeToString(),
        Event(wall_time=now, tagged_run_metadata=tagged).SerializeToString(),
    ]


def onnx_event(path: Any) -> bytes:
    try:
        onnx = import_module("onnx")
    except ImportError as error:
        raise ImportError("add_onnx_graph needs the package onnx: pip install onnx") from error
    graph = onnx.load(path).graph
    nodes = [*_onnx_ends([*graph.input, *graph.output]), *_onnx_nodes(graph.node)]
    message = GraphDef(node=nodes, versions=_version())
    return Event(wall_time=time.time(), graph_def=message.SerializeToString()).SerializeToString()


def node(
    name: str, op: str, inputs: Iterable[str] = (), *, attributes: str = "", shape: Iterable[int] | None = None
) -> NodeDef:
    made = NodeDef(name=name, op=op, input=inputs)
    made.attr["attr"].s = attributes.encode()
    if shape is not None:
        made.attr["_output_shapes"].list.shape.append(shape_of(shape))
    return made


def shape_of(sizes: Iterable[int]) -> TensorShape:
    return TensorShape(dim=[TensorShape.Dim(size=size) for size in sizes])


def _version() -> VersionDef:
    return VersionDef(producer=_PRODUCER)


def _keras_event(model: Any) -> bytes:
    from seamark.kinds import keras_model

    value = keras_model.encode(model.to_json())
    return Event(wall_time=time.time(), summary=Summary(value=[value])).SerializeToString()


def _onnx_ends(ends: Iterable[Any]) -> Iterator[NodeDef]:
    for end in ends:
        kind = end.type.tensor_type
        sizes = [size.dim_value for size in kind.shape.dim]
        made = NodeDef(name=end.name, op="Variable")
        # ONNX counts its element types as TensorFlow does only in part; what TensorFlow has no number for is left out.
        if kind.elem_type in DataType.values():
            made.attr["dtype"].CopyFrom(AttrValue(type=kind.elem_type))
        made.attr["shape"].CopyFrom(AttrValue(shape=shape_of(sizes)))
        yield made


def _onnx_nodes(operations: Iterable[Any]) -> Iterator[NodeDef]:
    for operation in operations:
        made = NodeDef(name=operation.output[0], op=operation.op_type, input=list(operation.input))
        described = (" = ".join(str(value) for _, value in item.ListFields()) for item in operation.attribute)
        made.attr["parameters"].s = ", ".join(described).encode()
        yield made
