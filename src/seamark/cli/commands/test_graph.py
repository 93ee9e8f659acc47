from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from seamark import SummaryWriter
from seamark.cli import main
from seamark.graphs.readers.keras.test_keras import shared_layer_model
from seamark.graphs.test_support import GPT, exported_file, keras_file, zipped


@pytest.fixture(scope="module")
def exported() -> bytes:
    return exported_file(GPT().eval(), torch.zeros(2, 8, dtype=torch.long))


def test_the_layers_of_a_file(tmp_path: Path, exported: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gpt.pt2").write_bytes(exported)
    assert main(["graph", str(tmp_path / "gpt.pt2")]) == 0
    lines = capsys.readouterr().out.splitlines()
    parameters = sum(p.numel() for p in GPT().parameters())
    assert lines[0].startswith(f"gpt.pt2: torch.export, torch {torch.__version__}, ")
    assert lines[2].split() == ["layer", "type", "output", "shape", "parameters", "multiply-adds", "activations"]
    assert lines[3].split()[:4] == ["GPT", "GPT", "2×8×50", f"{parameters:,}"]
    assert "      h.0.ln_1" in "\n".join(lines), "indented by depth"
    assert f"parameters     {parameters:,}" in lines
    assert main(["graph", "--summary", str(tmp_path / "gpt.pt2")]) == 0
    assert capsys.readouterr().out.splitlines() == lines


# A model that was saved before it was built: its layers have no shapes.
UNBUILT = {
    "class_name": "Sequential",
    "keras_version": "2.12.0",
    "config": {"name": "m", "layers": [{"class_name": "Dense", "config": {"name": "d", "units": 3}}]},
}


def test_what_is_not_trainable_and_open_batches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "m.keras").write_bytes(keras_file(shared_layer_model()))
    assert main(["graph", str(tmp_path / "m.keras")]) == 0
    out = capsys.readouterr().out
    assert "m.keras: Keras 3.15.1, 9 nodes, 9 edges" in out
    assert "trainable" in out.splitlines()[2]
    assert "parameters     275 (34 not trainable)" in out
    assert "multiply-adds  280 for one example" in out
    (tmp_path / "unknown.json").write_text(json.dumps(UNBUILT))
    assert main(["graph", str(tmp_path / "unknown.json")]) == 0
    out = capsys.readouterr().out
    assert "parameters     not known" in out
    assert "trainable" not in out, "how many are trained is not known either"


def test_json_is_read_again(tmp_path: Path, exported: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "gpt.pt2").write_bytes(exported)
    assert main(["graph", "--json", str(tmp_path / "gpt.pt2")]) == 0
    text = capsys.readouterr().out
    assert json.loads(text)["graphs"][0]["nodes"][0]["id"] == "GPT/Embedding[wte]/weight"
    (tmp_path / "copy.json").write_text(text)
    assert main(["graph", str(tmp_path / "copy.json")]) == 0
    copied = capsys.readouterr().out
    assert main(["graph", str(tmp_path / "gpt.pt2")]) == 0
    assert capsys.readouterr().out == copied


def test_the_graphs_of_runs(tmp_path: Path, exported: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with SummaryWriter(str(tmp_path / "first")) as writer:
        writer.add_graph(GPT().eval(), torch.zeros(2, 8, dtype=torch.long))
    with SummaryWriter(str(tmp_path / "second")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    (tmp_path / "second" / "gpt.pt2").write_bytes(exported)
    assert main(["graph", "--logdir", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "first, run_graph: GraphDef, " in out
    assert "second, file:gpt.pt2: torch.export, " in out
    assert main(["graph", str(tmp_path), "--run", "first"]) == 0
    assert "second" not in capsys.readouterr().out
    assert main(["graph", "--logdir", str(tmp_path), "--json"]) == 1
    assert "choose one with --run and --tag" in capsys.readouterr().err
    assert main(["graph", "--logdir", str(tmp_path), "--json", "--tag", "file:"]) == 0
    assert json.loads(capsys.readouterr().out)["label"] == "gpt.pt2"
    assert main(["graph", "--logdir", str(tmp_path), "--run", "third"]) == 1
    assert capsys.readouterr().err == "seamark graph: no graph found\n"


def test_a_graph_that_cannot_be_read_does_not_stop_the_others(
    tmp_path: Path, exported: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    with SummaryWriter(str(tmp_path / "run")) as writer:
        writer.add_scalar("loss", 1.0, 0)
    (tmp_path / "run" / "bad.pt2").write_bytes(zipped({"x": b""}))
    (tmp_path / "run" / "gpt.pt2").write_bytes(exported)
    assert main(["graph", "--logdir", str(tmp_path)]) == 1
    out, err = capsys.readouterr()
    assert "run, file:gpt.pt2: torch.export, " in out
    assert err.startswith("seamark graph: the file has no 'models/model.json'") and err.count("\n") == 1


def test_errors_are_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.pt2").write_bytes(zipped({"x": b""}))
    assert main(["graph", str(tmp_path / "bad.pt2")]) == 1
    err = capsys.readouterr().err
    assert err.startswith("seamark graph: the file has no 'models/model.json'") and err.count("\n") == 1
    assert main(["graph", str(tmp_path / "missing.onnx")]) == 1
    assert capsys.readouterr().err.startswith("seamark graph: No such file or directory: '")
    assert main(["graph"]) == 2
    assert main(["graph", str(tmp_path / "bad.pt2"), "--logdir", str(tmp_path)]) == 2
    assert main(["graph", "--logdir", str(tmp_path / "nowhere")]) == 1
    assert "no such log directory" in capsys.readouterr().err
