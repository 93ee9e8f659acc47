"""Reads ONNX models: nodes, initializers, subgraphs and local functions. Files with external data are not opened."""

from __future__ import annotations

import re
from collections import ChainMap, Counter
from collections.abc import Iterable, Mapping, MutableMapping, Sequence

from google.protobuf.message import DecodeError

from seamark.format.messages import OnnxFunction, OnnxGraph, OnnxModel, OnnxNode, OnnxTensor, OnnxValueInfo
from seamark.graphs.attributes import AttributeValue
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.grouping import MAX_DEPTH
from seamark.graphs.problems import calls_without_body, sizes_in_other_files
from seamark.graphs.readers.onnx.integers import may_be_sizes
from seamark.graphs.readers.onnx.shapes import infer_types
from seamark.graphs.readers.onnx.slim import slim_model
from seamark.graphs.readers.onnx.values import (
    attribute_value,
    entries,
    external_file,
    tensor_type,
    tensor_value,
    value_type,
)
from seamark.graphs.readers.torch_modules import ModuleCall, ModulePaths, source_line
from seamark.graphs.tensors import element_count

FORMAT = "onnx"
MAX_SUBGRAPH_DEPTH = 20
# Functions that call functions can multiply without end.
MAX_FUNCTION_NODES = 200_000
# torch's exporter writes a dictionary entry for these.
SCOPES, CLASSES, STACK_TRACE = (f"pkg.torch.onnx.{name}" for name in ("name_scopes", "class_hierarchy", "stack_trace"))
INPUT_KIND = "pkg.torch.export.graph_signature.InputSpec.kind"
# Initializers of these dtypes are shapes, indices and masks.
CONSTANT_DTYPES = frozenset({"int64", "int32", "bool", "string", ""})
BUFFER_NAME = re.compile(r"(?:^|[./_])running_(?:mean|var)$|(?:^|[./])moving_(?:mean|variance)\b")
_QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")

# The node and the output that make a value, by the value's name.
Values = MutableMapping[str, tuple[int, int]]
FunctionKey = tuple[str, str, str]


def from_onnx(data: bytes, *, title: str) -> Graph:
    try:
        model = OnnxModel.FromString(slim_model(data))
    except (DecodeError, RecursionError) as error:
        raise GraphError("the file is no ONNX model, or it is cut short") from error
    if not model.HasField("graph"):
        raise GraphError("the ONNX model has no graph")
    return _Reader(model, title).read()


class _Reader:
    def __init__(self, model: OnnxModel, title: str) -> None:
        self._model = model
        self._builder = GraphBuilder(title, FORMAT)
        self._paths = ModulePaths(self._builder.groups)
        self._functions: dict[FunctionKey, OnnxFunction] = {
            (function.domain, function.name, function.overload): function for function in model.functions
        }
        self._layer_of: dict[str, str] = {}
        self._function_nodes_left = MAX_FUNCTION_NODES
        self._calls_not_shown: Counter[str] = Counter()
        # Files with numbers that shapes may follow from, while shapes are missing.
        self._files_with_sizes: Counter[str] = Counter()

    def read(self) -> Graph:
        graph = self._model.graph
        self._add_facts()
        for node in graph.node:
            self._paths.learn(_module_stack(node))
        values: Values = {}
        self._add_graph(graph, values, above="", depth=0)
        for output in graph.output:
            id = self._builder.unused_id(f"output {output.name}")
            index = self._builder.add_node(id, op="Output", namespace="", label=output.name)
            self._connect(output.name, index, values)
        self._add_problems()
        return self._builder.build()

    def _add_facts(self) -> None:
        facts, model = self._builder.facts, self._model
        if model.producer_name:
            facts["producer"] = f"{model.producer_name} {model.producer_version}".strip()[:100]
        opsets = [f"{opset.domain or 'ai.onnx'} {opset.version}" for opset in model.opset_import[:10]]
        if opsets:
            facts["opset"] = ", ".join(opsets)[:200]
        facts["ir_version"] = model.ir_version

    def _add_problems(self) -> None:
        for name, count in self._calls_not_shown.most_common(3):
            self._builder.add_problem(calls_without_body(count, name))
        if self._files_with_sizes:
            tensors = sum(self._files_with_sizes.values())
            self._builder.add_problem(sizes_in_other_files(tensors, list(self._files_with_sizes)))

    def _add_graph(self, graph: OnnxGraph, values: Values, *, above: str, depth: int) -> None:
        infos = [*graph.input, *graph.output, *graph.value_info]
        types = {info.name: value_type(info) for info in infos}
        infer_types(graph.node, graph.initializer, types)
        if any(types.get(name, TensorType()).shape is None for node in graph.node for name in node.output if name):
            self._files_with_sizes.update(
                file for tensor in graph.initializer if may_be_sizes(tensor) and (file := external_file(tensor))
            )
        kinds = {info.name: entries(info.metadata_props).get(INPUT_KIND, "") for info in infos if info.metadata_props}
        namespaces = self._namespaces(graph.node, above)
        for namespace in namespaces:
            self._builder.groups.add(namespace)
        owners = _owners(graph.node, namespaces)
        initializers = {tensor.name for tensor in graph.initializer}
        for info in graph.input:
            if info.name not in initializers and info.name not in values:
                values[info.name] = (self._add_input(info, above), 0)
        for tensor in graph.initializer:
            values[tensor.name] = (self._add_initializer(tensor, owners.get(tensor.name, above), kinds), 0)
        self._add_nodes(graph.node, namespaces, types, values, depth=depth)

    def _add_input(self, info: OnnxValueInfo, namespace: str) -> int:
        id = self._builder.unused_id(_joined(namespace, info.name))
        return self._builder.add_node(id, op="Input", namespace=namespace, label=info.name, outputs=[value_type(info)])

    def _add_initializer(self, tensor: OnnxTensor, namespace: str, kinds: Mapping[str, str]) -> int:
        type = tensor_type(tensor)
        op = _initializer_op(tensor.name, type, kinds.get(tensor.name, ""))
        label = re.split(r"[./]", tensor.name)[-1] or "unnamed"
        attributes: dict[str, AttributeValue] = {"name": tensor.name}
        if external_file(tensor):
            attributes["file"] = external_file(tensor)
        if op == "Constant":
            attributes["value"] = tensor_value(tensor)
        return self._builder.add_node(
            self._builder.unused_id(_joined(namespace, label)),
            op=op,
            namespace=namespace,
            label=label,
            attributes=attributes,
            outputs=[type],
            parameters=element_count(type.shape) if op == "Parameter" else 0,
        )

    def _add_nodes(
        self,
        nodes: Sequence[OnnxNode],
        namespaces: Sequence[str],
        types: Mapping[str, TensorType],
        values: Values,
        *,
        depth: int,
    ) -> None:
        # A value may be used before the node that makes it: the order of nodes is not guaranteed in bad files.
        added: list[int] = []
        for node, namespace in zip(nodes, namespaces, strict=True):
            index = self._add_node(node, namespace, types)
            added.append(index)
            for output, name in enumerate(node.output):
                if name:
                    values[name] = (index, output)
        for node, namespace, index in zip(nodes, namespaces, added, strict=True):
            for name in node.input:
                if name:
                    self._connect(name, index, values)
            self._add_inner(node, namespace, index, values, depth=depth)

    def _add_node(self, node: OnnxNode, namespace: str, types: Mapping[str, TensorType]) -> int:
        label = _label(node)
        properties = entries(node.metadata_props)
        found = ((attribute.name, attribute_value(attribute)) for attribute in node.attribute)
        is_standard = node.domain in ("", "ai.onnx")
        return self._builder.add_node(
            _joined(namespace, label) if node.name else self._builder.unused_id(_joined(namespace, label)),
            op=node.op_type if is_standard else f"{node.domain}.{node.op_type}",
            namespace=namespace,
            label=label,
            attributes={name: value for name, value in found if value is not None},
            outputs=[types.get(name, TensorType()) for name in node.output],
            source=source_line((properties.get(STACK_TRACE) or node.doc_string)[:20_000]),
        )

    def _add_inner(self, node: OnnxNode, namespace: str, index: int, values: Values, *, depth: int) -> None:
        """The graphs and the function of a node, as groups beside it."""
        path = _joined(namespace, _label(node))
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.type == 5 else attribute.graphs if attribute.type == 10 else []
            for number, graph in enumerate(graphs):
                name = attribute.name if len(graphs) == 1 else f"{attribute.name}_{number}"
                self._add_subgraph(graph, node, index, values, above=f"{path}/{name}", depth=depth + 1)
        function = self._functions.get((node.domain, node.op_type, node.overload))
        if function is not None:
            self._add_function(function, node, index, values, above=path, depth=depth + 1)

    def _add_subgraph(
        self, graph: OnnxGraph, node: OnnxNode, index: int, values: Values, *, above: str, depth: int
    ) -> None:
        if depth > MAX_SUBGRAPH_DEPTH:
            raise GraphError(f"subgraphs are nested more than {MAX_SUBGRAPH_DEPTH} deep, which is the limit")
        own: dict[str, tuple[int, int]] = {}
        # The body of Loop and Scan has an input for each input of the node, in the same order.
        for info, outer in zip(graph.input, [*node.input, *[""] * len(graph.input)], strict=False):
            own[info.name] = (self._add_input(info, above), 0)
            if outer:
                self._connect(outer, own[info.name][0], values)
        inner: Values = ChainMap(own, values)
        self._add_graph(graph, inner, above=above, depth=depth)
        for output in graph.output:
            self._connect(output.name, index, inner)

    def _add_function(
        self, function: OnnxFunction, node: OnnxNode, index: int, values: Values, *, above: str, depth: int
    ) -> None:
        self._function_nodes_left -= len(function.node)
        if depth > MAX_SUBGRAPH_DEPTH or self._function_nodes_left < 0:
            self._calls_not_shown[function.name] += 1
            return
        self._builder.groups.describe(above, type=function.name)
        own = {name: values[outer] for name, outer in zip(function.input, node.input, strict=False) if outer in values}
        types = {info.name: value_type(info) for info in function.value_info}
        # A function sees its inputs only.
        inner: Values = dict(own)
        self._add_nodes(function.node, self._namespaces(function.node, above), types, inner, depth=depth)
        for name in function.output:
            self._connect(name, index, inner)

    def _connect(self, name: str, target: int, values: Mapping[str, tuple[int, int]]) -> None:
        source = values.get(name)
        if source is None:
            self._builder.add_edge(f"value {name}", target)
        else:
            self._builder.add_edge(source[0], target, output=source[1])

    def _namespaces(self, nodes: Sequence[OnnxNode], above: str) -> list[str]:
        stacks = [_module_stack(node) for node in nodes]
        if not above and any(stacks):
            found = [self._paths.of_stack(stack) if stack else None for stack in stacks]
            return _with_neighbours(nodes, found)
        return [self._namespace_of_name(node.name, above) for node in nodes]

    def _namespace_of_name(self, name: str, above: str) -> str:
        """From "/h.5/attn/MatMul", which torch writes for the module h.5.attn."""
        inner = "/".join(part for part in name.split("/")[:-1] if part)
        if inner and not above and inner.count("/") < MAX_DEPTH and self._model.producer_name == "pytorch":
            self._describe_modules(inner)
        return _joined(above, inner) if inner else above

    def _describe_modules(self, path: str) -> None:
        """Names the modules of "h.5/mlp/mlp.0": a module of a Sequential is written with the Sequential's name."""
        if path in self._layer_of:
            return
        above, _, last = path.rpartition("/")
        if above:
            self._describe_modules(above)
        above_last = above.rpartition("/")[2]
        own = last.removeprefix(f"{above_last}.") if above else last
        self._layer_of[path] = f"{self._layer_of[above]}.{own}" if above else own
        self._builder.groups.describe(path, label=own, layer=self._layer_of[path])


def _joined(namespace: str, name: str) -> str:
    return f"{namespace}/{name}" if namespace else name


def _label(node: OnnxNode) -> str:
    last = node.name.rstrip("/").rpartition("/")[2]
    return last or (f"{node.op_type} {node.output[0]}" if node.output else node.op_type) or "unnamed"


def _initializer_op(name: str, type: TensorType, kind: str) -> str:
    if kind == "BUFFER" or BUFFER_NAME.search(name):
        return "Buffer"
    # torch's exporters name what they compute themselves val_7: weights that are transposed, and constants.
    is_small = type.shape == () or (type.shape == (1,) and name.startswith("val_"))
    is_constant = kind != "PARAMETER" and (type.dtype in CONSTANT_DTYPES or is_small)
    return "Constant" if is_constant or kind == "CONSTANT_TENSOR" else "Parameter"


def _owners(nodes: Sequence[OnnxNode], namespaces: Sequence[str]) -> dict[str, str]:
    """The namespace of the first node that uses each value; an Identity does not count if there is another."""
    owners: dict[str, str] = {}
    for is_identity in (False, True):
        for node, namespace in zip(nodes, namespaces, strict=True):
            if (node.op_type == "Identity") == is_identity:
                for name in node.input:
                    owners.setdefault(name, namespace)
    return owners


def _module_stack(node: OnnxNode) -> list[ModuleCall]:
    """What torch's newer exporter writes: the names and types of the modules, and last those of the operation."""
    if not node.metadata_props:
        return []
    properties = {entry.key: entry.value for entry in node.metadata_props if entry.key in (SCOPES, CLASSES)}
    names, types = (_quoted(properties.get(key, "")) for key in (SCOPES, CLASSES))
    return [ModuleCall(name, type) for name, type in zip(names[:-1], types[:-1], strict=False)]


def _quoted(text: str) -> list[str]:
    """The strings of a list as Python prints it."""
    return [single or double for single, double in _QUOTED.findall(text[:100_000])]


def _with_neighbours(nodes: Sequence[OnnxNode], namespaces: Sequence[str | None]) -> list[str]:
    """A node without a namespace gets what those of its neighbours have in common."""
    made = {name: found for node, found in zip(nodes, namespaces, strict=True) for name in node.output}
    used: dict[str, str | None] = {}
    for node, found in zip(nodes, namespaces, strict=True):
        if found is not None:
            for name in node.input:
                used.setdefault(name, found)
    result = []
    for node, found in zip(nodes, namespaces, strict=True):
        if found is None:
            near = [*(made.get(name) for name in node.input), *(used.get(name) for name in node.output)]
            found = _common(one for one in near if one is not None)
        result.append(found)
    return result


def _common(paths: Iterable[str]) -> str:
    common: list[str] | None = None
    for path in paths:
        parts = path.split("/")
        if common is None:
            common = parts
        else:
            same = (at for at, (one, other) in enumerate(zip(common, parts, strict=False)) if one != other)
            common = common[: next(same, min(len(common), len(parts)))]
    return "/".join(common or [])
