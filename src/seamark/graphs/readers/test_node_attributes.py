"""Shapes, dtypes and attributes of the nodes of a GraphDef."""

from __future__ import annotations

import numpy as np

from seamark.format.messages import DataType, TensorShape
from seamark.graphs.attributes import Large
from seamark.graphs.form import TensorType
from seamark.graphs.readers.graph_def import from_graph_def
from seamark.graphs.readers.test_support import length_prefixed, node, read, shape
from seamark.kinds.tensor import from_array


def test_shapes_and_dtypes_of_outputs() -> None:
    placeholder = node("x", op="Placeholder")
    placeholder.attr["dtype"].type = DataType.DT_FLOAT
    placeholder.attr["shape"].shape.CopyFrom(shape(-1, 3))
    split = node("split", "x")
    split.attr["T"].type = DataType.DT_HALF
    split.attr["_output_shapes"].list.shape.extend([shape(2, 3), TensorShape(unknown_rank=True), shape()])
    typed = node("typed")
    typed.attr["_output_types"].list.type.extend([DataType.DT_INT64, DataType.DT_BFLOAT16])
    graph = read(placeholder, split, typed, node("none"))
    assert graph.outputs(0) == [TensorType("float32", (-1, 3))]
    assert graph.outputs(1) == [TensorType("float16", (2, 3)), TensorType("float16"), TensorType("float16", ())]
    assert graph.outputs(2) == [TensorType("int64"), TensorType("bfloat16")]
    assert graph.outputs(3) == []


def test_dtypes_that_differ_from_those_of_the_inputs() -> None:
    less = node("less", op="Less")
    less.attr["T"].type = DataType.DT_FLOAT
    branch = node("branch", op="If")
    branch.attr["Tin"].list.type.append(DataType.DT_HALF)
    branch.attr["Tout"].list.type.extend([DataType.DT_INT32, DataType.DT_STRING])
    graph = read(less, branch)
    assert graph.outputs(0) == [TensorType("bool")]
    assert graph.outputs(1) == [TensorType("int32"), TensorType("string")]
    assert graph.nodes.attributes.of(1) == {"Tin": ["float16"], "Tout": ["int32", "string"]}


def test_attributes_are_plain_values() -> None:
    one = node("a")
    one.attr["s"].s = "größe".encode()
    one.attr["i"].i = -3
    one.attr["f"].f = 0.5
    one.attr["b"].b = True
    one.attr["type"].type = DataType.DT_DOUBLE_REF
    one.attr["shape"].shape.CopyFrom(shape(4, -1))
    one.attr["tensor"].tensor.CopyFrom(from_array(np.array([[1, 2], [3, 4]], np.int32)))
    one.attr["func"].func.name = "body"
    one.attr["list"].list.i.extend([1, 2])
    one.attr["empty"].list.SetInParent()
    one.attr["unset"].SetInParent()
    assert read(one).nodes.attributes.of(0) == {
        "b": True, "empty": [], "f": 0.5, "func": "body", "i": -3, "list": [1, 2], "s": "größe", "shape": "4×?",
        "tensor": [[1, 2], [3, 4]], "type": "float64", "unset": None,
    }  # fmt: skip


def test_large_values_are_not_stored() -> None:
    constant = node("weights", op="Const")
    constant.attr["value"].tensor.CopyFrom(from_array(np.arange(64 * 128, dtype=np.float32).reshape(64, 128) / 4))
    constant.attr["code"].s = b"x" * 9000
    constant.attr["names"].list.s.extend([b"name"] * 1000)
    graph = read(constant)
    assert graph.nodes.attributes.of(0) == {
        "code": Large("x" * 200 + "…", 9000),
        "names": Large("list", 6000),
        "value": Large("float32 tensor, shape 64×128: 0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, …", 32_785),
    }
    assert len(graph.nodes.attributes.data) < 600


def test_attributes_that_are_nested_too_deeply_are_a_sentence() -> None:
    nested = b""
    for _ in range(400):  # AttrValue{list{func{attr{value: AttrValue…
        inner = b"\x12" + length_prefixed(nested)
        nested = b"\x52" + length_prefixed(b"\x12" + length_prefixed(inner))
    entry = b"\x0a\x01f\x12" + length_prefixed(nested)
    data = b"\x0a" + length_prefixed(b"\x0a\x01n\x2a" + length_prefixed(entry))
    graph = from_graph_def(data, title="")
    assert graph.nodes.ids == ["n"]
    assert "nested too deeply" in graph.nodes.attributes.of(0)["unreadable"]


def test_the_shape_of_a_constant_is_that_of_its_value() -> None:
    constant = node("c", op="Const")
    constant.attr["dtype"].type = DataType.DT_FLOAT
    constant.attr["value"].tensor.CopyFrom(from_array(np.zeros((64, 128), np.float32)))
    assert read(constant).outputs(0) == [TensorType("float32", (64, 128))]
