"""Reads `.pt2`, what torch.export.save writes: a zip file with the graph as JSON. Its weights are never opened."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, MutableMapping
from pathlib import Path

import msgspec

from seamark.graphs.attributes import AttributeValue
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.archive import Archive
from seamark.graphs.readers.json_object import count_values
from seamark.graphs.readers.torch_export.schema import (
    Argument,
    Device,
    ExportedProgram,
    GraphArgument,
    Node,
    Program,
    Signature,
    TensorMeta,
    Weights,
)
from seamark.graphs.readers.torch_modules import ModuleCall, ModulePaths, source_line
from seamark.graphs.tensors import element_count, known_shape

FORMAT = "torch_export"
PROGRAM = "models/model.json"
OLD_PROGRAM = "serialized_exported_program.json"  # before torch 2.8
ANY_PROGRAM = re.compile(r"(?:[^/]+/)?models/([^/]+)\.json")
MAX_SUBGRAPH_DEPTH = 20

# torch's numbers of dtypes in this format.
DTYPES = {
    1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32", 8: "float64",
    9: "complex32", 10: "complex64", 11: "complex128", 12: "bool", 13: "bfloat16", 28: "uint16",
    29: "float8_e4m3fn", 30: "float8_e5m2", 31: "float8_e4m3fnuz", 32: "float8_e5m2fnuz", 33: "float8_e8m0fnu",
    34: "uint32", 35: "uint64",
}  # fmt: skip

# The node and the output that make a value, by the value's name.
Values = MutableMapping[str, tuple[int, int]]


def from_torch_export(source: bytes | Path, *, title: str) -> Graph:
    with Archive(source, "torch.export file") as archive:
        name = archive.find(PROGRAM) or archive.find(OLD_PROGRAM) or _other_program(archive)
        if name is None:
            raise GraphError(f"the file has no '{PROGRAM}', so it is no file of torch.export.save")
        try:
            text = archive.read(name)
            count_values(text)
            program = msgspec.json.decode(text, type=ExportedProgram)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise GraphError(f"'{PROGRAM}' is not the program of a torch.export file: {error}") from error
        first_names = _first_names(archive, name)
    return _Reader(program, first_names, title).read()


def _other_program(archive: Archive) -> str | None:
    """The first program of a package, in which each has a name of its own."""
    return next((name for name in archive.names() if ANY_PROGRAM.fullmatch(name)), None)


def _first_names(archive: Archive, program: str) -> Mapping[str, str]:
    """The first parameter with the same weights, for each parameter that shares them with others."""
    match = ANY_PROGRAM.fullmatch(program)
    name = archive.find(f"data/weights/{match[1]}_weights_config.json") if match else None
    if name is None:
        return {}
    try:
        text = archive.read(name)
        count_values(text)
        weights = msgspec.json.decode(text, type=Weights)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    first_of: dict[str, str] = {}
    for parameter, weight in weights.config.items():
        if weight.path_name:
            first_of.setdefault(weight.path_name, parameter)
    first = {name: first_of.get(weight.path_name, name) for name, weight in weights.config.items()}
    return {name: other for name, other in first.items() if other != name}


class _Reader:
    def __init__(self, program: ExportedProgram, first_names: Mapping[str, str], title: str) -> None:
        self._program = program
        self._first_names = first_names
        self._other_names: dict[str, list[str]] = {}
        for other, first in first_names.items():
            self._other_names.setdefault(first, []).append(other)
        self._builder = GraphBuilder(title, FORMAT)
        self._paths = ModulePaths(self._builder.groups)

    def read(self) -> Graph:
        graph = self._program.graph_module.graph
        if self._program.torch_version:
            self._builder.facts["producer"] = f"torch {self._program.torch_version[:40]}"
        for node in graph.nodes:
            self._paths.learn(_module_stack(node))
        # Groups are in the order in which the modules run, not in that of the parameters.
        for node in graph.nodes:
            self._paths.of_stack(_module_stack(node))
        values = self._add_inputs(graph)
        self._add_nodes(graph, values, branch="", depth=0)
        for at, argument in enumerate(graph.outputs):
            name = next((value for value, _ in _values_of([argument])), f"output_{at}")
            output = self._builder.add_node(self._builder.unused_id(f"output/{name}"), op="Output", label=name)
            self._connect(argument, output, values)
        return self._builder.build()

    def _add_inputs(self, graph: Program) -> Values:
        """Adds parameters, buffers and inputs. Returns the node and output of each value by its name."""
        signature = self._program.graph_module.signature or Signature()
        weights: dict[str, tuple[str, str]] = {}
        for spec in signature.input_specs:
            if spec.parameter:
                weights[spec.parameter.arg.name] = ("Parameter", spec.parameter.parameter_name)
            elif spec.buffer:
                weights[spec.buffer.arg.name] = ("Buffer", spec.buffer.buffer_name)
            elif spec.tensor_constant:
                weights[spec.tensor_constant.arg.name] = ("Constant", spec.tensor_constant.tensor_constant_name)
        values: Values = {}
        added: dict[str, int] = {}
        for value, _ in _values_of(graph.inputs):
            meta = graph.tensor_values.get(value)
            op, name = weights.get(value, ("Input", value))
            first = self._first_names.get(name)
            if op == "Parameter" and first in added:
                values[value] = (added[first], 0)
            else:
                node = self._add_input(value, meta) if op == "Input" else self._add_weight(op, name, meta)
                values[value], added[name] = (node, 0), node
        return values

    def _add_input(self, name: str, meta: TensorMeta | None) -> int:
        return self._builder.add_node(f"input/{name}", op="Input", outputs=[_tensor_type(meta)])

    def _add_weight(self, op: str, name: str, meta: TensorMeta | None) -> int:
        module, _, label = name.rpartition(".")
        namespace = self._paths.of_module(module)
        type = _tensor_type(meta)
        others = self._other_names.get(name)
        count = element_count(type.shape) if op == "Parameter" else 0  # None: not known
        is_trainable = meta is not None and meta.requires_grad
        return self._builder.add_node(
            self._builder.unused_id(f"{namespace}/{label}".lstrip("/")),
            op=op,
            namespace=namespace,
            label=label,
            attributes={"name": name, "also": ", ".join(others)} if others else {"name": name},
            outputs=[type],
            device=_device_name(meta.device if meta else None),
            parameters=count,
            trainable_parameters=(count or 0) if is_trainable else 0,
        )

    def _add_nodes(self, graph: Program, values: Values, *, branch: str, depth: int) -> None:
        for number, node in enumerate(graph.nodes):
            stack = _module_stack(node)
            namespace = branch or self._paths.of_stack(stack)
            name = node.name or next((value for value, _ in _values_of(node.outputs)), "") or f"node_{number}"
            found = list(_values_of(node.outputs))
            index = self._builder.add_node(
                self._builder.unused_id(f"{namespace}/{name}".lstrip("/")),
                op=node.target.removeprefix("torch.ops."),
                namespace=namespace,
                label=name,
                attributes=_attributes(node),
                outputs=[_output_type(graph, value, type) for value, type in found],
                device=self._device(graph, found),
                source=source_line(str(node.metadata.get("stack_trace", ""))[:20_000]),
            )
            for argument in node.inputs:
                self._connect(argument.arg, index, values)
                if argument.arg.as_graph:
                    path = f"{namespace}/{name}".lstrip("/")
                    self._add_branch(argument.arg.as_graph, index, values, path=path, depth=depth)
            values.update({value: (index, output) for output, (value, _) in enumerate(found)})

    def _add_branch(self, argument: GraphArgument, node: int, values: Values, *, path: str, depth: int) -> None:
        """The values of a branch have the names of the operands outside, so they connect by themselves."""
        if depth >= MAX_SUBGRAPH_DEPTH:
            raise GraphError(f"branches are nested more than {MAX_SUBGRAPH_DEPTH} deep, which is the limit")
        inner: Values = ChainMap({}, values)
        self._add_nodes(argument.graph, inner, branch=f"{path}/{argument.name}", depth=depth + 1)
        for output in argument.graph.outputs:
            self._connect(output, node, inner)

    def _connect(self, argument: Argument, target: int, values: Values) -> None:
        for value, _ in _values_of([argument]):
            source = values.get(value)
            if source is None:
                self._builder.add_edge(value, target)
            else:
                self._builder.add_edge(source[0], target, output=source[1])

    def _device(self, graph: Program, found: list[tuple[str, str]]) -> str:
        metas = (graph.tensor_values.get(value) for value, _ in found)
        return next((_device_name(meta.device) for meta in metas if meta), "")


def _module_stack(node: Node) -> list[ModuleCall]:
    """From "L__self__,,my.GPT;L__self__h.0@1,h.0,my.Block": a key with the number of the call, name and type."""
    text = node.metadata.get("nn_module_stack")
    found: list[ModuleCall] = []
    for entry in text.split(";") if isinstance(text, str) and len(text) < 100_000 else ():
        fields = entry.split(",")
        if len(fields) >= 3:
            number = fields[0].rpartition("@")[2] if "@" in fields[0] else ""
            found.append(ModuleCall(fields[1], fields[-1], f"@{number}" if number.isdigit() else ""))
    return found


def _values_of(arguments: list[Argument]) -> Iterator[tuple[str, str]]:
    """The values of the graph in these arguments, and the dtype of those that are no tensors."""
    for argument in arguments:
        if argument.as_tensor:
            yield argument.as_tensor.name, ""
        for tensor in argument.as_tensors or ():
            yield tensor.name, ""
        for row in argument.as_nested_tensors or ():
            yield from ((tensor.name, "") for tensor in row)
        for optional in [argument.as_optional_tensor, *(argument.as_optional_tensors or ())]:
            if optional and optional.as_tensor:
                yield optional.as_tensor.name, ""
        symbols = [argument.as_sym_int, *(argument.as_sym_ints or ())]
        yield from ((symbol.as_name, "int64") for symbol in symbols if symbol and symbol.as_name)
        if argument.as_sym_bool and argument.as_sym_bool.as_name:
            yield argument.as_sym_bool.as_name, "bool"
        if argument.as_sym_float and argument.as_sym_float.as_name:
            yield argument.as_sym_float.as_name, "float64"


def _tensor_type(meta: TensorMeta | None) -> TensorType:
    if meta is None:
        return TensorType()
    return TensorType(DTYPES.get(meta.dtype, ""), known_shape(size.as_int for size in meta.sizes))


def _output_type(graph: Program, value: str, dtype: str) -> TensorType:
    return TensorType(dtype, ()) if dtype else _tensor_type(graph.tensor_values.get(value))


def _device_name(device: Device | None) -> str:
    if device is None:
        return ""
    return device.type if device.index is None else f"{device.type}:{device.index}"


_PLAIN_FIELDS = (
    "as_int", "as_ints", "as_float", "as_floats", "as_bool", "as_bools", "as_string", "as_strings", "as_operator",
    "as_int_lists", "as_float_lists",
)  # fmt: skip


def _attributes(node: Node) -> dict[str, AttributeValue]:
    found: dict[str, AttributeValue] = {}
    for at, named in enumerate(node.inputs):
        value = _plain_value(named.arg)
        if value is not None:
            found[named.name or f"argument {at}"] = value
    return found


def _plain_value(argument: Argument) -> AttributeValue:
    for field in _PLAIN_FIELDS:
        value = getattr(argument, field)
        if value is not None:
            return value
    if argument.as_scalar_type is not None:
        return DTYPES.get(argument.as_scalar_type, str(argument.as_scalar_type))
    if argument.as_device is not None:
        return _device_name(argument.as_device)
    if argument.as_sym_ints is not None:
        return [symbol.as_int if symbol.as_name is None else symbol.as_name for symbol in argument.as_sym_ints]
    return None
