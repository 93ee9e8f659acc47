"""The OpenAPI description has the routes that exist, their parameters, and the form of their responses."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route
from starlette.testclient import TestClient

from seamark.format import run_record
from seamark.graphs.readers.model_explorer import GraphNode
from seamark.kinds import histogram, image
from seamark.kinds.summary import event_record
from seamark.plugin import Endpoint, NoParameters, ParsedRequest, json_bytes
from seamark.serve.api.openapi import description
from seamark.serve.api.table import CompleteBody
from seamark.serve.app import Settings, create_app
from seamark.serve.dashboards import ListedDashboard
from seamark.store import LogRoot, Store
from seamark.write.append.event_file import EventFile

# Every parameter of every operation that has some.
PARAMETERS: dict[str, dict[str, Any]] = {
    "/api/tags": {"kind": "scalars"},
    "/api/state/texts": {"id": "720fd7974ef65771"},  # of the text in BODIES
    "/api/last": {"tag": ["loss", "gone"], "run": "a"},
    "/api/series": {
        "tag": "loss", "run": "a", "axis": "wall", "start": 0, "stop": 2e9, "width": 10, "smoothing": 0.5,
        "smoothing_mode": "adaptive", "visible": 1e9, "attempts": "all", "columns": "step,mean", "edges": "true", "encoding": "compact",
    },
    "/api/export": {"format": "csv", "tag": ["loss", "gone"], "run": "a", "attempts": "all"},
    "/api/payloads": {"run": "a", "tag": "picture", "kind": "images", "attempts": "all"},
    "/api/payload": {"run": "a", "tag": "picture", "kind": "images", "index": 0, "sample": 0, "wall": 5.0},
    "/api/histograms": {
        "run": "a", "tag": "weights", "attempts": "latest", "axis": "step", "start": 0, "stop": 9, "limit": 5,
        "parts": "all",
    },
    "/api/table/columns": {"search": "lr", "id": ["metric:loss:min", "gone"]},
    "/api/run": {"run": "a"},
    "/api/run/console": {"run": "a", "source": "console.log", "start": 0, "stop": 5, "search": "two"},
    "/api/run/file": {"run": "a", "path": "console.log"},
    "/api/events": {"since": "x"},
}  # fmt: skip
BODIES: dict[str, Any] = {
    "/api/markdown": {"text": "**a** note"},
    "/api/state/texts": {"text": "rows"},
    "/api/series": {"tag": "loss", "run": ["a"], "edges": False, "encoding": "exact"},
    "/api/series/batch": {"requests": [{"tag": "loss", "run": ["a"]}, {"tag": "loss", "columns": ["mean"]}]},
    "/api/export": {"format": "csv", "tag": ["loss"], "run": ["a"], "attempts": "latest"},
    "/api/groups": {
        "query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3, "by": ["run:name"],
        "metrics": ["metric:loss:last"], "baseline": ["a"], "goal": {"metric:loss:last": "min"},
    },
    "/api/objective": {"query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3},
    "/api/importance": {
        "query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3, "target": "metric:loss:last",
        "goal": "min", "params": ["run:name", "run:points", "run:star"],
        "part": "validation", "group_by": ["run:name"], "where": {"metric:loss:last": ["NaN", None]},
    },
    "/api/diff": {"runs": ["a", "b"], "tags": ["loss"]},
    "/api/state": {"version": 0, "runs": {"a": {"star": True, "note": "good"}}, "pins": [{"tag": "loss"}]},
    "/api/runs/trash": {"runs": ["old"], "dry_run": True},
    "/api/runs/delete": {"runs": ["old"], "dry_run": True},
    "/api/table/complete": {"query": "poi", "cursor": 3},
    "/api/table": {
        "query": "loss is None or points > 0", "sort": ["-metric:loss:last", "run:name"], "archived": "show", "tail": 3,
        "columns": ["run:name", "run:tags", "run:started", "run:star", "metric:loss:last"], "start": 0, "stop": 10,
        "runs": ["a"],
    },
    "/api/trials": {
        "query": "loss is None or points > 0", "runs": ["a"], "archived": "show", "tail": 3, "part": "validation",
        "group_by": ["run:name"], "where": {"run:name": ["a", None], "run:points": [[0, 9.5]]},
        "sort": ["-metric:loss:last"], "results_first": True,
        "columns": ["run:name", "run:tags", "metric:loss:last", "std:metric:loss:last", "left_out:metric:loss:last"],
        "start": 0, "stop": 10,
    },
    "/api/trials/columns": {
        "query": "", "runs": ["a", "old"], "archived": "show", "tail": 3, "part": "", "group_by": None,
        "where": {"run:points": [[0, 9]]}, "columns": ["run:status", "metric:loss:last"],
    },
}  # fmt: skip


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Starlette]:
    with EventFile(tmp_path / "old", wall_time=5.0):
        pass
    with EventFile(tmp_path / "a") as file:
        file.add_scalar("loss", float("nan"), 1, wall_time=5.0)
        values = [image.encode("picture", np.zeros((2, 2, 3))), histogram.encode("weights", np.arange(5))]
        file.append(event_record(values, step=0, wall_time=5.0))
        file.append(b"\0" * 40)
    with EventFile(tmp_path / "b") as file:
        file.add_scalar("loss", 2.0, 1, wall_time=6.0)
    (tmp_path / "a" / "console.log").write_text("one\ntwo\n")
    sessions = (run_record.Session(host="here"),)
    record = run_record.RunRecord(id="x", sessions=sessions, git=run_record.Git(branch="main"))
    (tmp_path / "a" / run_record.FILE_NAME).write_text(run_record.dumps(record))
    roots = [LogRoot("", tmp_path)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield create_app(store, roots=roots, settings=Settings(allow_delete=True))


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        client.post("/api/state/texts", json=BODIES["/api/state/texts"])
        yield client


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    described: dict[str, Any] = client.get("/api/openapi.json").json()
    return described


def operations(document: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Those of /api itself; the dashboards and TensorBoard's routes have tests of their own."""
    return {
        (path, method.upper()): operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if not path.startswith(("/api/dashboards/", "/data/"))
    }


def routes_of(routes: list[BaseRoute], prefix: str = "") -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, Mount) and prefix + route.path == "/api":
            yield from routes_of(list(route.routes), "/api")
        elif isinstance(route, Route) and prefix:
            for method in (route.methods or {"GET"}) - {"HEAD"}:
                yield prefix + route.path, method


def test_it_has_every_route_with_its_methods_and_no_other(app: Starlette, document: dict[str, Any]) -> None:
    assert set(operations(document)) == set(routes_of(list(app.routes)))


def test_it_has_the_routes_of_dashboards(document: dict[str, Any]) -> None:
    assert "get" in document["paths"]["/api/dashboards/hparams/has_data"]


def test_it_has_tensorboards_routes_with_their_parameters(app: Starlette, document: dict[str, Any]) -> None:
    described = {path: set(methods) for path, methods in document["paths"].items() if path.startswith("/data/")}
    assert described["/data/plugin/timeseries/timeSeries"] == {"get", "post"}
    assert {path.split("/")[3] for path in described if path.startswith("/data/plugin/")} >= {
        "scalars", "images", "audio", "text", "histograms", "distributions", "pr_curves", "mesh", "hparams", "graphs",
        "custom_scalars", "projector", "profile",
    }  # fmt: skip
    scalars = document["paths"]["/data/plugin/scalars/scalars"]["get"]["parameters"]
    assert {(one["name"], one["required"]) for one in scalars} >= {("run", True), ("tag", True)}


def test_every_parameter_is_accepted_and_no_other(client: TestClient, document: dict[str, Any]) -> None:
    for (path, method), operation in operations(document).items():
        parameters = {parameter["name"]: parameter for parameter in operation.get("parameters", [])}
        if method != "GET" or path in ("/api/events", "/api/dashboards"):
            continue
        assert set(PARAMETERS.get(path, {})) == set(parameters), f"PARAMETERS has all of {path}"
        assert client.get(path, params=PARAMETERS.get(path)).status_code == 200, path
        for required in (name for name, parameter in parameters.items() if parameter["required"]):
            others = {name: value for name, value in PARAMETERS[path].items() if name != required}
            assert client.get(path, params=others).json()["code"] == "missing_parameter", f"{path} without {required}"
        unknown = client.get(path, params={**PARAMETERS.get(path, {}), "nonsense": 1})
        assert unknown.json()["code"] == "unknown_parameter" and "nonsense" in unknown.json()["error"], path


def test_choices_and_limits_are_checked(client: TestClient, document: dict[str, Any]) -> None:
    for (path, method), operation in operations(document).items():
        for parameter in operation.get("parameters", []) if method == "GET" else []:
            schema = parameter["schema"]
            wrong: list[Any] = ["nonsense"] if "enum" in schema or schema.get("type") in ("integer", "number") else []
            wrong += [schema["minimum"] - 1] if "minimum" in schema else []
            wrong += [schema["maximum"] + 1] if "maximum" in schema else []
            for value in wrong:
                got = client.get(path, params={**PARAMETERS[path], parameter["name"]: value})
                assert got.json()["code"] == "invalid_parameter", f"{path} with {parameter['name']}={value}"


def test_responses_have_the_described_form(client: TestClient, document: dict[str, Any]) -> None:
    for (path, method), operation in operations(document).items():
        if path == "/api/events":
            continue
        answer = client.request(
            method,
            path,
            params=PARAMETERS.get(path) if method == "GET" else None,
            json=BODIES.get(path) if method != "GET" else None,
        )
        (media_type, content), *_ = operation["responses"]["200"]["content"].items()
        assert answer.status_code == 200, (path, method, answer.text)
        got = answer.headers["content-type"].split(";")[0]
        assert got == media_type or path in ("/api/payload", "/api/run/file"), path
        if media_type == "application/json":
            check(answer.json(), content["schema"], document)
        if method != "GET":
            check(BODIES[path], operation["requestBody"]["content"]["application/json"]["schema"], document)


def test_errors_have_the_described_form(client: TestClient, document: dict[str, Any]) -> None:
    def check_error(path: str, method: str, answer: Any, status: int) -> None:
        assert answer.status_code == status
        described = operations(document)[path, method]["responses"][str(status)]
        check(answer.json(), described["content"]["application/json"]["schema"], document)

    check_error("/api/series", "GET", client.get("/api/series"), 400)
    gone = client.get("/api/payload", params={**PARAMETERS["/api/payload"], "run": "x"})
    check_error("/api/payload", "GET", gone, 404)
    client.patch("/api/state", json=BODIES["/api/state"])
    check_error("/api/state", "PATCH", client.patch("/api/state", json=BODIES["/api/state"]), 409)
    check_error("/api/table", "POST", client.post("/api/table", json={"query": "loss >"}), 400)


def test_responses_have_all_their_fields_and_bodies_only_those_without_a_default(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert set(schemas["Session"]["required"]) == set(schemas["Session"]["properties"])
    assert "default" not in schemas["Session"]["properties"]["status"]
    overlay = schemas["OverlayResponse"]
    assert set(overlay["required"]) == set(overlay["properties"]) >= {"values", "reason"}
    # A condition of a slice is in requests, too.
    assert schemas["Condition"]["required"] == schemas["TableBody"]["required"] + ["column"] == ["column"]
    assert schemas["CompleteBody"]["required"] == ["query"]


def test_fields_that_may_be_left_out_of_a_response_are_not_required() -> None:
    def complete(_: ParsedRequest[NoParameters, CompleteBody]) -> list[GraphNode]:
        return []

    sent = ListedDashboard(name="x", title="X", order=0, kinds=[], module=None)

    def listed(_: ParsedRequest[NoParameters, None]) -> ListedDashboard:
        return sent

    endpoints = [Endpoint(path="/x", summary="", handler=handler) for handler in (complete, listed)]
    schemas = description({"": endpoints})["components"]["schemas"]
    assert schemas["GraphNode"]["required"] == ["id"], "it omits defaults"
    assert schemas["CompleteBody"]["required"] == ["query"]
    assert set(schemas["ListedDashboard"]["required"]) == set(json.loads(json_bytes(sent)))


def test_an_error_without_a_position_in_a_query_has_none(client: TestClient, document: dict[str, Any]) -> None:
    answer = client.post("/api/table", json={"query": "points > 0", "archived": "nonsense"})
    assert answer.status_code == 400 and set(answer.json()) == {"error", "code"}
    check(answer.json(), {"$ref": "#/components/schemas/QueryErrorResponse"}, document)


def check(value: Any, schema: Mapping[str, Any], document: Mapping[str, Any]) -> None:
    jsonschema.Draft202012Validator({**schema, "components": document["components"]}).validate(value)
