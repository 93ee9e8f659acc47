"""Nodes of a torch module by torch.jit.trace, as torch's own writer has them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from seamark.format.messages import NodeDef
from seamark.write.encode.graph.nodes import make_node

_ATTRIBUTE = "prim::GetAttr"
_MODULE_TYPE = "ClassType"
_IO_OP = "IO Node"  # the op of inputs and outputs in torch's graphs


def trace_nodes(
    model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, verbose: bool, strict: bool
) -> list[NodeDef]:
    trace, graph = _trace(model, args, kwargs, strict)
    if verbose:
        print(graph)
    scopes = _Scopes(trace)
    scoped = [(operation, scopes.of(operation)) for operation in graph.nodes()]
    operations = [(operation, scope) for operation, scope in scoped if not _is_module(operation)]
    inputs = [value for value in graph.inputs() if value.uses() and value.type().kind() != _MODULE_TYPE]
    names = _names(inputs, operations)
    return [
        *(make_node(names[value.debugName()], _IO_OP, shape=_shape(value)) for value in inputs),
        *_output_nodes(graph, names),
        *_operation_nodes(operations, names),
    ]


def _is_module(operation: Any) -> bool:
    """True for an operation that reads a sub-module: the scopes already contain it."""
    return bool(operation.kind() == _ATTRIBUTE and operation.output().type().kind() == _MODULE_TYPE)


def _trace(model: Any, args: tuple[Any, ...], kwargs: dict[str, Any], strict: bool) -> tuple[Any, Any]:
    torch = sys.modules["torch"]
    example = {"example_kwarg_inputs": kwargs} if kwargs else {"example_inputs": args}
    trace = torch.jit.trace(model, strict=strict, **example)
    graph = trace.graph
    torch._C._jit_pass_inline(graph)
    return trace, graph


def _names(inputs: list[Any], operations: list[tuple[Any, str]]) -> dict[str, str]:
    """The name of each value's node."""
    names = {}
    # A value that no node produces (a module's own self) gets the scope of the operation that used it last.
    for operation, scope in operations:
        names.update({value.debugName(): f"{scope}/{value.debugName()}" for value in operation.inputs()})
    for operation, scope in operations:
        names.update({value.debugName(): f"{scope}/{value.debugName()}" for value in operation.outputs()})
    names.update({value.debugName(): f"input/{value.debugName()}" for value in inputs})
    return names


def _operation_nodes(operations: list[tuple[Any, str]], names: dict[str, str]) -> Iterator[NodeDef]:
    for operation, _ in operations:
        inputs = [names[value.debugName()] for value in operation.inputs()]
        attributes = {key: getattr(operation, operation.kindOf(key))(key) for key in operation.attributeNames()}
        for value in operation.outputs():
            shape = value.type().sizes() if value.isCompleteTensor() else None
            # TensorBoard cannot parse single quotes.
            text = str(attributes).replace("'", " ")
            yield make_node(names[value.debugName()], operation.kind(), inputs, attributes=text, shape=shape)


def _output_nodes(graph: Any, names: dict[str, str]) -> Iterator[NodeDef]:
    for number, value in enumerate(graph.outputs(), start=1):
        yield make_node(f"output/output.{number}", _IO_OP, [names[value.debugName()]], shape=_shape(value))


def _shape(value: Any) -> list[int] | None:
    try:
        sizes: list[int] | None = value.type().sizes()
    except RuntimeError:  # a list or a dictionary of tensors has no size
        return [1]
    return sizes


class _Scopes:
    """The place of an operation in the hierarchy of modules: Net/Linear[head]."""

    def __init__(self, trace: Any) -> None:
        self._root = _class_name(trace)
        self._titles = {
            path: f"{_class_name(module)}[{path.split('.')[-1]}]"
            for path, module in trace.named_modules(prefix="__module")
        }
        self._attributes: dict[str, str] = {}  # value → the path of modules that leads to it

    def of(self, operation: Any) -> str:
        path = self._attribute_path(operation) if operation.kind() == _ATTRIBUTE else operation.scopeName()
        steps = [self._titles.get(step, step.split(".")[-1]) for step in path.split("/")]
        return "/".join([self._root, *steps]) if any(steps) else self._root

    def _attribute_path(self, operation: Any) -> str:
        own, parent = operation.s("name"), operation.input().node()
        if parent.kind() == _ATTRIBUTE:
            above = self._attributes[parent.output().debugName()]
            path = f"{above}/{above.split('/')[-1]}.{own}"
        else:
            path = f"__module.{own}"
        self._attributes[operation.output().debugName()] = path
        return path


def _class_name(module: Any) -> str:
    traced = sys.modules["torch"].jit.TracedModule
    return str(module._name if isinstance(module, traced) else getattr(module, "original_name", "Module"))
