"""Nodes of a torch module by torch.export: its modules, parameters, shapes, types and source lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from seamark.format.messages import NodeDef
from seamark.write.encode.graph.nodes import NodeNames, OutputType, make_typed_node
from seamark.write.encode.graph.source_lines import source_attributes
from seamark.write.encode.graph.torch_modules import ModuleScopes, tensors_by_owner

_INPUT_OPS = {"PARAMETER": "Parameter", "BUFFER": "Buffer", "CONSTANT_TENSOR": "Constant", "CUSTOM_OBJ": "Constant"}
# Regions of code (no_grad, autocast) that torch.export puts in a graph of their own.
_WRAPPERS = ("wrap_with_set_grad_enabled", "wrap_with_autocast")
# Checks that torch.export adds.
_CHECKS = ("aten._assert", "aten.sym_constrain_range")
_FRAME = re.compile(r'File "(.+?)", line (\d+), in .*\n\s+(.*)')

# The outputs of an fx node: a reference ("name" or "name:1"), several of them, a sub-graph, or None for no tensor.
Value = Any


def export_nodes(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, verbose: bool) -> list[NodeDef]:
    hook = model.register_forward_hook(_without_unknown_outputs)
    try:
        program = sys.modules["torch"].export.export(model, args, kwargs or None, strict=False)
    finally:
        hook.remove()
    if verbose:
        print(program.graph)
    return ExportedNodes(model, program).nodes


def _without_unknown_outputs(module: Any, args: Any, outputs: Any) -> Any:
    """Replaces objects, such as the caches of language models, by None: torch.export takes tensors and numbers only."""
    torch = sys.modules["torch"]
    known = (torch.Tensor, torch.SymInt, torch.SymFloat, torch.SymBool, int, float, complex, str)
    return sys.modules["torch.utils._pytree"].tree_map(
        lambda leaf: leaf if isinstance(leaf, known) else None,
        outputs,
    )


class ExportedNodes:
    """Converts an ExportedProgram of `model`."""

    def __init__(self, model: Any, program: Any) -> None:
        torch = sys.modules["torch"]
        self.nodes: list[NodeDef] = []
        self._names = NodeNames()
        self._scopes = ModuleScopes(model)
        self._torch_folder = str(Path(torch.__path__[0]))
        self._tensor_type, self._node_type = torch.Tensor, torch.fx.Node
        values = self._add_inputs(model, program)
        outputs = self._add_operations(program.graph_module, values)
        self._add_outputs(program, outputs)

    def _add_inputs(self, model: Any, program: Any) -> dict[Any, Value]:
        specs = {spec.arg.name: spec for spec in program.graph_signature.input_specs}
        owners = tensors_by_owner(model)
        values: dict[Any, Value] = {}
        tensors: dict[str, str] = {}  # name of a parameter's first owner → node
        for node in program.graph.nodes:
            if node.op != "placeholder":
                continue
            spec = specs[node.name]
            op = _INPUT_OPS.get(spec.kind.name, "Input")
            if op == "Input":
                values[node] = self._add_input(node)
                continue
            first, *others = owners.get(spec.target, [spec.target])
            if first not in tensors:
                tensors[first] = self._add_tensor(node, op, first, others, model)
            values[node] = tensors[first]
        return values

    def _add_input(self, node: Any) -> Value:
        if not isinstance(node.meta.get("val"), self._tensor_type) and not node.users:
            return None  # a number or None
        name = self._names.add("input", node.name)
        self.nodes.append(make_typed_node(name, "Input", outputs=self._output_types(node)))
        return name

    def _add_tensor(self, node: Any, op: str, target: str, others: list[str], model: Any) -> str:
        path, _, own = target.rpartition(".")
        attributes: dict[str, Any] = {"module": path, "also": ", ".join(others)}
        if op == "Parameter":
            attributes["trainable"] = bool(model.get_parameter(target).requires_grad)
        name = self._names.add(self._scopes.of(path), own)
        self.nodes.append(make_typed_node(name, op, outputs=self._output_types(node), attributes=attributes))
        return name

    def _add_outputs(self, program: Any, values: Value) -> None:
        signature = program.graph_signature.output_specs
        own = [place for place, spec in enumerate(signature) if spec.kind.name == "USER_OUTPUT"]
        fx_outputs = next(node for node in reversed(program.graph.nodes) if node.op == "output").args[0]
        for label, place in zip(_output_labels(program, len(own)), own, strict=True):
            if values[place] is not None:
                name = self._names.add("output", label)
                types = self._output_types(fx_outputs[place])
                self.nodes.append(make_typed_node(name, "Output", _references(values[place]), outputs=types))

    def _add_operations(self, graph_module: Any, values: dict[Any, Value], group: str | None = None) -> Value:
        """Adds the nodes of a graph whose placeholders have `values`. Returns the values of its outputs."""
        graph = graph_module.graph
        dropped = self._checks(graph)
        for node in graph.nodes:
            if node.op == "output":
                return self._value(node.args[0], values)
            if node.op == "get_attr":
                values[node] = self._attribute_value(graph_module, node, group)
            elif node.op == "call_function" and node not in dropped:
                values[node] = self._add_call(node, values, group)
        return ()

    def _add_call(self, node: Any, values: dict[Any, Value], group: str | None) -> Value:
        arguments = [self._value(argument, values) for argument in (*node.args, *node.kwargs.values())]
        if _op_name(node) == "operator.getitem" and isinstance(arguments[0], tuple):
            return arguments[0][node.args[1]]
        graphs = [argument for argument in arguments if _is_graph(argument)]
        if graphs and node.target.name() in _WRAPPERS:
            operands = arguments[arguments.index(graphs[0]) + 1 :]
            return self._add_operations(graphs[0], _bind(graphs[0], operands), group)
        scope = self._scope(node) if group is None else group
        operands = list(_references([argument for argument in arguments if not _is_graph(argument)]))
        inputs = list(operands)
        for graph in graphs:
            inputs += self._add_branch(graph, node, operands, scope)
        name = self._names.add(scope, node.name)
        types = self._output_types(node)
        attributes = {**self._arguments(node), **self._source(node), "module": self._module_path(node)}
        self.nodes.append(make_typed_node(name, _op_name(node), inputs, outputs=types, attributes=attributes))
        if isinstance(node.meta.get("val"), (list, tuple)):
            return tuple(f"{name}:{index}" if index else name for index in range(len(types)))
        return name

    def _add_branch(self, graph: Any, node: Any, operands: list[str], scope: str) -> list[str]:
        """Adds a branch or loop body as a group. Returns its outputs."""
        label = next(each.target for each in node.all_input_nodes if _names_graph(each, graph))
        group = f"{scope}/{node.name}[{label}]"
        placeholders = [each for each in graph.graph.nodes if each.op == "placeholder"]
        # The operands of a branch are the last ones: a condition comes before them.
        bound = operands[len(operands) - len(placeholders) :] if len(operands) >= len(placeholders) else []
        values = dict(zip(placeholders, bound, strict=False))
        return list(_references(self._add_operations(graph, values, group)))

    def _checks(self, graph: Any) -> set[Any]:
        """The checks that torch.export adds, and what is computed only for them."""
        dropped: set[Any] = set()
        for node in reversed(graph.nodes):
            if node.op != "call_function":
                continue
            is_scalar = not isinstance(node.meta.get("val"), (self._tensor_type, list, tuple))
            is_for_checks = is_scalar and bool(node.users) and all(user in dropped for user in node.users)
            if is_for_checks or _op_name(node).startswith(_CHECKS):
                dropped.add(node)
        return dropped

    def _attribute_value(self, graph_module: Any, node: Any, group: str | None) -> Value:
        found = graph_module
        for part in node.target.split("."):
            found = getattr(found, part)
        if not isinstance(found, self._tensor_type):
            return found if _is_graph(found) else None
        name = self._names.add(self._scope(node) if group is None else group, node.name)
        self.nodes.append(make_typed_node(name, "Constant", outputs=[_tensor_type(found)]))
        return name

    def _value(self, argument: Any, values: dict[Any, Value]) -> Value:
        if isinstance(argument, self._node_type):
            return values.get(argument)
        if isinstance(argument, (list, tuple)):
            return tuple(self._value(each, values) for each in argument)
        return None

    def _arguments(self, node: Any) -> dict[str, Any]:
        """The arguments that are not tensors, by their names in the operator's schema."""
        found = dict(node.kwargs)
        schema = getattr(node.target, "_schema", None)
        if schema is not None:
            names = [argument.name for argument in schema.arguments]
            found = {**dict(zip(names, node.args, strict=False)), **found}
        return {key: _plain(value) for key, value in found.items() if not self._has_node(value)}

    def _has_node(self, value: Any) -> bool:
        if isinstance(value, (list, tuple)):
            return any(self._has_node(each) for each in value)
        return isinstance(value, self._node_type)

    def _output_types(self, node: Any) -> list[OutputType]:
        value = node.meta.get("val") if isinstance(node, self._node_type) else node
        many = value if isinstance(value, (list, tuple)) else [value]
        return [_tensor_type(each) if isinstance(each, self._tensor_type) else _scalar_type(each) for each in many]

    def _scope(self, node: Any) -> str:
        return self._scopes.of(self._module_path(node))

    def _module_path(self, node: Any) -> str:
        stack = node.meta.get("nn_module_stack")
        return self._scopes.first_path(str(next(reversed(stack.values()))[0])) if stack else ""

    def _source(self, node: Any) -> dict[str, str]:
        """The innermost line outside torch."""
        frames = _FRAME.findall(node.meta.get("stack_trace") or "")
        if not frames:
            return {}
        own = [frame for frame in frames if not frame[0].startswith(self._torch_folder)]
        file, line, code = (own or frames)[-1]
        return source_attributes(file, int(line), code)


def _op_name(node: Any) -> str:
    """`aten.linear.default`, `higher_order.cond`, `operator.getitem`."""
    target = node.target
    if hasattr(target, "_schema"):
        return str(target)
    if hasattr(target, "namespace"):
        return f"{target.namespace}.{target.name()}"
    return f"{getattr(target, '__module__', '')}.{getattr(target, '__name__', target)}".replace(
        "_operator.", "operator."
    )


def _is_graph(value: Any) -> bool:
    return hasattr(value, "graph") and hasattr(value, "named_modules")


def _names_graph(node: Any, graph: Any) -> bool:
    return node.op == "get_attr" and getattr(node.graph.owning_module, str(node.target), None) is graph


def _bind(graph: Any, operands: list[Value]) -> dict[Any, Value]:
    placeholders = [node for node in graph.graph.nodes if node.op == "placeholder"]
    return dict(zip(placeholders, operands, strict=False))


def _references(value: Value) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _references(each)


def _tensor_type(tensor: Any) -> OutputType:
    return OutputType(tuple(tensor.shape), str(tensor.dtype).removeprefix("torch."))


def _scalar_type(value: Any) -> OutputType:
    """Of a number; of None nothing is known."""
    dtypes = {"SymInt": "int64", "int": "int64", "SymFloat": "float64", "float": "float64"}
    dtypes |= {"SymBool": "bool", "bool": "bool"}
    dtype = dtypes.get(type(value).__name__)
    return OutputType((), dtype) if dtype else OutputType(None)


def _plain(value: Any) -> Any:
    """torch's own types (dtype, device, memory format) as text, without the name of the library."""
    if isinstance(value, (bool, int, float, list, tuple)) or value is None:
        return value
    return str(value).removeprefix("torch.")


def _output_labels(program: Any, count: int) -> list[str]:
    """The keys of nested outputs, `output`, or `output.1`, `output.2` … as torch's writer has it."""
    labels = list(_leaf_labels(program.call_spec.out_spec))
    return labels if len(labels) == count else [f"output.{number}" for number in range(1, count + 1)]


def _leaf_labels(spec: Any, label: str = "") -> Iterator[str]:
    """A tuple's entries are numbered from 1."""
    if spec.is_leaf():
        yield label or "output"
        return
    children = spec.children() if hasattr(spec, "children") else spec.children_specs
    keys = spec.context if isinstance(spec.context, (list, tuple)) and len(spec.context) == len(children) else None
    for index, child in enumerate(children):
        parts = [label, str(keys[index])] if keys else [label or "output", str(index + 1)]
        yield from _leaf_labels(child, ".".join(filter(None, parts)))
