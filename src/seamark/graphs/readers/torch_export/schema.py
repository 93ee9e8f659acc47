"""The JSON of a torch.export file, as far as a graph shows it. torch calls it a schema and changes it rarely."""

from __future__ import annotations

from typing import Any

import msgspec


# Without the garbage collector, which would look at millions of small objects again and again.
class Named(msgspec.Struct, gc=False):
    name: str = ""


class Hint(msgspec.Struct, gc=False):
    as_int: int | None = None


class Expression(msgspec.Struct, gc=False):
    expr_str: str = ""
    hint: Hint | None = None


class Size(msgspec.Struct, gc=False):
    as_int: int | None = None
    as_expr: Expression | None = None


class Device(msgspec.Struct, gc=False):
    type: str = ""
    index: int | None = None


class TensorMeta(msgspec.Struct, gc=False):
    dtype: int = 0
    sizes: list[Size] = []
    requires_grad: bool = False
    device: Device | None = None


class OptionalTensor(msgspec.Struct, gc=False):
    as_tensor: Named | None = None


class Symbol(msgspec.Struct, gc=False):
    as_name: str | None = None
    as_int: Any = None
    as_float: Any = None
    as_bool: Any = None


class Argument(msgspec.Struct, gc=False):
    """One of its fields is set. The fields that name no value of the graph are in `rest` of the node."""

    as_tensor: Named | None = None
    as_tensors: list[Named] | None = None
    as_optional_tensor: OptionalTensor | None = None
    as_optional_tensors: list[OptionalTensor] | None = None
    as_nested_tensors: list[list[Named]] | None = None
    as_sym_int: Symbol | None = None
    as_sym_ints: list[Symbol] | None = None
    as_sym_bool: Symbol | None = None
    as_sym_float: Symbol | None = None
    as_graph: GraphArgument | None = None
    as_none: Any = None
    as_int: Any = None
    as_ints: Any = None
    as_float: Any = None
    as_floats: Any = None
    as_bool: Any = None
    as_bools: Any = None
    as_string: Any = None
    as_strings: Any = None
    as_scalar_type: int | None = None
    as_device: Device | None = None
    as_operator: Any = None
    as_int_lists: Any = None
    as_float_lists: Any = None


class NamedArgument(msgspec.Struct, gc=False):
    arg: Argument
    name: str = ""


class Node(msgspec.Struct, gc=False):
    target: str
    inputs: list[NamedArgument] = []
    outputs: list[Argument] = []
    metadata: dict[str, Any] = {}
    name: str | None = None


class Program(msgspec.Struct, gc=False):
    """The graph of a program, or of a branch of a control flow operation."""

    inputs: list[Argument] = []
    outputs: list[Argument] = []
    nodes: list[Node] = []
    tensor_values: dict[str, TensorMeta] = {}


class GraphArgument(msgspec.Struct, gc=False):
    graph: Program
    name: str = ""


class ParameterSpec(msgspec.Struct, gc=False):
    arg: Named
    parameter_name: str = ""


class BufferSpec(msgspec.Struct, gc=False):
    arg: Named
    buffer_name: str = ""


class ConstantSpec(msgspec.Struct, gc=False):
    arg: Named
    tensor_constant_name: str = ""


class InputSpec(msgspec.Struct, gc=False):
    parameter: ParameterSpec | None = None
    buffer: BufferSpec | None = None
    tensor_constant: ConstantSpec | None = None


class Signature(msgspec.Struct, gc=False):
    input_specs: list[InputSpec] = []


class GraphModule(msgspec.Struct, gc=False):
    graph: Program
    signature: Signature | None = None


class ExportedProgram(msgspec.Struct, gc=False):
    graph_module: GraphModule
    torch_version: str = ""
    schema_version: Any = None


class Weight(msgspec.Struct, gc=False):
    path_name: str = ""


class Weights(msgspec.Struct, gc=False):
    config: dict[str, Weight] = {}
