"""Files in any format: the choice of a reader, Model Explorer JSON, and bytes that nobody meant to be a graph."""

from __future__ import annotations

import json
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.graphs import readers
from seamark.graphs.attributes import Large
from seamark.graphs.builder import GraphBuilder
from seamark.graphs.costs import costs_of
from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.layers import layers_table
from seamark.graphs.readers import read_bytes, read_file
from seamark.graphs.readers.keras.test_keras import shared_layer_model
from seamark.graphs.readers.model_explorer import from_model_explorer, to_model_explorer
from seamark.graphs.test_support import GPT, edges_of, exported_file, keras_file, onnx_file, zipped


def graph_with_everything() -> Graph:
    builder = GraphBuilder("model 😀", "torch_export")
    builder.groups.describe("GPT/Block[0]", label="zero", type="Block", layer="h.0")
    builder.facts.update(producer="torch 2.13", opset=20)
    builder.add_problem("something is missing")
    attributes = {"text": "a", "digits": "12", "flag": "true", "int": 3, "float": 0.5, "list": [1, [2.5, "x"]], "yes": True,
                  "large": Large("float32 tensor", 10**9), "brace": "{}", "none": None, "infinite": [float("-inf")], "nan": "NaN"}  # fmt: skip
    first = builder.add_node(
        "GPT/Block[0]/a",
        op="aten.linear.default",
        label="<script>",
        attributes=attributes,
        outputs=[
            TensorType("float32", (2, -1)),
            TensorType("", None),
            TensorType("int64", ()),
            TensorType("bool", None),
        ],
        device="cuda:0",
        source="model.py:71",
        parameters=100,
        trainable_parameters=40,
    )
    second = builder.add_node("b", op="")
    builder.add_edge(first, second, output=2)
    builder.add_edge(first, second, is_control=True)
    builder.add_edge(second, first)
    return builder.build()


def assert_same(one: Graph, other: Graph) -> None:
    assert (one.title, one.format, one.facts, one.problems) == (other.title, other.format, other.facts, other.problems)
    assert (one.nodes.ids, one.nodes.labels, one.nodes.sources) == (
        other.nodes.ids,
        other.nodes.labels,
        other.nodes.sources,
    )
    assert (one.groups.ids, one.groups.labels) == (other.groups.ids, other.groups.labels)
    assert (one.groups.types, one.groups.layers) == (other.groups.types, other.groups.layers)
    for column in ("groups", "parameters", "trainable_parameters"):
        assert getattr(one.nodes, column).tolist() == getattr(other.nodes, column).tolist()
    for column in ("sources", "targets", "source_outputs", "is_control"):
        assert getattr(one.edges, column).tolist() == getattr(other.edges, column).tolist()
    for node in range(len(one.nodes)):
        assert (one.op(node), one.outputs(node)) == (other.op(node), other.outputs(node))
        # As text, in which NaN equals NaN.
        assert repr(one.nodes.attributes.of(node)) == repr(other.nodes.attributes.of(node))
        assert one.nodes.device_names[one.nodes.devices[node]] == other.nodes.device_names[other.nodes.devices[node]]


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    model, example = GPT(blocks=1).eval(), torch.zeros(2, 8, dtype=torch.long)
    exported = exported_file(model, example)
    with zipfile.ZipFile(BytesIO(exported)) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}
    small = zipped(members)
    return {
        "model.pt2": small,
        "model.onnx": onnx_file(model, example),
        "model.keras": keras_file(shared_layer_model()),
        "keras.json": json.dumps(shared_layer_model()).encode(),
        "explorer.json": to_model_explorer(graph_with_everything()),
    }


def test_model_explorer_json_keeps_everything(files: dict[str, bytes]) -> None:
    graph = graph_with_everything()
    assert_same(graph, from_model_explorer(to_model_explorer(graph), title="other"))
    for name, data in files.items():
        graph = read_bytes(data, name)
        assert_same(graph, read_bytes(to_model_explorer(graph), "copy.json"))


def test_model_explorer_json_of_others() -> None:
    nodes = [
        {"id": "0", "label": "tfl.conv_2d", "namespace": "model/conv", "attrs": [{"key": "stride", "value": "2"}],
         "outputsMetadata": [{"id": "out", "attrs": [{"key": "tensor_shape", "value": "float32[1,8,?]"}]}],
         "style": {"backgroundColor": "red"}},
        {"id": "1", "label": "tfl.add", "incomingEdges": [
            {"sourceNodeId": "0", "sourceNodeOutputId": "out", "targetNodeInputId": "0"}, {"sourceNodeId": "9"}]},
    ]  # fmt: skip
    data = json.dumps({"graphCollections": [{"label": "c", "graphs": [{"id": "main", "nodes": nodes}]}]}).encode()
    graph = from_model_explorer(data, title="model.json")
    assert (graph.title, graph.format) == ("model.json", "model_explorer")
    assert [graph.op(0), graph.op(1)] == ["tfl.conv_2d", "tfl.add"]
    assert graph.groups.ids == ["/", "model/", "model/conv/"]
    assert graph.outputs(0) == [TensorType("float32", (1, 8, -1))]
    assert graph.nodes.attributes.of(0) == {"stride": "2"}
    assert edges_of(graph) == [("0", "1")]
    assert graph.problems == ("1 input names a node that does not exist: '9'",)
    two = json.dumps({"graphs": [{"id": "a", "nodes": nodes}, {"id": "b", "nodes": nodes}]}).encode()
    assert from_model_explorer(two, title="").nodes.ids == ["a/0", "a/1", "b/0", "b/1"], "side by side"


def test_ten_thousand_levels_are_joined() -> None:
    nodes = [{"id": "a", "namespace": "/".join(f"level{at}" for at in range(10_000))}, {"id": "b/" * 10_000}]
    graph = from_model_explorer(json.dumps({"graphs": [{"id": "g", "nodes": nodes}]}).encode(), title="")
    assert len(graph.groups) == 65
    assert graph.problems == ("1 node is nested too deeply; its innermost groups are joined",)


def test_the_format_is_found_by_the_ending_or_by_the_content(files: dict[str, bytes], tmp_path: Path) -> None:
    for name, data in files.items():
        expected = read_bytes(data, name)
        assert read_bytes(data, "no_ending").nodes.ids == expected.nodes.ids
        (tmp_path / name).write_bytes(data)
        assert read_file(tmp_path / name).title in (name, "model 😀")


def test_files_that_are_no_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(
        GraphError, match=r"the file is in no format that can be read; these can: GraphDef \(.pb.*: 'notes.txt'"
    ):
        read_bytes(b"hello", "notes.txt")
    with pytest.raises(GraphError, match=r"the file is empty: 'model.onnx'"):
        read_bytes(b"", "model.onnx")
    with pytest.raises(GraphError, match=r"neither a graph of Model Explorer nor a Keras model: 'package.json'"):
        read_bytes(b'{"name": "x"}', "package.json")
    for data in (b"[" * 10_000, b'{"graphs":' * 10_000, b'{"graphs": 3}', b"{", b'"x"', b"\xff\xfe{}"):
        with pytest.raises(GraphError):
            read_bytes(data, "x.json")
    (tmp_path / "empty.pt2").write_bytes(b"")
    with pytest.raises(GraphError, match=r"the file is empty: 'empty.pt2'"):
        read_file(tmp_path / "empty.pt2")
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "missing.pt2")
    monkeypatch.setattr(readers, "MAX_FILE_BYTES", 10)
    (tmp_path / "large.onnx").write_bytes(bytes(11))
    with pytest.raises(GraphError, match=r"more than the limit of 2 GiB: 'large.onnx'"):
        read_file(tmp_path / "large.onnx")
    (tmp_path / "large.keras").write_bytes(keras_file(shared_layer_model()))
    assert len(read_file(tmp_path / "large.keras").nodes) == 9, "of an archive, only the graph is read"


def look_at(data: bytes, name: str) -> None:
    """Reads and measures a graph. Only GraphError may happen."""
    try:
        graph = read_bytes(data, name)
    except GraphError:
        return
    assert len(layers_table(graph, costs_of(graph)).ids) <= len(graph.nodes) + len(graph.groups)
    copied = from_model_explorer(to_model_explorer(graph), title="copy")
    assert (copied.nodes.ids, len(copied.edges)) == (graph.nodes.ids, len(graph.edges))


EDITS = st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4), st.integers(0, 8)), max_size=6)
FUZZ = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def edited(data: bytes, edits: list[tuple[float, bytes, int]]) -> bytes:
    """Replaces bytes at relative positions with others, of which there may be more or fewer."""
    for position, new, removed in edits:
        at = int(position * len(data))
        data = data[:at] + new + data[at + removed :]
    return data


@FUZZ
@given(edits=EDITS, end=st.floats(0, 1))
@pytest.mark.parametrize("name", ["model.pt2", "model.onnx", "model.keras", "keras.json", "explorer.json"])
def test_any_bytes_are_a_graph_or_a_graph_error(
    name: str, files: dict[str, bytes], edits: list[tuple[float, bytes, int]], end: float
) -> None:
    data = edited(files[name], edits)
    look_at(data, name)
    look_at(data[: int(end * len(data))], name)


JUNK: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
CHANGES = st.lists(st.tuples(st.integers(0, 10**9), JUNK), min_size=1, max_size=5)


def positions(value: Any, found: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where another value can be put."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found.append((value, key))
        positions(inner, found)
    return found


def with_changes(data: bytes, changes: list[tuple[int, Any]]) -> bytes:
    model = json.loads(data)
    for choice, new in changes:
        found = positions(model, [])
        if found:
            holder, key = found[choice % len(found)]
            holder[key] = new
    return json.dumps(model).encode()


@FUZZ
@given(changes=CHANGES)
@pytest.mark.parametrize("name", ["keras.json", "explorer.json"])
def test_any_values_in_json_are_a_graph_or_a_graph_error(
    name: str, files: dict[str, bytes], changes: list[tuple[int, Any]]
) -> None:
    look_at(with_changes(files[name], changes), name)


@FUZZ
@given(changes=CHANGES)
def test_any_values_in_a_program_are_a_graph_or_a_graph_error(
    files: dict[str, bytes], changes: list[tuple[int, Any]]
) -> None:
    with zipfile.ZipFile(BytesIO(files["model.pt2"])) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    program = next(name for name in members if name.endswith("model.json"))
    members[program] = with_changes(members[program], changes)
    look_at(zipped(members, zipfile.ZIP_STORED), "model.pt2")
