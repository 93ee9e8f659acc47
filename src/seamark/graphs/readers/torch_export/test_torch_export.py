"""Files of torch.export, written by torch."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
import torch
from torch import nn

from seamark.graphs.form import Graph, GraphError, TensorType
from seamark.graphs.readers.torch_export import from_torch_export
from seamark.graphs.test_support import edges_of, exported_file, torch_models, zipped

MODELS = torch_models()


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {name: exported_file(model, example) for name, (model, example) in MODELS.items()}


def program_of(data: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(BytesIO(data)) as archive:
        name = next(name for name in archive.namelist() if name.endswith("models/model.json"))
        found: dict[str, Any] = json.loads(archive.read(name))
    return found


def read(data: bytes) -> Graph:
    return from_torch_export(data, title="model.pt2")


def changed(data: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    program = program_of(data)
    change(program)
    return zipped({"model/models/model.json": json.dumps(program).encode()})


@pytest.mark.parametrize("name", MODELS)
def test_every_node_edge_and_parameter_of_a_model_is_there(name: str, files: dict[str, bytes]) -> None:
    model = MODELS[name][0]
    program = program_of(files[name])["graph_module"]["graph"]
    graph = read(files[name])
    assert graph.problems == ()
    assert graph.facts["producer"] == f"torch {torch.__version__}"
    assert graph.nodes.parameters.sum() == sum(p.numel() for p in model.parameters())
    assert graph.nodes.trainable_parameters.sum() == sum(p.numel() for p in model.parameters() if p.requires_grad)
    ops = [graph.op(node) for node in range(len(graph.nodes))]
    assert [op for op in ops if op.startswith("aten.")] == [
        node["target"].removeprefix("torch.ops.") for node in program["nodes"]
    ]
    assert ops.count("Parameter") == len(list(model.parameters()))
    assert ops.count("Input") == ops.count("Output") == 1
    tensors = sum(
        ("as_tensor" in named["arg"]) + len(named["arg"].get("as_tensors") or ())
        for node in program["nodes"]
        for named in node["inputs"]
    )
    assert len(graph.edges) == tensors + len(program["outputs"])


def test_groups_are_modules_with_their_class_and_name(files: dict[str, bytes]) -> None:
    groups = read(files["gpt"]).groups
    at = groups.ids.index("GPT/ModuleList[h]/Block[1]/SelfAttention[attn]/Linear[c_proj]/")
    assert (groups.labels[at], groups.types[at], groups.layers[at]) == ("c_proj", "Linear", "h.1.attn.c_proj")
    assert groups.types[groups.ids.index("GPT/")] == "GPT"
    top = [label for label, parent in zip(groups.labels, groups.parents, strict=True) if parent == 1]
    assert top == ["wte", "wpe", "h", "ln_f", "lm_head"], "in the order in which they run"


def test_nodes_have_shapes_arguments_and_source_lines(files: dict[str, bytes]) -> None:
    graph = read(files["gpt"])
    node = graph.nodes.ids.index("GPT/ModuleList[h]/Block[1]/SelfAttention[attn]/split_1")
    assert graph.outputs(node) == [TensorType("float32", (2, 8, 16))] * 3
    assert graph.nodes.attributes.of(node) == {"split_size": 16, "dim": 2}
    assert graph.nodes.sources[node].startswith("test_support.py:")
    norm = graph.nodes.ids.index("GPT/LayerNorm[ln_f]/layer_norm_6")
    assert graph.nodes.sources[norm].startswith("test_support.py:"), "not the line inside torch"


def test_a_tied_parameter_is_one_node_for_both_layers(files: dict[str, bytes]) -> None:
    graph = read(files["gpt"])
    weight = graph.nodes.ids.index("GPT/Embedding[wte]/weight")
    assert graph.nodes.attributes.of(weight) == {"name": "wte.weight", "also": "lm_head.weight"}
    used = [target for source, target in edges_of(graph) if source == "GPT/Embedding[wte]/weight"]
    assert [one.rpartition("/")[0] for one in used] == ["GPT/Embedding[wte]", "GPT/Linear[lm_head]"]


class Repeated(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.parts = nn.ModuleDict({"a": nn.Linear(4, 4)})

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.lin(self.parts["a"](self.lin(x)))
        out: torch.Tensor = torch.cond(y.sum() > 0, lambda a: a + 1, lambda a: a * 2, (y,))
        return out


def test_second_calls_branches_and_open_sizes() -> None:
    file = BytesIO()
    batch = torch.export.Dim("batch")
    program = torch.export.export(Repeated(), (torch.zeros(2, 4),), dynamic_shapes=({0: batch},))
    torch.export.save(program, file)
    graph = read(file.getvalue())
    assert "Repeated/Linear[lin@1]/" in graph.groups.ids, "the second call is a group of its own"
    assert graph.groups.layers[graph.groups.ids.index("Repeated/Linear[lin@1]/")] == "lin"
    assert "Repeated/Module[parts]/Linear[a]/" in graph.groups.ids
    assert ("Repeated/cond/true_graph_0/add", "Repeated/cond") in edges_of(graph)
    assert ("Repeated/Linear[lin@1]/linear_2", "Repeated/cond/true_graph_0/add") in edges_of(graph)
    assert graph.outputs(graph.nodes.ids.index("input/x")) == [TensorType("float32", (-1, 4))]
    assert graph.nodes.parameters.sum() == 40


def test_weights_are_never_opened(files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(BytesIO(files["gpt"])) as archive:
        kept = {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}
        others = {name: b"not a pickle" for name in archive.namelist() if not name.endswith(".json")}
    assert read(zipped({**kept, **others})).nodes.ids == read(files["gpt"]).nodes.ids


def test_a_package_of_named_programs(files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(BytesIO(files["gpt"])) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name.endswith(".json")}
    named = {
        name.replace("model.json", "gpt.json").replace("model_weights", "gpt_weights"): data
        for name, data in members.items()
    }
    graph = read(zipped(named))
    assert graph.nodes.ids == read(files["gpt"]).nodes.ids, "with its tied weights"


def test_the_file_of_older_versions(files: dict[str, bytes]) -> None:
    data = json.dumps(program_of(files["bert"])).encode()
    assert len(read(zipped({"serialized_exported_program.json": data})).nodes) == len(read(files["bert"]).nodes)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"PK\x03\x04", "not a complete zip file"),
        (zipped({"other.txt": b""}), "no 'models/model.json'"),
        (zipped({"m/models/model.json": b"{"}), "is not the program"),
        (zipped({"m/models/model.json": b'{"graph_module": 3}'}), "is not the program"),
        (zipped({"m/models/model.json": b"[" * 100_000}), "is not the program"),
        (zipped({"m/models/model.json": b'{"graph_module": ' * 10_000}), "is not the program"),
    ],
)
def test_what_is_no_program_is_an_error(data: bytes, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        read(data)


def test_every_truncation_is_an_error(files: dict[str, bytes]) -> None:
    for end in range(0, len(files["gpt"]), 9973):
        with pytest.raises(GraphError):
            read(files["gpt"][:end])


def test_dangling_inputs_and_odd_sizes_are_problems_not_errors(files: dict[str, bytes]) -> None:
    def change(program: dict[str, Any]) -> None:
        graph = program["graph_module"]["graph"]
        graph["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "nowhere"}}
        graph["tensor_values"]["p_wpe_weight"]["sizes"] = [{"as_int": 10**30}, {"as_int": -5}]
        graph["nodes"][1]["inputs"].append({"name": "huge", "arg": {"as_int": 10**30}})

    graph = read(changed(files["gpt"], change))
    assert graph.problems == ("1 input names a node that does not exist: 'nowhere'",)


def test_hostile_names_stay_text(files: dict[str, bytes]) -> None:
    def change(program: dict[str, Any]) -> None:
        node = program["graph_module"]["graph"]["nodes"][0]
        node["name"] = "<script>//😀^x:0/" + "a" * 5000
        node["metadata"]["nn_module_stack"] = ";".join(f"k,{'m.' * 200}{at},<b>/x" for at in range(3))

    graph = read(changed(files["gpt"], change))
    assert any("<script>" in label for label in graph.nodes.labels)
    assert all(len(id) <= 2000 for id in graph.nodes.ids)
    assert "nested too deeply" in graph.problems[0]
