"""What a torch module does with an example input, as nodes. Torch is imported by whoever made the module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from seamark.format.messages import NodeDef
from seamark.write.graphs import node

_ATTRIBUTE = "prim::GetAttr"
_MODULE_TYPE = "ClassType"
_ENDS = "IO Node"  # what torch's writers call the op of inputs and outputs


def nodes_of(model: Any, example: Any, *, verbose: bool, strict: bool) -> list[NodeDef]:
    trace, graph = _traced(model, example, strict)
    if verbose:
        print(graph)
    scopes = _Scopes(trace)
    scoped = [(operation, scopes.of(operation)) for operation in graph.nodes()]
    operations = [(operation, scope) for operation, scope in scoped if not _is_module(operation)]
    inputs = [value for value in graph.inputs() if value.uses() and value.type().kind() != _MODULE_TYPE]
    names = _names(inputs, operations)
    return [
        *(node(names[value.debugName()], _ENDS, shape=_shape(value)) for value in inputs),
        *_output_nodes(graph, names),
        *_operation_nodes(operations, names),
    ]


def _is_module(operation: Any) -> bool:
    """That a module holds another is told by the scopes."""
    return bool(operation.kind() == _ATTRIBUTE and operation.output().type().kind() == _MODULE_TYPE)


def _traced(model: Any, example: Any, strict: bool) -> tuple[Any, Any]:
    torch = sys.modules["torch"]
    with _evaluating(model):
        trace = torch.jit.trace(model, example, strict=strict)
        graph = trace.graph
        torch._C._jit_pass_inline(graph)
    return trace, graph


@contextmanager
def _evaluating(model: Any) -> Iterator[None]:
    """Dropout and the like stay out of the graph; the module is left as it was."""
    was_training = getattr(model, "training", None)
    if was_training:
        model.train(False)
    try:
        yield
    finally:
        if was_training:
            model.train(True)


def _names(inputs: list[Any], operations: list[tuple[Any, str]]) -> dict[str, str]:
    """For each value of the graph, the name of its node."""
    names = {}
    # What no node makes, a module's own self, belongs to whoever used it last.
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
            # TensorBoard stumbles over single quotes.
            described = str(attributes).replace("'", " ")
            yield node(names[value.debugName()], operation.kind(), inputs, attributes=described, shape=shape)


def _output_nodes(graph: Any, names: dict[str, str]) -> Iterator[NodeDef]:
    for number, value in enumerate(graph.outputs(), start=1):
        yield node(f"output/output.{number}", _ENDS, [names[value.debugName()]], shape=_shape(value))


def _shape(value: Any) -> list[int] | None:
    try:
        sizes: list[int] | None = value.type().sizes()
    except RuntimeError:  # a list or a dictionary of tensors has no size
        return [1]
    return sizes


class _Scopes:
    """Where in the hierarchy of modules an operation belongs: Net/Linear[head]."""

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
