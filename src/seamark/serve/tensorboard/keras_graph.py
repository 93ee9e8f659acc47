"""A Keras model's JSON as a graph: a node for each layer, models inside it as scopes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from seamark.format.messages import DataType, GraphDef

Json = Mapping[str, Any]
MAX_DEPTH = 50

# Keras names dtypes as numpy does, except where it does not.
DTYPE_NAMES = {
    "float16": "DT_HALF", "half": "DT_HALF", "bfloat16": "DT_BFLOAT16", "float32": "DT_FLOAT", "float": "DT_FLOAT",
    "float64": "DT_DOUBLE", "double": "DT_DOUBLE", "int8": "DT_INT8", "int16": "DT_INT16", "int32": "DT_INT32",
    "int64": "DT_INT64", "uint8": "DT_UINT8", "uint16": "DT_UINT16", "uint32": "DT_UINT32", "uint64": "DT_UINT64",
    "bool": "DT_BOOL", "string": "DT_STRING", "complex64": "DT_COMPLEX64", "complex128": "DT_COMPLEX128",
}  # fmt: skip


def graph_of_model(model: Json) -> GraphDef:
    return _Walk().graph_of(model)


class _Walk:
    """Goes through the layers in order. A sequential model says nothing of connections: each follows the one before."""

    def __init__(self) -> None:
        self._graph = GraphDef()
        self._previous = ""
        self._fed_by: dict[str, str] = {}  # input layer of an inner model → the layer outside that feeds it
        self._outputs: dict[str, list[str]] = {}  # model → the layers whose outputs are the model's

    def graph_of(self, model: Json) -> GraphDef:
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
        """Connects an inner model with what stands before it, and notes where its outputs come from."""
        config = config_of(model)
        inputs, outputs = ends(config.get("input_layers")), ends(config.get("output_layers"))
        sources = [scoped(scope, source) for source, _ in inbound(model)]
        if inputs and outputs:
            feeders = sources or ([self._previous] if self._previous else [])
            for given, feeder in zip(inputs, feeders, strict=False):
                self._fed_by[scoped(name, given)] = self._output(feeder, 0)
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
        if name in self._fed_by:
            node.input.append(self._fed_by[name])
        self._previous = name

    def _output(self, source: str, number: int) -> str:
        """A connection to a model is one to the layer that makes that output of it."""
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
    """A name, or the policy of a layer that computes in another precision than it stores; 0 when it says none."""
    if isinstance(given, dict):
        given = config_of(given).get("name")
    name = DTYPE_NAMES.get(given) if isinstance(given, str) else None
    return DataType.Value(name) if name else 0


def ends(given: Any) -> list[str]:
    """Names of input or output layers: [name, node, tensor], or a list of those, or of names."""
    if not isinstance(given, list) or not given:
        return []
    entries = given if isinstance(given[0], list) else [given]
    return [str(entry[0]) for entry in entries if isinstance(entry, list) and entry]


def inbound(layer: Json) -> list[tuple[str, int]]:
    """The layers that feed this one, and which output of each: as Keras 3 writes it, and as Keras 2 did."""
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
