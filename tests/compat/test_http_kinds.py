"""Every route answers as a real TensorBoard does for the same log directory."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl

import pytest
from tensorboard.compat.proto import config_pb2, graph_pb2

from tests.compat.peer import Pair
from tests.compat.peer import pair as pair  # the fixture
from tools.compare_tensorboard import compare, wait_until

pytestmark = pytest.mark.timed

google_text = pytest.importorskip("google.protobuf.text_format")


def series_of(pair: Pair, plugin: str) -> list[tuple[str, str]]:
    tags = pair.ours.get(f"/data/plugin/{plugin}/tags").json()
    return [(run, tag) for run, by_tag in tags.items() for tag in by_tag]


def test_the_environment(pair: Pair) -> None:
    for path in ("logdir", "experiments", "experiment_runs", "window_properties"):
        pair.same(path)
    theirs, ours = (answer.json() for answer in pair.get("environment"))
    assert ours.keys() == theirs.keys()
    assert ours["debug"].keys() == theirs["debug"].keys()
    assert ours["debug"]["flags"].keys() <= theirs["debug"]["flags"].keys()
    assert ours["data_location"] == theirs["data_location"]
    theirs, ours = (answer.json() for answer in pair.get("runs"))
    assert sorted(ours) == sorted(theirs) == [".", "graphs", "modern", "nested/x", "torch", "torch/trial"]
    assert pair.ours.get("/data/notifications").json() == {"notifications": []}


def test_the_url_of_an_experiment_has_the_same_data(pair: Pair) -> None:
    for path in ("plugin/scalars/tags", "plugin/histograms/tags", "window_properties"):
        address = f"/experiment/defaultExperimentId/data/{path}"
        theirs, ours = pair.theirs.get(address), pair.ours.get(address)
        assert (theirs.status_code, ours.status_code) == (200, 200)
        assert ours.json() == pair.ours.get(f"/data/{path}").json()
        assert ours.json() == theirs.json()
    run, tag = series_of(pair, "scalars")[0]
    address = "/experiment/any%20other/data/plugin/scalars/scalars"
    theirs, ours = (client.get(address, params={"run": run, "tag": tag}) for client in (pair.theirs, pair.ours))
    assert ours.json() == theirs.json()


def test_a_last_slash_changes_nothing(pair: Pair) -> None:
    for path in ("runs", "plugin/scalars/tags"):
        theirs, ours = (client.get(f"/data/{path}/", follow_redirects=False) for client in (pair.theirs, pair.ours))
        assert (theirs.status_code, ours.status_code) == (200, 200)
        assert ours.json() == pair.ours.get(f"/data/{path}").json()


def test_comparing_experiments_is_not_supported(pair: Pair) -> None:
    for client in (pair.theirs, pair.ours):
        assert client.get("/compare/x/data/runs").status_code == 404


def test_only_a_plugin_with_a_module_has_a_frame(pair: Pair) -> None:
    theirs, ours = pair.get("plugin_entry.html", name="projector")
    assert ours.headers["content-type"] == theirs.headers["content-type"]
    for part in ('<base href="plugin/projector/" />', 'import("./index.js")'):
        assert part in theirs.text and part in ours.text
    assert "'sha256-" in ours.headers["content-security-policy"]
    assert "frame-src 'self'" in ours.headers["content-security-policy"]


def test_other_plugins_have_no_frame(pair: Pair) -> None:
    for name, status in (("scalars", 400), ("images", 400), ("<no such>", 404)):
        theirs, ours = pair.get("plugin_entry.html", name=name)
        assert (theirs.status_code, ours.status_code) == (status, status)
        assert set(ours.json()) == {"error", "code"}
    assert pair.ours.get("/data/plugin_entry.html").status_code == 400


def test_which_plugins_have_data(pair: Pair) -> None:
    # TensorBoard looks for projector configs in a thread, and lists the projector as inactive until then.
    wait_until(lambda: pair.theirs.get("/data/plugins_listing").json()["projector"]["enabled"], "no projector")
    listing = pair.same("plugins_listing")
    assert list(listing) == list(pair.theirs.get("/data/plugins_listing").json())  # the order of the tabs
    inactive = {name for name, plugin in listing.items() if not plugin["enabled"]}
    assert inactive == {"debugger-v2", "profile_redirect", "wit_redirect"}
    pair.same("plugin/debugger-v2/runs")
    for client in (pair.theirs, pair.ours):
        framed = client.get("/experiment/x/data/plugins_listing").json()["projector"]["loading_mechanism"]
        assert framed == {"type": "IFRAME", "module_path": "/experiment/x/data/plugin/projector/index.js"}


def test_the_tool_that_compares_log_directories_finds_no_difference(pair: Pair) -> None:
    assert compare(pair.theirs, pair.ours) == {}


def test_scalars(pair: Pair) -> None:
    pair.same("plugin/scalars/tags")
    for run, tag in series_of(pair, "scalars"):
        assert pair.same("plugin/scalars/scalars", run=run, tag=tag)
        pair.same_bytes("plugin/scalars/scalars", run=run, tag=tag, format="csv")
    values = [point[2] for point in pair.same("plugin/scalars/scalars", run="torch", tag="loss")]
    assert values[2:5] == ["NaN", "Infinity", "-Infinity"]


@pytest.mark.parametrize("form", ["data", "files"])
def test_scalars_of_several_runs_in_both_encodings_of_a_form(pair: Pair, form: str) -> None:
    fields = [("tag", "loss"), ("runs", "torch"), ("runs", "nested/x"), ("runs", "modern"), ("runs", "nowhere")]
    request: dict[str, Any] = {"files": [(name, (None, value)) for name, value in fields]}
    if form == "data":
        request = {"data": {"tag": "loss", "runs": [value for name, value in fields if name == "runs"]}}
    theirs, ours = pair.post("plugin/scalars/scalars_multirun", **request)
    assert ours.json() == theirs.json()
    assert ours.json().keys() == {"torch", "nested/x"}


def test_histograms_and_distributions(pair: Pair) -> None:
    for plugin in ("histograms", "distributions"):
        pair.same(f"plugin/{plugin}/tags")
        for run, tag in series_of(pair, plugin):
            assert pair.same(f"plugin/{plugin}/{plugin}", run=run, tag=tag)
    assert {("torch", "constant"), (".", "old/histogram"), ("modern", "empty")} <= set(series_of(pair, "histograms"))


def test_histograms_with_nan_edges(pair: Pair) -> None:
    found = pair.same("plugin/histograms/histograms", run="modern", tag="broken")
    assert [point[1] for point in found] == [0, 1, 2, 3, 4, 5]
    assert found[1][2] == [["NaN", "NaN", "NaN"]] * 2
    requests = [{"plugin": "histograms", "tag": tag, "run": "modern"} for tag in ("broken", "a/partly")]
    theirs, ours = pair.post("plugin/timeseries/timeSeries", data={"requests": json.dumps(requests)})
    assert ours.json() == theirs.json()
    assert ours.json()[1]["runToSeries"]["modern"][0]["bins"][1] == {"min": 1.0, "max": "NaN", "count": 3.0}


def test_tags_come_in_the_order_in_which_they_were_logged(pair: Pair) -> None:
    for plugin in ("scalars", "images", "histograms", "audio", "pr_curves"):
        theirs, ours = (answer.json() for answer in pair.get(f"plugin/{plugin}/tags"))
        for run in ours:
            assert list(ours[run]) == list(theirs[run]), (plugin, run)
    assert list(pair.ours.get("/data/plugin/images/tags").json()["modern"]) == ["pictures", "another"]
    theirs, ours = pair.get("plugin/custom_scalars/scalars", run="torch", tag=".")
    assert list(ours.json()["tag_to_events"]) == list(theirs.json()["tag_to_events"])


@pytest.mark.parametrize("markdown", ["true", "false"])
def test_text(pair: Pair, markdown: str) -> None:
    theirs, ours = (answer.json() for answer in pair.get("plugin/text/tags"))
    assert ours == theirs
    for run, tag in series_of(pair, "text"):
        assert pair.same("plugin/text/text", run=run, tag=tag, markdown=markdown)
    assert pair.same("plugin/text/text", run="torch", tag="nothing") == []


@pytest.mark.parametrize(("plugin", "one"), [("images", "individualImage"), ("audio", "individualAudio")])
def test_images_and_audio(pair: Pair, plugin: str, one: str) -> None:
    tags = pair.same(f"plugin/{plugin}/tags")
    for run, tag in series_of(pair, plugin):
        for sample in range(tags[run][tag]["samples"]):
            theirs, ours = (a.json() for a in pair.get(f"plugin/{plugin}/{plugin}", run=run, tag=tag, sample=sample))
            assert ours
            for theirs_entry, ours_entry in zip(theirs, ours, strict=True):
                bytes_of_both = [
                    client.get(f"/data/plugin/{plugin}/{one}", params=parse_qsl(entry.pop("query")))
                    for client, entry in ((pair.theirs, theirs_entry), (pair.ours, ours_entry))
                ]
                assert ours_entry == theirs_entry
                assert bytes_of_both[0].content == bytes_of_both[1].content
                assert bytes_of_both[0].headers["content-type"] == bytes_of_both[1].headers["content-type"]
    assert tags["modern"] != tags["torch"]


def test_pr_curves(pair: Pair) -> None:
    pair.same("plugin/pr_curves/tags")
    for run, tag in series_of(pair, "pr_curves"):
        assert pair.same("plugin/pr_curves/pr_curves", run=run, tag=tag)
    assert len(pair.same("plugin/pr_curves/pr_curves", run=["torch", "nested/x"], tag="curve")) == 2


def test_meshes(pair: Pair) -> None:
    pair.same("plugin/mesh/tags")
    for run, tag in series_of(pair, "mesh"):
        entries = pair.same("plugin/mesh/meshes", run=run, tag=tag)
        for entry in entries:
            part = ("", "VERTEX", "FACE", "COLOR")[entry["content_type"]]
            parameters = {"run": run, "tag": tag, "content_type": part, "step": entry["step"]}
            for sample in range(entry["data_shape"][0]):
                assert pair.same_bytes("plugin/mesh/data", sample=sample, **parameters)
    assert pair.same("plugin/mesh/meshes", run="nested/x", tag="tetrahedron")[0]["components"] == 14


def test_custom_scalars(pair: Pair) -> None:
    assert pair.same("plugin/custom_scalars/layout")["category"]
    for pattern in ("loss", "l.*", "[", "", "nothing"):
        pair.same("plugin/custom_scalars/scalars", run="torch", tag=pattern)
    pair.same("plugin/custom_scalars/scalars", run="nowhere", tag=".")
    pair.same("plugin/custom_scalars/download_data", run="torch", tag="loss", format="json")
    pair.same_bytes("plugin/custom_scalars/download_data", run="torch", tag="loss", format="csv")


def same_message(pair: Pair, message: Any, path: str, **params: Any) -> None:
    """Compared as messages: the order of a map's entries in protobuf text is undefined."""
    theirs, ours = pair.get(path, **params)
    assert (theirs.status_code, ours.status_code) == (200, 200)
    assert ours.headers["content-type"] == theirs.headers["content-type"]
    want = google_text.Parse(theirs.text, message())
    assert google_text.Parse(ours.text, message()) == want
    assert want.ByteSize() > 0


def test_graphs(pair: Pair) -> None:
    info = pair.same("plugin/graphs/info")
    assert {tag["tag"] for tag in info["graphs"]["tags"].values()} == {"step 1", "both", "ops", "keras", "nested"}
    for run in ("torch", "graphs"):
        same_message(pair, graph_pb2.GraphDef, "plugin/graphs/graph", run=run)
        limits = {"limit_attr_size": 100, "large_attrs_key": "_large"}
        same_message(pair, graph_pb2.GraphDef, "plugin/graphs/graph", run=run, **limits)
        for tag in info[run]["tags"].values():
            parameters = {"run": run, "tag": tag["tag"]}
            if tag["op_graph"]:
                same_message(pair, graph_pb2.GraphDef, "plugin/graphs/graph", **parameters)
            if tag["conceptual_graph"]:
                same_message(pair, graph_pb2.GraphDef, "plugin/graphs/graph", conceptual="true", **parameters)
            if tag["profile"]:
                same_message(pair, config_pb2.RunMetadata, "plugin/graphs/run_metadata", **parameters)


def test_time_series(pair: Pair) -> None:
    pair.same("plugin/timeseries/tags")
    requests = [
        {"plugin": "scalars", "tag": "loss"},
        {"plugin": "scalars", "tag": "loss", "run": "torch"},
        {"plugin": "scalars", "tag": "nothing"},
        {"plugin": "histograms", "tag": "weights", "run": "torch"},
    ]
    theirs, ours = pair.post("plugin/timeseries/timeSeries", files={"requests": (None, json.dumps(requests))})
    assert ours.json() == theirs.json()
    pair.same("plugin/timeseries/timeSeries", requests=json.dumps(requests))


def test_time_series_of_images(pair: Pair) -> None:
    requests = [{"plugin": "images", "tag": "pictures", "run": "modern", "sample": sample} for sample in range(4)]
    answers = pair.post("plugin/timeseries/timeSeries", data={"requests": json.dumps(requests)})
    for theirs, ours in zip(*(answer.json() for answer in answers), strict=True):
        theirs_series = theirs.pop("runToSeries").get("modern", [])
        ours_series = ours.pop("runToSeries").get("modern", [])
        assert ours == theirs
        for theirs_step, ours_step in zip(theirs_series, ours_series, strict=True):
            images = [
                client.get("/data/plugin/timeseries/imageData", params={"imageId": step.pop("imageId")}).content
                for client, step in ((pair.theirs, theirs_step), (pair.ours, ours_step))
            ]
            assert images[0] == images[1] != b""
            assert ours_step == theirs_step


def test_invalid_requests_for_time_series_get_errors_of_their_own(pair: Pair) -> None:
    requests = [{}, {"tag": "a"}, {"tag": "a", "plugin": "text"}, {"tag": "a", "plugin": "images", "run": "b"}]
    answers = pair.post("plugin/timeseries/timeSeries", data={"requests": json.dumps(requests)})
    for theirs, ours in zip(*(answer.json() for answer in answers), strict=True):
        assert theirs.pop("error") and ours.pop("error")
        assert ours == theirs


def test_hyperparameters_as_torch_writes_them(pair: Pair) -> None:
    experiment = pair.same("plugin/hparams/experiment", request="{}")
    assert {info["name"] for info in experiment["hparamInfos"]} == {"lr", "name", "on"}
    request = json.dumps({"allowedStatuses": ["STATUS_SUCCESS", "STATUS_UNKNOWN"], "sliceSize": 9})
    (group,) = pair.same("plugin/hparams/session_groups", request=request)["sessionGroups"]
    assert group["hparams"] == {"lr": 0.1, "name": "adam", "on": True}
    assert group["metricValues"][0]["value"] == 0.5
    for bounds in ({"startIndex": -1, "sliceSize": 1}, {"startIndex": 0, "sliceSize": -1}):
        pair.same(
            "plugin/hparams/session_groups", request=json.dumps({"allowedStatuses": ["STATUS_SUCCESS"], **bounds})
        )


def test_projector(pair: Pair) -> None:
    assert pair.same("plugin/projector/runs") == ["torch"]
    info = pair.same("plugin/projector/info", run="torch")
    (embedding,) = info["embeddings"]
    parameters = {"run": "torch", "name": embedding["tensorName"]}
    assert len(pair.same_bytes("plugin/projector/tensor", **parameters)) == 5 * 3 * 4
    assert len(pair.same_bytes("plugin/projector/tensor", num_rows=2, **parameters)) == 2 * 3 * 4
    pair.same_bytes("plugin/projector/metadata", **parameters)
    pair.same_bytes("plugin/projector/metadata", num_rows=2, **parameters)
    assert pair.same_bytes("plugin/projector/sprite_image", **parameters).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("plugin/scalars/scalars", {}),
        ("plugin/scalars/scalars", {"run": "torch", "tag": "nothing"}),
        ("plugin/histograms/histograms", {"run": "torch", "tag": "nothing"}),
        ("plugin/images/images", {"run": "torch", "tag": "nothing"}),
        ("plugin/audio/audio", {"run": "torch", "tag": "nothing"}),
        ("plugin/audio/individualAudio", {"blob_key": "x", "content_type": "text/html"}),
        ("plugin/pr_curves/pr_curves", {"run": "torch", "tag": "nothing"}),
        ("plugin/mesh/data", {"run": "torch", "tag": "cube", "content_type": "SHAPE"}),
        ("plugin/graphs/graph", {}),
        ("plugin/graphs/graph", {"run": "nowhere"}),
        ("plugin/graphs/graph", {"run": "graphs", "limit_attr_size": "many"}),
        ("plugin/graphs/run_metadata", {"run": "graphs"}),
        ("plugin/graphs/run_metadata", {"run": "graphs", "tag": "nothing"}),
        ("plugin/timeseries/timeSeries", {}),
        ("plugin/timeseries/timeSeries", {"requests": "["}),
        ("plugin/projector/info", {}),
        ("plugin/projector/info", {"run": "nowhere"}),
        ("plugin/projector/tensor", {"run": "torch"}),
        ("plugin/projector/tensor", {"run": "torch", "name": "x", "num_rows": "0"}),
        ("plugin/projector/bookmarks", {"run": "torch", "name": "points:00000"}),
        ("plugin/custom_scalars/download_data", {"run": "torch", "tag": "nothing"}),
        ("plugin/scalars/nothing", {}),
    ],
)
def test_an_invalid_request_gets_the_same_status(pair: Pair, path: str, params: dict[str, str]) -> None:
    theirs, ours = pair.get(path, **params)
    assert ours.status_code == theirs.status_code
    assert 400 <= ours.status_code < 500
    assert len(ours.text) > 10


def test_several_runs_need_a_post(pair: Pair) -> None:
    theirs, ours = pair.get("plugin/scalars/scalars_multirun")
    assert ours.status_code == theirs.status_code == 405
    theirs, ours = pair.post("plugin/scalars/scalars_multirun", data={"runs": "torch"})
    assert ours.status_code == theirs.status_code == 400
