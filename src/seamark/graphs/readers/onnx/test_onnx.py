"""ONNX models, written by torch and by hand."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper, numpy_helper

from seamark.format.messages import OnnxModel, OnnxValueInfo
from seamark.graphs.attributes import Large
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.onnx import from_onnx
from seamark.graphs.readers.onnx.shapes import infer_types
from seamark.graphs.readers.onnx.slim import slim_model
from seamark.graphs.readers.onnx.values import value_type
from seamark.graphs.test_support import edges_of, onnx_file, torch_models

MODELS = torch_models()


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {name: onnx_file(model, example) for name, (model, example) in MODELS.items()}


def read(data: bytes) -> Graph:
    return from_onnx(data, title="model.onnx")


def tensor(name: str, *shape: int | str | None) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def model(*nodes: onnx.NodeProto, weights: tuple[onnx.TensorProto, ...] = (), **extra: object) -> bytes:
    graph = helper.make_graph(nodes, "main", [tensor("x", "batch", 4)], [tensor("y", None, 4)], weights)
    made = helper.make_model(graph, **extra)
    data: bytes = made.SerializeToString()
    return data


@pytest.mark.parametrize("name", MODELS)
def test_every_node_edge_and_parameter_of_a_model_is_there(name: str, files: dict[str, bytes]) -> None:
    source = onnx.load_from_string(files[name]).graph
    graph = read(files[name])
    assert graph.problems == ()
    assert str(graph.facts["producer"]).startswith("pytorch ")
    assert len(graph.nodes) == len(source.node) + len(source.initializer) + len(source.input) + len(source.output)
    assert len(graph.edges) == sum(bool(one) for node in source.node for one in node.input) + len(source.output)
    assert graph.nodes.parameters.sum() == sum(p.numel() for p in MODELS[name][0].parameters())


def test_groups_are_the_modules_in_the_names_of_nodes(files: dict[str, bytes]) -> None:
    graph = read(files["gpt"])
    at = graph.groups.ids.index("h.1/mlp/mlp.2/")
    assert (graph.groups.labels[at], graph.groups.layers[at]) == ("2", "h.1.mlp.2")
    bias = graph.nodes.ids.index("h.1/mlp/mlp.2/bias")
    assert graph.op(bias) == "Parameter", "in the group of the node that uses it"
    assert graph.nodes.attributes.of(bias) == {"name": "h.1.mlp.2.bias"}
    node = graph.nodes.ids.index("h.1/mlp/mlp.2/MatMul")
    assert graph.outputs(node) == [TensorType("float32", (2, 8, 16))]


def test_the_newer_exporter_names_modules_classes_and_lines() -> None:
    def node(op: str, inputs: list[str], output: str, scopes: str = "", classes: str = "") -> onnx.NodeProto:
        made = helper.make_node(op, inputs, [output], name=f"node_{output}")
        trace = 'File "/home/me/model.py", line 71, in forward\n  x\nFile "/x/site-packages/torch/nn/linear.py", line 1'
        properties = {"name_scopes": scopes, "class_hierarchy": classes, "stack_trace": trace}
        for key, value in properties.items() if scopes else ():
            made.metadata_props.add(key=f"pkg.torch.onnx.{key}", value=value)
        return made

    scopes, classes = "['', 'h.0', 'h.0.fc', 'linear']", "['m.GPT', 'm.Block', 'torch.nn.Linear', 'aten.linear']"
    graph = read(
        model(
            node("MatMul", ["x", "h.0.fc.weight"], "a", scopes, classes),
            node("Split", ["a"], "b"),
            node("Relu", ["b"], "y", "['', 'h.0', 'relu']", "['m.GPT', 'm.Block', 'aten.relu']"),
            weights=(numpy_helper.from_array(np.ones((4, 4), np.float32), "h.0.fc.weight"),),
        )
    )
    assert graph.nodes.ids == [
        "x",
        "GPT/ModuleList[h]/Block[0]/Linear[fc]/weight",
        "GPT/ModuleList[h]/Block[0]/Linear[fc]/node_a",
        "GPT/ModuleList[h]/Block[0]/node_b",
        "GPT/ModuleList[h]/Block[0]/node_y",
        "output y",
    ], "a node without a module is in the group that its neighbours have in common"
    assert graph.nodes.sources[2] == "model.py:71"
    assert graph.groups.layers[graph.groups.ids.index("GPT/ModuleList[h]/Block[0]/Linear[fc]/")] == "h.0.fc"


@pytest.mark.parametrize("name", MODELS)
def test_shapes_that_the_file_leaves_out_are_those_of_onnx(name: str, files: dict[str, bytes]) -> None:
    source = onnx.load_from_string(files[name])
    assert not source.graph.value_info
    inferred = onnx.shape_inference.infer_shapes(source, data_prop=True).graph
    expected = {
        info.name: value_type(OnnxValueInfo.FromString(info.SerializeToString())) for info in inferred.value_info
    }
    types = {info.name: value_type(info) for info in OnnxModel.FromString(files[name]).graph.input}
    graph = OnnxModel.FromString(files[name]).graph
    infer_types(graph.node, graph.initializer, types)
    assert {value: types.get(value) for value in expected} == expected


def test_rules_of_shapes() -> None:
    """The same nodes through onnx's inference and through ours."""
    ints = {
        "axes": [1],
        "two": [2],
        "parts": [1, 3],
        "target": [0, -1],
        "start": [1],
        "end": [-1],
        "big": [3, 1, 4],
        "zeros": [0, 0, -1],
    }
    weights = [numpy_helper.from_array(np.array(values, np.int64), name) for name, values in ints.items()]
    weights.append(numpy_helper.from_array(np.ones((6, 4, 3, 3), np.float32), "kernel"))
    weights.append(numpy_helper.from_array(np.ones((4, 5), np.float32), "matrix"))
    weights.append(numpy_helper.from_array(np.ones((1, 24, 4), np.float32), "gates"))
    weights.append(numpy_helper.from_array(np.ones((1, 24, 6), np.float32), "states"))
    node = helper.make_node
    nodes = [
        node("Conv", ["image", "kernel"], ["1"], strides=[2, 2], pads=[1, 1, 1, 1]),
        node("Conv", ["image", "kernel"], ["2"], auto_pad="SAME_UPPER", dilations=[1, 1]),
        node("ConvTranspose", ["1", "kernel"], ["3"], strides=[2, 2], output_padding=[1, 1], group=2),
        node("MaxPool", ["image"], ["4"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
        node("GlobalAveragePool", ["image"], ["5"]),
        node("Flatten", ["5"], ["6"]),
        node("Gemm", ["x", "matrix"], ["7"]),
        node("Gemm", ["x", "x"], ["8"], transA=1),
        node("Unsqueeze", ["x", "axes"], ["9"]),
        node("Squeeze", ["9", "axes"], ["10"]),
        node("Expand", ["9", "big"], ["11"]),
        node("Split", ["x", "parts"], ["12", "13"], axis=1),
        node("Split", ["x"], ["14", "15"], axis=1, num_outputs=2),
        node("Slice", ["x", "start", "end", "axes"], ["16"]),
        node("ReduceMean", ["image", "two"], ["17"], keepdims=0),
        node("ReduceSum", ["image"], ["18"]),
        node("Concat", ["x", "x"], ["19"], axis=-1),
        node("Reshape", ["image", "target"], ["20"]),
        node("Transpose", ["image"], ["21"], perm=[0, 2, 3, 1]),
        node("Gather", ["matrix", "parts"], ["22"], axis=1),
        node("MatMul", ["9", "matrix"], ["23"]),
        node("Equal", ["x", "10"], ["24"]),
        node("Where", ["24", "x", "10"], ["25"]),
        node("Cast", ["x"], ["26"], to=TensorProto.FLOAT16),
        node("Shape", ["image"], ["27"]),
        node("Gather", ["27", "two"], ["28"]),
        node("Mul", ["28", "two"], ["29"]),
        node("Div", ["29", "two"], ["30"]),
        node("Concat", ["30", "two", "parts"], ["31"], axis=0),
        node("LSTM", ["sequence", "gates", "states"], ["32", "33", "34"], hidden_size=6),
        node("Reshape", ["32", "zeros"], ["35"]),
    ]
    inputs = [tensor("image", 2, 4, 9, 8), tensor("x", 3, 4), tensor("sequence", 5, 2, 4)]
    made = helper.make_model(helper.make_graph(nodes, "g", inputs, [], weights))
    inferred = onnx.shape_inference.infer_shapes(made, strict_mode=True, data_prop=True).graph.value_info
    expected = {info.name: value_type(OnnxValueInfo.FromString(info.SerializeToString())) for info in inferred}
    assert len(expected) == 35
    graph = OnnxModel.FromString(made.SerializeToString()).graph
    types = {info.name: value_type(info) for info in graph.input}
    infer_types(graph.node, graph.initializer, types)
    assert {value: types.get(value) for value in expected} == expected


def test_subgraphs_and_functions_are_groups() -> None:
    branch = helper.make_graph([helper.make_node("Neg", ["x"], ["n"], name="neg")], "then", [], [tensor("n", 4)])
    body = helper.make_graph(
        [helper.make_node("Add", ["carried", "x"], ["sum"], name="add")],
        "body",
        [helper.make_tensor_value_info("i", TensorProto.INT64, []), tensor("go", 1), tensor("carried", 4)],
        [tensor("go", 1), tensor("sum", 4)],
    )
    function = helper.make_function(
        "my", "Twice", ["a"], ["c"],
        [helper.make_node("Relu", ["a"], ["b"], name="r1"), helper.make_node("Relu", ["b"], ["c"], name="r2")],
        [helper.make_opsetid("", 20)],
    )  # fmt: skip
    graph = read(
        model(
            helper.make_node("If", ["x"], ["a"], name="if", then_branch=branch),
            helper.make_node("Loop", ["", "x", "a"], ["b"], name="loop", body=body),
            helper.make_node("Twice", ["b"], ["y"], name="twice", domain="my"),
            functions=[function],
        )
    )
    edges = edges_of(graph)
    assert {("x", "if/then_branch/neg"), ("if/then_branch/neg", "if")} <= set(edges)
    assert {("if", "loop/body/carried"), ("loop/body/carried", "loop/body/add"), ("loop/body/add", "loop")} <= set(
        edges
    )
    assert {("loop", "twice/r1"), ("twice/r1", "twice/r2"), ("twice/r2", "twice")} <= set(edges)
    assert graph.op(graph.nodes.ids.index("twice")) == "my.Twice"
    assert graph.groups.types[graph.groups.ids.index("twice/")] == "Twice"
    assert graph.problems == ()


def test_attributes_small_constants_and_large_ones() -> None:
    graph = read(
        model(
            helper.make_node("Constant", [], ["c"], name="c", value=numpy_helper.from_array(np.array([2, 3]))),
            helper.make_node("Constant", [], ["l"], name="l", value=numpy_helper.from_array(np.ones((99, 9)))),
            helper.make_node("Conv", ["x", "c"], ["y"], name="conv", pads=[1, 2], auto_pad="SAME", alpha=0.5),
            helper.make_node("Many", ["y"], ["z"], name="many", numbers=[0.5] * 5000),
        )
    )
    assert graph.nodes.attributes.of(graph.nodes.ids.index("c")) == {"value": [2, 3]}
    large = graph.nodes.attributes.of(graph.nodes.ids.index("l"))["value"]
    assert large == Large(text="float64 tensor, shape 99×9", bytes=99 * 9 * 8)
    attributes = graph.nodes.attributes.of(graph.nodes.ids.index("conv"))
    assert attributes == {"pads": [1, 2], "auto_pad": "SAME", "alpha": 0.5}
    many = graph.nodes.attributes.of(graph.nodes.ids.index("many"))
    assert many == {"numbers": Large(text="5,000 floats", bytes=20_000)}


def test_the_numbers_of_large_tensors_are_left_out_before_parsing() -> None:
    weight = numpy_helper.from_array(np.zeros((512, 1024), np.float32), "w")
    constant = helper.make_node("Constant", [], ["c"], name="c", value=weight)
    branch = helper.make_graph([constant], "then", [], [tensor("c", 4)], [weight])
    data = model(helper.make_node("If", ["x"], ["y"], name="if", then_branch=branch), constant, weights=(weight,))
    slim = slim_model(data)
    assert len(data) > 8_000_000 > 2000 > len(slim)
    read_back = onnx.load_from_string(slim)
    assert list(read_back.graph.initializer[0].dims) == [512, 1024]
    graph = read(data)
    assert graph.nodes.parameters.sum() == 2 * 512 * 1024
    assert len(graph.nodes) == 7


def test_external_data_is_named_and_not_opened() -> None:
    weight = TensorProto(name="w", dims=[4, 4], data_type=TensorProto.FLOAT, data_location=TensorProto.EXTERNAL)
    weight.external_data.add(key="location", value="../../etc/passwd")
    graph = read(model(helper.make_node("MatMul", ["x", "w"], ["y"], name="m"), weights=(weight,)))
    assert graph.nodes.attributes.of(graph.nodes.ids.index("w"))["file"] == "../../etc/passwd"
    assert graph.problems == (), "nothing of the picture is missing"
    assert graph.nodes.parameters.sum() == 16


def test_sizes_in_another_file_are_a_problem_where_shapes_follow_from_them() -> None:
    sizes = TensorProto(name="s", dims=[2], data_type=TensorProto.INT64, data_location=TensorProto.EXTERNAL)
    sizes.external_data.add(key="location", value="w.bin")
    reshape = helper.make_node("Reshape", ["x", "s"], ["r"], name="r")
    graph = read(model(reshape, helper.make_node("Relu", ["r"], ["y"]), weights=(sizes,)))
    assert graph.problems == ("some shapes are not known: 1 tensor of sizes is in another file, not read: 'w.bin'",)
    stated = read(model(helper.make_node("Reshape", ["x", "s"], ["y"], name="r"), weights=(sizes,)))
    assert stated.problems == (), "the file states the shape itself"


def test_bad_models_are_shown_with_their_problems() -> None:
    nodes = [
        helper.make_node("Relu", ["b"], ["a"], name="same"),
        helper.make_node("Relu", ["a"], ["b"], name="same"),
        helper.make_node("Relu", ["nowhere", "x"], ["y"], name="<script>//😀^x:0"),
        helper.make_node("Relu", ["y"], ["z"]),
    ]
    graph = read(model(*nodes))
    assert ("same", "same#2") in edges_of(graph) and ("same#2", "same") in edges_of(graph), "a cycle"
    assert len(graph.problems) == 2
    assert "Relu z" in graph.nodes.labels


def test_functions_that_call_one_another_end() -> None:
    opset = [helper.make_opsetid("", 20)]
    calls = [helper.make_node("F", ["a"], ["b"], name=f"call {at}", domain="my") for at in range(3)]
    function = helper.make_function("my", "F", ["a"], ["b"], calls, opset)
    graph = read(model(helper.make_node("F", ["x"], ["y"], name="f", domain="my"), functions=[function]))
    assert len(graph.nodes) < 300_000
    assert "calls of the function 'F' are shown without its nodes" in graph.problems[0]


def test_what_is_no_model_is_an_error(files: dict[str, bytes]) -> None:
    for data in (
        b"",
        b"\x08\x07",
        b"\x08\xff",
        b"hello",
        b"\x3a\xff\xff\xff\xff\x0f",
        bytes(200_000),
        b"\xff" * 100_000,
    ):
        with pytest.raises(GraphError):
            read(data)
    for end in range(1, len(files["gpt"]), 4999):
        try:
            read(files["gpt"][:end])
        except GraphError:
            continue


def test_deep_nesting_is_an_error() -> None:
    graph = helper.make_graph([], "g", [], [])
    for at in range(25):
        graph = helper.make_graph(
            [helper.make_node("If", ["x"], ["y"], name=f"if{at}", then_branch=graph)], "g", [], []
        )
    with pytest.raises(GraphError, match="subgraphs are nested more than 20 deep"):
        read(helper.make_model(graph).SerializeToString())
    data = b""
    for _ in range(3000):  # graph → node → attribute → graph
        for number in (6, 5, 1):
            data = bytes([number << 3 | 2]) + _length(len(data)) + data
    with pytest.raises(GraphError):
        read(b"\x3a" + _length(len(data)) + data)


def _length(value: int) -> bytes:
    found = b""
    while value > 0x7F:
        found, value = found + bytes([value & 0x7F | 0x80]), value >> 7
    return found + bytes([value])
