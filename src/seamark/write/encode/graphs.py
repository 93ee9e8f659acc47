"""Graph events from a torch module, a Keras model, a JAX function or an ONNX file."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from seamark.format.messages import (
    AttrValue,
    DataType,
    DeviceStepStats,
    GraphDef,
    NodeDef,
    RunMetadata,
    StepStats,
    VersionDef,
)
from seamark.kinds.event import graph_event, run_metadata_event, summary_event
from seamark.write.encode.graph.nodes import tensor_shape

_PRODUCER = 22  # the version of GraphDef that torch's writers declare


@dataclass(frozen=True)
class Example:
    """The arguments of an example call; None if there is none."""

    args: tuple[Any, ...] | None
    kwargs: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of_add_graph(cls, inputs: Any) -> Example:
        """As torch.jit.trace takes it: a list or tuple has the arguments, everything else is one."""
        if inputs is None:
            return cls(None)
        return cls(tuple(inputs) if isinstance(inputs, (list, tuple)) else (inputs,))

    @classmethod
    def of_log_graph(cls, inputs: Any) -> Example:
        """The same, but a mapping has keyword arguments."""
        return cls((), dict(inputs)) if isinstance(inputs, Mapping) else cls.of_add_graph(inputs)


def check_model(model: Any, example: Example, caller: str) -> None:
    """Raises a TypeError for a model that has no graph, or that needs an example."""
    if _is_keras(model, example):
        return
    is_torch = hasattr(model, "named_modules")
    if not is_torch and not _is_jax(model):
        known = "a torch module, a Keras model or, with JAX imported, a function"
        raise TypeError(f"{caller} takes {known}: got {type(model).__name__}")
    if example.args is None:
        what = "a torch module" if is_torch else "a function"
        raise TypeError(f"{caller} needs example inputs to trace {what}: {caller}(model, inputs)")


def model_events(model: Any, example: Example, *, verbose: bool = False, strict: bool = False) -> list[bytes]:
    """Returns serialized Events. `strict` is an option of torch.jit.trace."""
    if _is_keras(model, example):
        return [_keras_event(model)]
    nodes = _nodes(model, example, verbose=verbose, strict=strict)
    graph = GraphDef(node=nodes, versions=_version())
    costs = RunMetadata(step_stats=StepStats(dev_stats=[DeviceStepStats(device="/device:CPU:0")]))
    now = time.time()
    return [
        graph_event(graph.SerializeToString(), wall_time=now),
        run_metadata_event("step1", costs.SerializeToString(), wall_time=now),
    ]


def _nodes(model: Any, example: Example, *, verbose: bool, strict: bool) -> list[NodeDef]:
    args = example.args or ()
    if hasattr(model, "named_modules"):
        from seamark.write.encode.graph.torch_model import torch_nodes

        return torch_nodes(model, args, example.kwargs, verbose=verbose, strict=strict)
    from seamark.write.encode.graph.jax_function import jax_nodes

    return jax_nodes(model, args, example.kwargs, verbose=verbose)


def _is_keras(model: Any, example: Example) -> bool:
    """With the torch backend a Keras model is a torch module, too, which an example can trace."""
    return hasattr(model, "to_json") and (not hasattr(model, "named_modules") or example.args is None)


def _is_jax(model: Any) -> bool:
    return callable(model) and "jax" in sys.modules


def onnx_event(path: Any) -> bytes:
    try:
        onnx = import_module("onnx")
    except ImportError as error:
        raise ImportError("add_onnx_graph needs the package onnx: pip install onnx") from error
    graph = onnx.load(path).graph
    nodes = [*_onnx_variables([*graph.input, *graph.output]), *_onnx_nodes(graph.node)]
    message = GraphDef(node=nodes, versions=_version())
    return graph_event(message.SerializeToString(), wall_time=time.time())


def _version() -> VersionDef:
    return VersionDef(producer=_PRODUCER)


def _keras_event(model: Any) -> bytes:
    from seamark.kinds import keras_model

    return summary_event(keras_model.encode(model.to_json()), step=0, wall_time=time.time())


def _onnx_variables(variables: Iterable[Any]) -> Iterator[NodeDef]:
    for variable in variables:
        tensor_type = variable.type.tensor_type
        sizes = [size.dim_value for size in tensor_type.shape.dim]
        node = NodeDef(name=variable.name, op="Variable")
        # As torch does, ONNX's number is used as TensorFlow's; a number that TensorFlow does not have is left out.
        if tensor_type.elem_type in DataType.values():
            node.attr["dtype"].CopyFrom(AttrValue(type=tensor_type.elem_type))
        node.attr["shape"].CopyFrom(AttrValue(shape=tensor_shape(sizes)))
        yield node


def _onnx_nodes(operations: Iterable[Any]) -> Iterator[NodeDef]:
    for operation in operations:
        node = NodeDef(name=operation.output[0], op=operation.op_type, input=list(operation.input))
        attributes = (" = ".join(str(value) for _, value in item.ListFields()) for item in operation.attribute)
        node.attr["parameters"].s = ", ".join(attributes).encode()
        yield node
