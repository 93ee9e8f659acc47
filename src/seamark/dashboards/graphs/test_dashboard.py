"""The routes of Graphs: graphs of event files and files, what is visible, overlays, uploads and bad requests."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from seamark import _core
from seamark.dashboards.graphs import answers, library
from seamark.dashboards.graphs.graph_ref import GraphRef
from seamark.format.messages import (
    AttrValue,
    DeviceStepStats,
    GraphDef,
    NodeDef,
    NodeExecStats,
    RunMetadata,
    StepStats,
    TensorShape,
)
from seamark.format.types import RunName
from seamark.kinds import keras_model, run_metadata
from seamark.kinds.event import graph_event, run_metadata_event, summary_event
from seamark.kinds.histogram import encode as encode_histogram
from seamark.kinds.scalar import encode as encode_scalar
from seamark.serve.app import create_app
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

ROOT = "/api/dashboards/graphs"
SHAPE = TensorShape(dim=[TensorShape.Dim(size=size) for size in (8, 32)])
FC = "Net/Linear[fc]"
SOURCE = {"source": AttrValue(s=b"model.py:7"), "code": AttrValue(s=b"self.fc(x)")}


def node(name: str, op: str, *inputs: str, **attributes: AttrValue) -> NodeDef:
    found = NodeDef(name=name, op=op, input=inputs, attr=attributes)
    found.attr["_output_shapes"].list.shape.append(SHAPE)
    return found


def network(*extra: NodeDef) -> GraphDef:
    return GraphDef(
        node=[
            node("input/x", "Input"),
            node(f"{FC}/weight", "Parameter", trainable=AttrValue(b=True)),
            node(f"{FC}/linear", "aten.linear.default", "input/x", f"{FC}/weight", **SOURCE),
            node("Net/ReLU[act]/relu", "aten.relu.default", f"{FC}/linear", note=AttrValue(s=b"<script>" * 500)),
            node("output/y", "Output", "Net/ReLU[act]/relu"),
            *extra,
        ]
    )


KERAS = (
    '{"class_name": "Sequential", "config": {"name": "seq", "layers": [{"class_name": "Dense", "config": '
    '{"name": "dense", "units": 4, "batch_input_shape": [null, 3], "dtype": "float32"}}]}}'
)


def shapes() -> RunMetadata:
    stats = NodeExecStats(node_name="a/x", all_end_rel_micros=3)
    stats.output.add(slot=0).tensor_description.shape.CopyFrom(SHAPE)
    return RunMetadata(step_stats=StepStats(dev_stats=[DeviceStepStats(device="/cpu:0", node_stats=[stats])]))


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    logs = tmp_path / "logs"
    costs = RunMetadata(
        step_stats=StepStats(
            dev_stats=[
                DeviceStepStats(
                    device="/cpu:0",
                    node_stats=[NodeExecStats(node_name=f"{FC}/linear", all_start_micros=5, all_end_rel_micros=70)],
                )
            ]
        )
    )
    with EventFile(logs / "a", wall_time=1000.0) as file:
        file.append(_core.frame(graph_event(network().SerializeToString(), wall_time=1000.0)))
        file.append(_core.frame(run_metadata_event("step 7", costs.SerializeToString(), wall_time=1000.0)))
        for step in range(5):
            value = encode_scalar("grad_norm/fc.weight", float("nan") if step == 3 else 1.0 + step)
            file.append(_core.frame(summary_event(value, step=step, wall_time=1000.0)))
    with EventFile(logs / "b", wall_time=1000.0) as file:
        changed = network(node("Net/extra", "aten.tanh.default", "output/y"))
        file.append(_core.frame(graph_event(changed.SerializeToString(), wall_time=1000.0)))
        file.append(_core.frame(summary_event(keras_model.encode(KERAS), step=0, wall_time=1000.0)))
        histogram = encode_histogram("dense/kernel/histogram", [1.0, 2.0])
        file.append(_core.frame(summary_event(histogram, step=0, wall_time=1000.0)))
    with EventFile(logs / "c", wall_time=1000.0) as file:
        for step, graph in (
            (3, network(node("Net/old", "Old"))),
            (7, GraphDef(node=[NodeDef(name="a/x", op="MatMul")])),
        ):
            file.append(_core.frame(graph_event(graph.SerializeToString(), wall_time=1000.0 + step, step=step)))
        file.append(_core.frame(run_metadata_event("trace", shapes().SerializeToString(), wall_time=1000.0)))
    with EventFile(logs / "d", wall_time=1000.0) as file:
        graph = GraphDef(node=[NodeDef(name="a/x", op="MatMul")])
        file.append(_core.frame(graph_event(graph.SerializeToString(), wall_time=1000.0)))
        file.append(_core.frame(run_metadata_event("trace", b"\xff" * 20, wall_time=1000.0)))
    (logs / "b" / "broken.onnx").write_bytes(b"\xff" * 40)
    (logs / "b" / "projector_config.pbtxt").write_text('embeddings { tensor_name: "w" }')  # no graph
    with (
        Store([LogRoot("", logs)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        yield client


def post(client: TestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = client.post(f"{ROOT}/{path}", json={"run": "a", "graph": "run_graph", **body})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def get(client: TestClient, path: str, **parameters: str) -> dict[str, Any]:
    answer = client.get(f"{ROOT}/{path}", params={"run": "a", "graph": "run_graph", **parameters})
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def test_graphs_of_events_and_files_are_listed(client: TestClient) -> None:
    listed = client.get(f"{ROOT}/graphs").json()["graphs"]
    assert {(entry["run"], entry["graph"]) for entry in listed} == {
        ("a", "run_graph"),
        ("b", "run_graph"),
        ("b", "keras:keras"),
        ("b", "file:broken.onnx"),
        ("c", "run_graph"),
        ("c", "run_graph:0"),
        ("d", "run_graph"),
    }
    assert listed[0]["profiles"] == [{"tag": "step 7", "step": 0}]


def test_run_metadata_is_listed_if_it_has_a_graph(tmp_path: Path) -> None:
    with_graph = RunMetadata(partition_graphs=[network()])
    with EventFile(tmp_path / "run", wall_time=1000.0) as file:
        file.append(_core.frame(graph_event(network().SerializeToString(), wall_time=1000.0)))
        for tag, message in (("costs", shapes()), ("both", with_graph)):
            value = run_metadata.encode(tag, message)
            file.append(_core.frame(summary_event(value, step=1, wall_time=1000.0)))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        listed, _ = library.GraphLibrary(store).listings()
    assert [(listing.ref.graph, [tag for tag, _ in listing.profiles]) for listing in listed] == [
        ("run_graph", ["both", "costs"]),
        ("profile:both", ["both"]),
    ]


def test_every_step_of_run_metadata_can_be_opened(tmp_path: Path) -> None:
    with EventFile(tmp_path / "run", wall_time=1000.0) as file:
        for step, name in ((3, "a"), (7, "b")):
            message = RunMetadata(partition_graphs=[GraphDef(node=[NodeDef(name=name, op="MatMul")])])
            value = run_metadata.encode("trace", message)
            file.append(_core.frame(summary_event(value, step=step, wall_time=1000.0)))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        found = library.GraphLibrary(store)
        opened = {listing.title: found.open(listing.ref).graph.nodes.ids for listing in found.listings()[0]}
        profiles = [step for listing in found.listings()[0] for _, step in listing.profiles]
    assert opened == {"trace, step 3": ["a"], "trace, step 7": ["b"]}
    assert profiles == [3, 7]


def test_a_graph_that_was_logged_again_has_another_version(client: TestClient) -> None:
    listed = client.get(f"{ROOT}/graphs").json()["graphs"]
    versions = {(entry["run"], entry["graph"]): entry["version"] for entry in listed}
    assert versions["c", "run_graph"] != versions["a", "run_graph"]


def test_parameters_that_are_not_known_are_null(tmp_path: Path) -> None:
    graph = GraphDef(node=[NodeDef(name="a/w", op="VariableV2"), NodeDef(name="a/x", op="Op", input=["a/w"])])
    with EventFile(tmp_path / "a", wall_time=1000.0) as file:
        file.append(_core.frame(graph_event(graph.SerializeToString(), wall_time=1000.0)))
    with (
        Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store,
        TestClient(create_app(store), base_url="http://localhost") as client,
    ):
        assert store.wait_loaded(30)
        view, details = post(client, "view", open=[]), get(client, "details", id="a/")
        totals = get(client, "layers")["totals"]
    assert (view["parameters"], view["has_unknown_parameters"], view["boxes"]["parameters"]) == (None, True, [None])
    assert (details["parameters"], details["has_unknown_parameters"]) == (None, True)
    assert (totals["parameters"], totals["has_unknown_parameters"]) == (None, True)


def test_a_view_has_columns_of_boxes_and_edges(client: TestClient) -> None:
    view = post(client, "view", open=["Net/"])
    assert view["boxes"]["label"] == ["input", "Net", "output", "fc", "act"]
    assert view["boxes"]["parent"] == [-1, -1, -1, 1, 1]
    assert view["boxes"]["parameters"][3] == 8 * 32
    assert (view["nodes"], view["edge_count"], view["parameters"]) == (5, 4, 256)
    pairs = list(zip(view["edges"]["source"], view["edges"]["target"], view["edges"]["shape"], strict=True))
    assert pairs == [(0, 3, "8×32"), (3, 4, "8×32"), (4, 2, "8×32")]
    assert [fold["name"] for fold in view["folds"]] == ["parameters"]
    assert post(client, "view", open=None)["open"] == ["Net/"]


def test_a_graph_that_was_logged_again_has_its_earlier_form(client: TestClient) -> None:
    newest, earlier = (post(client, "view", run="c", graph=graph) for graph in ("run_graph", "run_graph:0"))
    assert (newest["nodes"], earlier["nodes"]) == (1, 6)
    answer = client.post(f"{ROOT}/view", json={"run": "c", "graph": "run_graph:9"})
    assert answer.status_code == 404


def test_run_metadata_gives_a_graph_its_shapes(client: TestClient) -> None:
    assert get(client, "details", run="c", id="a/x")["output_shapes"] == ["8×32"]


def test_damaged_run_metadata_hides_no_graph(client: TestClient) -> None:
    assert post(client, "view", run="d", graph="run_graph")["nodes"] == 1
    body = {"run": "d", "graph": "run_graph", "colour": "time", "profile": "trace"}
    answer = client.post(f"{ROOT}/overlay", json=body)
    assert answer.status_code == 422
    assert "run metadata" in answer.json()["error"]


def test_a_file_that_may_not_be_read_gets_a_sentence(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(library, "read_file", deny)
    answer = client.post(f"{ROOT}/view", json={"run": "b", "graph": "file:broken.onnx"})
    assert (answer.status_code, "Permission denied" in answer.json()["error"]) == (422, True)


def test_old_uploads_make_room(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "MAX_UPLOADED_NODES", 9)
    exported = client.get(f"{ROOT}/export", params={"run": "a", "graph": "run_graph"}).content
    for name in ("one.json", "two.json"):
        assert client.post(f"{ROOT}/upload", params={"name": name}, content=exported).status_code == 200
    listed = [entry["title"] for entry in client.get(f"{ROOT}/graphs").json()["graphs"]]
    assert ("one.json" in listed, "two.json" in listed) == (False, True)


def test_the_layers_of_a_keras_model_are_a_graph(client: TestClient) -> None:
    view = post(client, "view", run="b", graph="keras:keras")
    assert view["boxes"]["label"] == ["seq"]
    assert view["parameters"] == 3 * 4 + 4


def test_details_have_links_weights_attributes_and_tags(client: TestClient) -> None:
    found = get(client, "details", id=f"{FC}/")
    assert (found["op"], found["layer"], found["nodes"], found["parameters"]) == ("Linear", "fc", 2, 256)
    assert [(link["id"], link["shape"]) for link in found["inputs"]] == [("input/x", "8×32")]
    assert [link["label"] for link in found["outputs"]] == ["act.relu"]
    assert [(weight["label"], weight["count"], weight["is_trainable"]) for weight in found["weights"]] == [
        ("weight", 256, True)
    ]
    assert found["tags"] == [{"kind": "scalars", "tag": "grad_norm/fc.weight"}]
    assert found["finding"] == "grad_norm/fc.weight is NaN from step 3"
    assert (found["source"], found["code"]) == ("model.py:7", "self.fc(x)"), "a layer has the line of its operation"
    assert get(client, "details", id="Net/ReLU[act]/")["finding"] == ""
    linear = get(client, "details", id=f"{FC}/linear")
    assert (linear["code"], linear["groups"]) == ("self.fc(x)", ["Net/", f"{FC}/"])
    assert [weight["label"] for weight in linear["weights"]] == ["weight"]


def test_a_layer_that_is_one_operation_has_its_attributes(client: TestClient) -> None:
    attributes = {one["name"]: one["value"] for one in get(client, "details", id=f"{FC}/")["attributes"]}
    assert attributes["weight"] == "[8,32]"


def test_a_layer_of_keras_has_its_weights_with_shapes(client: TestClient) -> None:
    found = get(client, "details", run="b", graph="keras:keras", id="seq/dense")
    assert [(one["label"], one["shape"], one["count"], one["histogram"]) for one in found["weights"]] == [
        ("kernel", "3×4", 12, "dense/kernel/histogram"),
        ("bias", "4", 4, None),
    ]
    assert [one["name"] for one in found["attributes"]] == ["units"], "weights are listed once"
    whole = get(client, "details", run="b", graph="keras:keras", id="seq/")
    assert [one["label"] for one in whole["weights"]] == ["dense/kernel", "dense/bias"]


def test_a_long_attribute_is_cut_and_sent_on_request(client: TestClient) -> None:
    relu = "Net/ReLU[act]/relu"
    (entry,) = [entry for entry in get(client, "details", id=relu)["attributes"] if entry["name"] == "note"]
    assert len(entry["value"]) == 1000
    assert entry["bytes"] == 4000
    parameters = {"run": "a", "graph": "run_graph", "id": relu, "name": "note"}
    answer = client.get(f"{ROOT}/attribute", params=parameters)
    assert answer.text == "<script>" * 500
    assert answer.headers["content-type"].startswith("text/plain")
    assert client.get(f"{ROOT}/attribute", params={**parameters, "name": "nothing"}).status_code == 404


def test_traces_paths_and_searches(client: TestClient) -> None:
    traced = post(client, "trace", open=["Net/"], id="output/", direction="inputs", hops=2)
    assert traced["hops"] == {"output/": 0, "Net/ReLU[act]/": 1, f"{FC}/": 2}
    path = post(client, "path", open=["Net/"], start="input/", end="output/")
    assert path["boxes"] == ["input/", f"{FC}/", "Net/ReLU[act]/", "output/"]
    found = get(client, "search", text="op:relu")
    assert [result["id"] for result in found["results"]] == ["Net/ReLU[act]/", "Net/ReLU[act]/relu"]
    assert found["results"][1]["groups"] == ["Net/", "Net/ReLU[act]/"]
    assert get(client, "search", text="/re.u$/")["total"] == 2
    refused = client.get(f"{ROOT}/search", params={"run": "a", "graph": "run_graph", "text": "/re(lu/"})
    assert (refused.status_code, "not a regular expression" in refused.json()["error"]) == (400, True)


def test_overlays(client: TestClient) -> None:
    def overlay(colour: str, **more: Any) -> dict[str, Any]:
        return post(client, "overlay", open=["Net/"], colour=colour, **more)

    assert overlay("parameters")["values"] == [0, 256, 0, 256, 0]
    assert overlay("op")["names"][3:] == ["aten.linear.default", "aten.relu.default"]
    assert overlay("time", profile="step 7")["values"] == [None, 70, None, 70, None]
    assert overlay("time")["reason"] == "The run logged no run metadata for this graph."
    assert overlay("dtype")["reason"] == "The graph has no types of tensors."
    health = overlay("health")
    assert health["names"] == ["", "NaN gradient", "", "NaN gradient", ""]
    assert health["texts"][3] == "grad_norm/fc.weight is NaN from step 3"
    assert health["steps"] == [0, 1, 2, 3, 4]
    before = overlay("health", step=2)
    assert (before["names"][3], before["values"][3]) == ("", 3.0)
    assert client.post(f"{ROOT}/overlay", json={"run": "a", "graph": "run_graph", "colour": "x"}).status_code == 400


def test_what_boxes_cannot_be_coloured_by_has_a_reason(client: TestClient) -> None:
    reasons = get(client, "colours")["reasons"]
    assert {"dtype", "device", "xla", "time", "memory"} <= set(reasons)
    assert not {"op", "parameters", "health"} & set(reasons)
    assert reasons["xla"] == "No node is in an XLA cluster."
    assert "time" not in get(client, "colours", profile="step 7")["reasons"]
    uploaded = client.post(
        f"{ROOT}/upload", params={"name": "a.pbtxt"}, content=b'node { name: "x" op: "Relu" }'
    ).json()
    assert set(get(client, "colours", **uploaded)["reasons"]) >= {"health", "parameters", "bytes"}


def test_the_layers_have_totals_and_the_times_of_run_metadata(client: TestClient) -> None:
    table = get(client, "layers", profile="step 7")
    at = table["name"].index("fc")
    assert table["op"][at] == "Linear"
    assert (table["shape"][at], table["parameters"][at], table["time"][at]) == ("8×32", 256, 70)
    assert (table["totals"]["parameters"], table["totals"]["time"]) == (256, 70)
    assert get(client, "layers")["totals"]["time"] is None
    assert get(client, "details", id=f"{FC}/", profile="step 7")["time"] == 70
    assert get(client, "details", id=f"{FC}/")["time"] is None
    unknown = {"run": "a", "graph": "run_graph", "profile": "none"}
    assert client.get(f"{ROOT}/layers", params=unknown).status_code == 404


def test_a_run_that_is_being_written_has_steps_to_choose(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    versions = count()
    monkeypatch.setattr(Store, "version", property(lambda _: next(versions)))
    assert post(client, "overlay", open=["Net/"], colour="health")["steps"] == [0, 1, 2, 3, 4]


def test_two_graphs_are_compared(client: TestClient) -> None:
    other = {"run": "b", "graph": "run_graph"}
    found = get(client, "compare", **other, baseline_run="a", baseline_graph="run_graph")
    assert (found["added"], found["removed"], found["changed"]) == (1, 0, 0)
    assert (found["old"]["nodes"], found["new"]["nodes"], found["old"]["parameters"]) == (5, 6, 256)
    view = post(client, "view", **other, baseline={"run": "a", "graph": "run_graph"})
    assert (view["nodes"], view["parameters"]) == (6, 256)
    assert [(change["id"], change["state"]) for change in found["changes"]] == [("Net/extra", "added")]
    baseline = {"run": "a", "graph": "run_graph"}
    colours = post(client, "overlay", **other, open=["Net/"], colour="change", baseline=baseline)
    view = post(client, "view", **other, open=["Net/"], baseline=baseline)
    states = dict(zip(view["boxes"]["label"], colours["names"], strict=True))
    assert (states["extra"], states["fc"], states["Net"]) == ("added", "", "changed")


def test_a_group_that_was_added_is_one_change(tmp_path: Path) -> None:
    for run, extra in (("a", []), ("b", [node("Net/new/one", "X"), node("Net/new/two", "X", "Net/new/one")])):
        with EventFile(tmp_path / run, wall_time=1000.0) as file:
            file.append(_core.frame(graph_event(network(*extra).SerializeToString(), wall_time=1000.0)))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        graphs = library.GraphLibrary(store)
        baseline, ref = (GraphRef(RunName(run), "run_graph") for run in ("a", "b"))
        found = answers.comparison(graphs.open_pair(ref, baseline))
    assert [(one.id, one.state, one.what) for one in found.changes] == [("Net/new/", "added", "2 nodes")]
    assert (found.added, found.has_more) == (2, False), "one entry for both nodes is all"


def test_a_file_is_uploaded_and_exported(client: TestClient) -> None:
    exported = client.get(f"{ROOT}/export", params={"run": "a", "graph": "run_graph"})
    answer = client.post(f"{ROOT}/upload", params={"name": "net.json"}, content=exported.content)
    assert answer.status_code == 200, answer.text
    view = post(client, "view", **answer.json(), open=["Net/"])
    assert view["boxes"]["label"] == ["input", "Net", "output", "fc", "act"]
    assert answer.json()["graph"] in [entry["graph"] for entry in client.get(f"{ROOT}/graphs").json()["graphs"]]


@pytest.mark.parametrize(
    ("graph", "status", "words"),
    [
        ({"graph": "file:broken.onnx", "run": "b"}, 422, "broken.onnx"),
        ({"graph": "file:../a/x.onnx", "run": "b"}, 404, "no graph file"),
        ({"graph": "upload:zz", "run": ""}, 404, "drop it on the page again"),
        ({"graph": "nothing", "run": "a"}, 404, "has no graph"),
        ({"graph": "run_graph", "run": "nobody"}, 404, "there is no run 'nobody'"),
        ({"graph": "run_graph"}, 400, "run"),
    ],
)
def test_invalid_requests_get_a_sentence(client: TestClient, graph: dict[str, str], status: int, words: str) -> None:
    answer = client.post(f"{ROOT}/view", json=graph)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_an_upload_that_is_no_graph_gets_a_sentence(client: TestClient) -> None:
    answer = client.post(f"{ROOT}/upload", params={"name": "x.pt2"}, content=b"PK\x03\x04 no zip")
    assert answer.status_code == 422
    assert "x.pt2" in answer.json()["error"]
