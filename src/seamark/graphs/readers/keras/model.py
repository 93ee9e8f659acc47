"""Reads Keras models: a `.keras` archive, or the JSON of `model.to_json()` from Keras 2 and 3.

A layer is a node, an inner model a group. A layer that is called several times stays one node with the inputs of
all calls. The weights in the archive are HDF5 and are not opened; their number follows from the layers' configs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from seamark.graphs.attributes import AttributeValue
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, GraphError, Shape, TensorType
from seamark.graphs.problems import unknown_weights
from seamark.graphs.readers.archive import Archive
from seamark.graphs.readers.json_object import json_object
from seamark.graphs.readers.keras.config import layer_config, shape_of
from seamark.graphs.readers.keras.shapes import output_shape
from seamark.graphs.readers.keras.weights import WEIGHT_SHAPES, LayerWeight, layer_weights

FORMAT = "keras"
CONFIG, METADATA = "config.json", "metadata.json"
MAX_DEPTH = 50
# Attributes of these names are how a layer was initialised or saved, not what it does.
HIDDEN_ENDINGS = ("_initializer", "_regularizer", "_constraint")
HIDDEN = frozenset({"layers", "input_layers", "output_layers", "name", "dtype", "batch_shape", "batch_input_shape"})
COMPUTE_DTYPES = {"mixed_float16": "float16", "mixed_bfloat16": "bfloat16"}


class Tensor(NamedTuple):
    """An output of a layer, as an inbound node names it."""

    layer: str
    output: int
    type: TensorType


class Connection(NamedTuple):
    """To an input of a node, from an output of the layer or model with a path."""

    target: int
    path: str
    output: int


def from_keras_archive(source: bytes | Path, *, title: str) -> Graph:
    with Archive(source, "Keras file") as archive:
        if archive.find(CONFIG) != CONFIG:
            raise GraphError(f"the file has no '{CONFIG}', so it is no file of Keras 3")
        model = json_object(archive.read(CONFIG))
        if archive.find(METADATA) == METADATA:
            version = json_object(archive.read(METADATA)).get("keras_version")
            model.setdefault("keras_version", version if isinstance(version, str) else "")
    return from_keras_config(model, title=title)


def from_keras_config(model: Mapping[str, Any], *, title: str) -> Graph:
    if not _layers(model):
        raise GraphError("the Keras model lists no layers: a subclassed model has no config to draw")
    return _Reader(title).read(model)


class _Reader:
    def __init__(self, title: str) -> None:
        self._builder = GraphBuilder(title, FORMAT)
        self._connections: list[Connection] = []
        self._node_of: dict[str, int] = {}
        # Models by path: the paths of the layers that take its inputs, and what its outputs are.
        self._inputs_of: dict[str, list[str]] = {}
        self._outputs_of: dict[str, list[tuple[str, int]]] = {}
        self._types_of: dict[str, list[TensorType]] = {}
        self._unknown_weights: Counter[str] = Counter()

    def read(self, model: Mapping[str, Any]) -> Graph:
        version = model.get("keras_version")
        if isinstance(version, str) and version:
            self._builder.facts["producer"] = f"Keras {version[:40]}"
        self._add_model(model, above="", depth=0, is_trainable=True)
        for connection in self._connections:
            path, index = self._resolve(connection.path, connection.output)
            node = self._node_of.get(path)
            self._builder.add_edge(path if node is None else node, connection.target, output=index)
        if self._unknown_weights:
            classes = [name[:80] for name, _ in self._unknown_weights.most_common(5)]
            self._builder.add_problem(unknown_weights(sum(self._unknown_weights.values()), classes))
        return self._builder.build()

    def _add_model(self, model: Mapping[str, Any], *, above: str, depth: int, is_trainable: bool) -> None:
        if depth > MAX_DEPTH:
            raise GraphError(f"models are nested more than {MAX_DEPTH} deep, which is the limit")
        config, layers = layer_config(model), _layers(model)
        path = _joined(above, _name(model))
        # The layers of the outermost model are named in the logs without it.
        layer_name = path.partition("/")[2].replace("/", ".")
        self._builder.groups.describe(path, type=_class_name(model), layer=layer_name)
        is_sequential = all("inbound_nodes" not in layer for layer in layers)
        given = _given_types(layers, is_sequential)
        names = [_joined(path, _name(layer)) for layer in layers]
        self._inputs_of[path] = [_joined(path, name) for name in _boundary(config.get("input_layers"))] or names[:1]
        outputs = [(_joined(path, name), index) for name, index in _boundary(config.get("output_layers")).items()]
        self._outputs_of[path] = outputs or [(names[-1], 0)]
        is_trainable = is_trainable and config.get("trainable", True) is not False
        for at, layer in enumerate(layers):
            calls = [[Tensor(_name(layers[at - 1]), 0, TensorType())]] if is_sequential and at else _calls(layer)
            self._add_layer(layer, calls, above=path, given=given, depth=depth + 1, is_trainable=is_trainable)

    def _add_layer(
        self,
        layer: Mapping[str, Any],
        calls: Sequence[Sequence[Tensor]],
        *,
        above: str,
        given: Mapping[str, Mapping[int, TensorType]],
        depth: int,
        is_trainable: bool,
    ) -> None:
        path = _joined(above, _name(layer))
        if _layers(layer):
            self._add_model(layer, above=above, depth=depth, is_trainable=is_trainable)
            targets = [self._first_node(one) for one in self._inputs_of[path]]
        else:
            node = self._add_node(layer, calls, above=above, given=given, is_trainable=is_trainable)
            targets = [node] * max((len(call) for call in calls), default=0)
        for call in calls:
            for tensor, target in zip(call, targets, strict=False):
                if target is not None:
                    self._connections.append(Connection(target, _joined(above, tensor.layer), tensor.output))

    def _add_node(
        self,
        layer: Mapping[str, Any],
        calls: Sequence[Sequence[Tensor]],
        *,
        above: str,
        given: Mapping[str, Mapping[int, TensorType]],
        is_trainable: bool,
    ) -> int:
        path, name, config, class_name = (
            _joined(above, _name(layer)),
            _name(layer),
            layer_config(layer),
            _class_name(layer),
        )
        inputs = _built_shapes(layer) or [self._shape(above, tensor) for tensor in (calls[0] if calls else [])]
        inputs = inputs or [shape_of(config.get("batch_input_shape"))]
        known = given.get(name, {})
        made = TensorType(_dtype(config), output_shape(class_name, config, inputs))
        types = [known.get(at, made if at == 0 else TensorType()) for at in range(max(known, default=0) + 1)]
        weights = None if _is_custom(layer) else layer_weights(class_name, config, inputs)
        if weights is None:
            self._unknown_weights[class_name] += 1
        elif not (is_trainable and config.get("trainable", True) is not False):
            weights = [weight._replace(is_trainable=False) for weight in weights]
        node = self._builder.add_node(
            path,
            op=class_name,
            namespace=above,
            label=name,
            attributes=_attributes(config, calls, weights or ()),
            outputs=types,
            parameters=None if weights is None else sum(weight.size for weight in weights),
            trainable_parameters=sum(weight.size for weight in weights or () if weight.is_trainable),
        )
        self._node_of.setdefault(path, node)
        self._types_of.setdefault(path, types)
        return node

    def _shape(self, above: str, tensor: Tensor) -> Shape | None:
        if tensor.type.shape is not None:
            return tensor.type.shape
        path, index = self._resolve(_joined(above, tensor.layer), tensor.output)
        types = self._types_of.get(path, [])
        return types[index].shape if index < len(types) else None

    def _resolve(self, path: str, index: int) -> tuple[str, int]:
        """The layer behind an output of a model; a layer itself is returned as it is."""
        for _ in range(MAX_DEPTH):
            outputs = self._outputs_of.get(path)
            if outputs is None:
                break
            path, index = outputs[min(index, len(outputs) - 1)]
        return path, index

    def _first_node(self, path: str) -> int | None:
        """The layer that takes the first input of a model, or the layer itself."""
        for _ in range(MAX_DEPTH):
            if path not in self._inputs_of:
                break
            path = self._inputs_of[path][0]
        return self._node_of.get(path)


def _joined(above: str, name: str) -> str:
    return f"{above}/{name}" if above else name


def _name(layer: Mapping[str, Any]) -> str:
    name = layer_config(layer).get("name") or layer.get("name") or _class_name(layer)
    # A slash would make groups of a layer's name.
    return str(name)[:500].replace("/", "∕") or "unnamed"


def _class_name(layer: Mapping[str, Any]) -> str:
    return str(layer.get("class_name") or "")[:200]


def _is_custom(layer: Mapping[str, Any]) -> bool:
    """Whether the layer's class is not one of Keras itself. Keras 2 does not tell."""
    module = layer.get("module")
    is_foreign = isinstance(module, str) and not module.startswith(("keras", "tf_keras"))
    return is_foreign or (module is None and bool(layer.get("registered_name")))


def _layers(model: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Before Keras 2.2 the config of a sequential model was the list of its layers."""
    config = model.get("config")
    layers = config.get("layers") if isinstance(config, dict) else config
    return [layer for layer in layers if isinstance(layer, dict)] if isinstance(layers, list) else []


def _boundary(given: Any) -> dict[str, int]:
    """The layers at the inputs or outputs of a model, from [name, node, tensor] or a list of those."""
    entries = given.values() if isinstance(given, dict) else given
    if not isinstance(entries, list | type({}.values())):
        return {}
    found = list(entries)
    if found and isinstance(found[0], str):
        found = [found]
    return {tensor.layer: tensor.output for entry in found if (tensor := _history(entry))}


def _calls(layer: Mapping[str, Any]) -> list[list[Tensor]]:
    """The tensors that each call of a layer takes, in the forms of Keras 3 and 2."""
    nodes = layer.get("inbound_nodes")
    found: list[list[Tensor]] = []
    for node in nodes if isinstance(nodes, list) else []:
        if isinstance(node, dict):
            found.append(list(_tensors([node.get("args"), node.get("kwargs")], 0)))
        elif isinstance(node, list):
            entries = node if node and isinstance(node[0], list) else [node]
            found.append([tensor for entry in entries for tensor in _old_tensors(entry)])
    return found


def _tensors(value: Any, depth: int) -> Iterator[Tensor]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for one in value:
            yield from _tensors(one, depth + 1)
    elif isinstance(value, dict) and value.get("class_name") == "__keras_tensor__":
        config = layer_config(value)
        tensor = _history(config.get("keras_history"))
        if tensor:
            dtype = config.get("dtype")
            type = TensorType(dtype[:40] if isinstance(dtype, str) else "", shape_of(config.get("shape")))
            yield tensor._replace(type=type)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _tensors(one, depth + 1)


def _old_tensors(entry: Any) -> Iterator[Tensor]:
    """From [layer, node, tensor, {keyword: [layer, node, tensor]}]."""
    tensor = _history(entry)
    if tensor:
        yield tensor
    if isinstance(entry, list) and len(entry) > 3 and isinstance(entry[3], dict):
        yield from (keyword for value in entry[3].values() if (keyword := _history(value)))


def _history(entry: Any) -> Tensor | None:
    """From [layer, node, tensor, …]."""
    if not isinstance(entry, list) or len(entry) < 3 or not isinstance(entry[0], str) or not isinstance(entry[2], int):
        return None
    return Tensor(entry[0][:500].replace("/", "∕"), min(max(0, entry[2]), 1000), TensorType())


def _given_types(layers: Sequence[Mapping[str, Any]], is_sequential: bool) -> dict[str, dict[int, TensorType]]:
    """The outputs of layers, as far as the config states them: where they are used."""
    found: dict[str, dict[int, TensorType]] = {}
    if is_sequential:
        for layer, next_layer in pairwise(layers):
            shapes = _built_shapes(next_layer)
            if len(shapes) == 1 and shapes[0] is not None:
                found[_name(layer)] = {0: TensorType(_dtype(layer_config(layer)), shapes[0])}
    for layer in layers:
        for call in _calls(layer):
            for tensor in call:
                if tensor.type.shape is not None:
                    found.setdefault(tensor.layer, {}).setdefault(tensor.output, tensor.type)
    return found


def _built_shapes(layer: Mapping[str, Any]) -> list[Shape | None]:
    """The shapes with which Keras 3 built the layer."""
    built = layer.get("build_config")
    if not isinstance(built, dict):
        return []
    by_name = built.get("shapes_dict")
    if isinstance(by_name, dict):
        shapes = [shape_of(by_name.get(f"{name}_shape")) for name in ("query", "value", "key")]
        return [shape for shape in shapes if shape is not None]
    shape = built.get("input_shape")
    if isinstance(shape, list) and any(isinstance(one, list) for one in shape):
        return [shape_of(one) for one in shape]
    found = shape_of(shape)
    return [] if found is None else [found]


def _dtype(config: Mapping[str, Any]) -> str:
    dtype = config.get("dtype")
    if isinstance(dtype, dict):
        dtype = layer_config(dtype).get("name")
    return COMPUTE_DTYPES.get(dtype, dtype[:40]) if isinstance(dtype, str) else ""


def _attributes(
    config: Mapping[str, Any], calls: Sequence[Sequence[Tensor]], weights: Sequence[LayerWeight]
) -> dict[str, AttributeValue]:
    found: dict[str, AttributeValue] = {}
    for name, value in config.items():
        is_hidden = name in HIDDEN or name.endswith(HIDDEN_ENDINGS) or value is None
        if not is_hidden:
            # An inner object, such as an activation or a wrapped layer, is named by its class.
            found[name] = str(value.get("class_name", "")) if isinstance(value, dict) else value
    units = layer_config(config["layer"]).get("units") if isinstance(config.get("layer"), dict) else None
    if isinstance(units, int):
        found["layer units"] = units
    if len(calls) > 1:
        found["calls"] = len(calls)
    if weights:
        found[WEIGHT_SHAPES] = list(weights)
    return found
