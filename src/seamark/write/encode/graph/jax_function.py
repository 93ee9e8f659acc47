"""Nodes of a JAX function by its jaxpr. Uses the JAX that the program has imported."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

from seamark.format.messages import NodeDef
from seamark.write.encode.graph.jax_inputs import InputName, input_names, leaf_paths, unbind_arrays, untrained_arrays
from seamark.write.encode.graph.jax_source import source_of
from seamark.write.encode.graph.nodes import NodeNames, OutputType, make_typed_node, segment

# Primitives that run their operands, all of them, through one jaxpr once: it takes their place.
_CALLS = (
    *("jit", "pjit", "closed_call", "core_call", "remat", "checkpoint", "remat2", "custom_lin"),
    *("custom_jvp_call", "custom_vjp_call", "custom_vjp_call_jaxpr", "xla_call", "shard_map"),
)


def jax_nodes(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], *, verbose: bool
) -> list[NodeDef]:
    jax = sys.modules["jax"]
    root = segment(getattr(function, "__name__", type(function).__name__))
    untrained = untrained_arrays(function)
    function, args = unbind_arrays(function, args)
    closed, outputs = jax.make_jaxpr(function, return_shape=True)(*args, **kwargs)
    if verbose:
        print(closed)
    builder = JaxprNodes(root)
    builder.add_inputs(closed, input_names(function, args, kwargs, untrained))
    builder.add_outputs(closed, leaf_paths(outputs))
    return builder.nodes


class JaxprNodes:
    """Converts a jaxpr. `root` is the name of the function."""

    def __init__(self, root: str) -> None:
        self.nodes: list[NodeDef] = []
        self._root = root
        self._names = NodeNames()
        self._values: dict[Any, str] = {}  # variable → the name of its node, with the number of the output

    def add_inputs(self, closed: Any, inputs: list[InputName]) -> None:
        for variable, name in zip(closed.jaxpr.invars, inputs, strict=True):
            trainable = "float" in _output_type(variable).dtype if name.op == "Parameter" else None
            self._add_leaf(variable, name.op, name.scope, name.own, trainable=trainable)
        for variable in closed.jaxpr.constvars:
            self._add_leaf(variable, "Constant", self._root, "constant")

    def add_outputs(self, closed: Any, paths: list[list[str]]) -> None:
        jaxpr = closed.jaxpr
        # A function that is compiled itself is one equation.
        is_compiled = len(jaxpr.eqns) == 1 and jaxpr.eqns[0].primitive.name in _CALLS
        self._add_equations(jaxpr, self._values, self._root, is_compiled=is_compiled)
        for number, (variable, path) in enumerate(zip(jaxpr.outvars, paths, strict=True), start=1):
            single = "output" if len(paths) == 1 else f"output.{number}"
            named = ".".join(path)
            name = self._names.add("output", named if named and not named[0].isdigit() else single)
            inputs = [self._values[variable]] if self._is_known(variable, self._values) else []
            self.nodes.append(make_typed_node(name, "Output", inputs, outputs=[_output_type(variable)]))

    def _add_leaf(self, variable: Any, op: str, scope: str, own: str, *, trainable: bool | None = None) -> None:
        name = self._names.add(scope, own)
        attributes = {"trainable": trainable}
        self.nodes.append(make_typed_node(name, op, outputs=[_output_type(variable)], attributes=attributes))
        self._values[variable] = name

    def _add_equations(self, jaxpr: Any, values: dict[Any, str], scope: str, *, is_compiled: bool = False) -> None:
        for equation in jaxpr.eqns:
            group = "/".join([scope, *map(segment, filter(None, str(equation.source_info.name_stack).split("/")))])
            inner = list(_inner_jaxprs(equation))
            if len(inner) == 1 and equation.primitive.name in _CALLS:
                self._add_call(
                    equation, inner[0][1], values, scope if is_compiled else group, has_group=not is_compiled
                )
            else:
                self._add_equation(equation, inner, values, group)

    def _add_call(self, equation: Any, jaxpr: Any, values: dict[Any, str], scope: str, *, has_group: bool) -> None:
        """Adds the equations of a call, as a group unless there is only another call in it."""
        is_nested = len(jaxpr.eqns) == 1 and jaxpr.eqns[0].primitive.name in _CALLS
        if has_group and not is_nested:
            title, name = equation.primitive.name, equation.params.get("name")
            scope = self._names.add(scope, f"{title}[{name}]" if name else title)
        inside = self._bind(jaxpr, equation.invars, values, scope)
        self._add_equations(jaxpr, inside, scope)
        for outer, variable in zip(equation.outvars, jaxpr.outvars, strict=True):
            if self._is_known(variable, inside):
                values[outer] = inside[variable]
            else:
                values[outer] = self._add_literal(variable, scope)

    def _add_equation(self, equation: Any, inner: list[tuple[str, Any]], values: dict[Any, str], scope: str) -> None:
        name = self._names.add(scope, equation.primitive.name)
        inputs = [values[variable] for variable in equation.invars if self._is_known(variable, values)]
        for label, jaxpr in inner:
            group = f"{name}[{label}]"
            inside = self._bind(jaxpr, _operands_of(equation, label), values, group)
            self._add_equations(jaxpr, inside, group)
            inputs += [inside[variable] for variable in jaxpr.outvars if self._is_known(variable, inside)]
        attributes = {**_arguments(equation), **source_of(equation)}
        types = [_output_type(variable) for variable in equation.outvars]
        self.nodes.append(make_typed_node(name, equation.primitive.name, inputs, outputs=types, attributes=attributes))
        for index, variable in enumerate(equation.outvars):
            values[variable] = f"{name}:{index}" if index else name

    def _bind(self, jaxpr: Any, operands: list[Any], values: dict[Any, str], scope: str) -> dict[Any, str]:
        """The values of an inner jaxpr's variables before it runs."""
        inside: dict[Any, str] = {}
        for variable, operand in zip(jaxpr.invars, operands, strict=False):
            known = self._is_known(operand, values)
            inside[variable] = values[operand] if known else self._add_literal(operand, scope)
        for variable in [*jaxpr.constvars, *jaxpr.invars[len(operands) :]]:
            inside[variable] = self._add_literal(variable, scope)
        return inside

    def _add_literal(self, variable: Any, scope: str) -> str:
        name = self._names.add(scope, "constant")
        attributes = {"value": _plain(getattr(variable, "val", None))}
        self.nodes.append(make_typed_node(name, "Constant", outputs=[_output_type(variable)], attributes=attributes))
        return name

    @staticmethod
    def _is_known(variable: Any, values: dict[Any, str]) -> bool:
        return not hasattr(variable, "val") and variable in values  # a literal is not hashable


def _inner_jaxprs(equation: Any) -> Iterator[tuple[str, Any]]:
    """The jaxprs of a call, a loop or a condition, with a label for each."""
    for key, value in equation.params.items():
        found = list(_jaxprs_in(value))
        label = "body" if key == "jaxpr" else key.removesuffix("_jaxpr")
        for index, jaxpr in enumerate(found):
            yield (f"{label}.{index}" if len(found) > 1 else label), jaxpr


def _jaxprs_in(value: Any) -> Iterator[Any]:
    for each in value if isinstance(value, (list, tuple)) else [value]:
        jaxpr = getattr(each, "jaxpr", each)  # of a closed one, which has its constants
        if hasattr(jaxpr, "eqns"):
            yield jaxpr


def _operands_of(equation: Any, label: str) -> list[Any]:
    """The variables that an inner jaxpr of a loop or a condition receives."""
    operands = list(equation.invars)
    if equation.primitive.name == "cond":
        return operands[1:]
    if equation.primitive.name == "while":
        conditions, bodies = equation.params["cond_nconsts"], equation.params["body_nconsts"]
        constants = operands[:conditions] if label == "cond" else operands[conditions : conditions + bodies]
        return constants + operands[conditions + bodies :]
    return operands


def _arguments(equation: Any) -> dict[str, Any]:
    """The parameters of an equation, and its literal operands."""
    found = {
        key: _plain(value)
        for key, value in equation.params.items()
        if not callable(value) and not list(_jaxprs_in(value))
    }
    for index, operand in enumerate(equation.invars):
        if hasattr(operand, "val"):
            found[f"operand_{index}"] = _plain(operand.val)
    return found


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, (list, tuple)):
        return tuple(_plain(each) for each in value)
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        return _plain_item(value)
    return str(value)


def _plain_item(value: Any) -> Any:
    try:
        return _plain(value.item())
    except (TypeError, ValueError):  # a type of JAX without numbers, such as a key
        return str(value)


def _output_type(variable: Any) -> OutputType:
    array_type = getattr(variable, "aval", None)
    return OutputType(getattr(array_type, "shape", None), str(getattr(array_type, "dtype", "")))
