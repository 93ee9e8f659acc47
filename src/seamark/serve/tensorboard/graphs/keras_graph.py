"""Converts a Keras model's JSON to a graph: a node for each layer, a scope for each inner model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seamark.format.messages import DataType, GraphDef

Json = Mapping[str, Any]
MAX_DEPTH = 50

# Keras' names of dtypes.
DTYPE_NAMES = {
    "float16": "DT_HALF", "half": "DT_HALF", "bfloat16": "DT_BFLOAT16", "float32": "DT_FLOAT", "float": "DT_FLOAT",
    "float64": "DT_DOUBLE", "double": "DT_DOUBLE", "int8": "DT_INT8", "int16": "DT_INT16", "int32": "DT_INT32",
    "int64": "DT_INT64", "uint8": "DT_UINT8", "uint16": "DT_UINT16", "uint32": "DT_UINT32", "uint64": "DT_UINT64",
    "bool": "DT_BOOL", "string": "DT_STRING", "complex64": "DT_COMPLEX64", "complex128": "DT_COMPLEX128",
}  # fmt: skip


def graph_of_model(model: Json) -> GraphDef:
    return _GraphBuilder().build(model)


class _GraphBuilder:
    """Visits the layers in order. A sequential model lists no connections: each layer follows the one before."""

    def __init__(self) -> None:
        self._graph = GraphDef()
        self._previous = ""
        self._input_of: dict[str, str] = {}  # input layer of an inner model → the outer layer connected to it
        self._outputs: dict[str, list[str]] = {}  # model → its output layers

    def build(self, model: Json) -> GraphDef:
        self._visit(model, scope="", depth=0)
        return self._graph

    def _visit(self, layer: Json, *, scope: str, depth: int) -> None:
        inner = layers_of(layer)
        if not inner or depth > MAX_DEPTH:
            self._add_node(layer, scope)
            return
        name = scoped(scope, name_of(layer))
        self._enter(layer, inner, scope=scope, name=name)
        for one in inner:
            self._visit(one, scope=name, depth=depth + 1)

    def _enter(self, model: Json, inner: list[Json], *, scope: str, name: str) -> None:
        """Connects an inner model with the layers before it, and stores its output layers."""
        config = config_of(model)
        inputs, outputs = layer_names(config.get("input_layers")), layer_names(config.get("output_layers"))
        sources = [scoped(scope, source) for source, _ in inbound(model)]
        if inputs and outputs:
            previous = sources or ([self._previous] if self._previous else [])
            for given, source in zip(inputs, previous, strict=False):
                self._input_of[scoped(name, given)] = self._output(source, 0)
            self._outputs[name] = [scoped(name, output) for output in outputs]
        else:
            if sources:
                self._previous = self._output(sources[0], 0)
            self._outputs[name] = [scoped(name, name_of(inner[-1]))]

    def _add_node(self, layer: Json, scope: str) -> None:
        name = scoped(scope, name_of(layer))
        node = self._graph.node.add(name=name)
        if layer.get("class_name") is not None:
            node.attr["keras_class"].s = str(layer["class_name"]).encode()
        dtype = dtype_of(config_of(layer).get("dtype"))
        if dtype:
            node.attr["dtype"].type = dtype
        if layer.get("inbound_nodes") is not None:
            node.input.extend(self._output(scoped(scope, source), number) for source, number in inbound(layer))
        elif self._previous:
            node.input.append(self._previous)
        if name in self._input_of:
            node.input.append(self._input_of[name])
        self._previous = name

    def _output(self, source: str, number: int) -> str:
        """The layer behind an output of a model; a layer itself is returned as it is."""
        seen: set[str] = set()
        while source in self._outputs and source not in seen:
            seen.add(source)
            outputs = self._outputs[source]
            source = outputs[min(number, len(outputs) - 1)]
        return source


def config_of(layer: Json) -> Json:
    config = layer.get("config")
    return config if isinstance(config, dict) else {}


def layers_of(layer: Json) -> list[Json]:
    layers = config_of(layer).get("layers")
    return [one for one in layers if isinstance(one, dict)] if isinstance(layers, list) else []


def name_of(layer: Json) -> str:
    return str(config_of(layer).get("name") or layer.get("name") or "")


def scoped(scope: str, name: str) -> str:
    return f"{scope}/{name}" if scope else name


def dtype_of(given: Any) -> int:
    """From a name, or the dtype policy of a layer with mixed precision; 0 without either."""
    if isinstance(given, dict):
        given = config_of(given).get("name")
    name = DTYPE_NAMES.get(given) if isinstance(given, str) else None
    return DataType.Value(name) if name else 0


def layer_names(given: Any) -> list[str]:
    """From [name, node, tensor], or a list of those."""
    if not isinstance(given, list) or not given:
        return []
    entries = given if isinstance(given[0], list) else [given]
    return [str(entry[0]) for entry in entries if isinstance(entry, list) and entry]


def inbound(layer: Json) -> list[tuple[str, int]]:
    """The layers connected to the inputs of this one, and which output of each; in the forms of Keras 3 and 2."""
    nodes = layer.get("inbound_nodes")
    found: list[tuple[str, int]] = []
    for node in nodes if isinstance(nodes, list) else []:
        if isinstance(node, dict):
            found += [history_of(tensor) for tensor in tensors_in(node.get("args"))]
        elif isinstance(node, list):
            entries = node if node and isinstance(node[0], list) else [node]
            found += [history(entry) for entry in entries]
    return [source for source in found if source[0]]


def tensors_in(args: Any, depth: int = 0) -> Iterator[Json]:
    if isinstance(args, list) and depth < MAX_DEPTH:
        for arg in args:
            yield from tensors_in(arg, depth + 1)
    elif isinstance(args, dict):
        yield args


def history_of(tensor: Json) -> tuple[str, int]:
    return history(config_of(tensor).get("keras_history"))


def history(entry: Any) -> tuple[str, int]:
    """[layer, node, tensor, …]"""
    if not isinstance(entry, list) or len(entry) < 3 or not isinstance(entry[2], int):
        return "", 0
    return str(entry[0]), max(0, entry[2])
