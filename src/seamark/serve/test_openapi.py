"""The description is true: it names the routes there are, their parameters, and what they answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute, Mount, Route
from starlette.testclient import TestClient

from seamark.kinds import histogram, image
from seamark.kinds.summary import event_record
from seamark.serve.app import Settings, create_app
from seamark.store import LogRoot, Store
from seamark.write.event_file import EventFile

# A question for each operation that needs parameters; every parameter of it is here.
ASKED: dict[str, dict[str, Any]] = {
    "/api/tags": {"kind": "scalars"},
    "/api/last": {"tag": ["loss", "gone"], "run": "a"},
    "/api/series": {
        "tag": "loss", "run": "a", "axis": "wall", "start": 0, "stop": 2e9, "width": 10, "smoothing": 0.5,
        "attempts": "all", "columns": "step,mean", "edges": "true", "encoding": "compact",
    },
    "/api/export": {"format": "csv", "tag": ["loss", "gone"], "run": "a", "attempts": "all"},
    "/api/payloads": {"run": "a", "tag": "picture", "kind": "images", "attempts": "all"},
    "/api/payload": {"run": "a", "tag": "picture", "kind": "images", "index": 0, "sample": 0, "wall": 5.0},
    "/api/histograms": {
        "run": "a", "tag": "weights", "attempts": "latest", "axis": "step", "start": 0, "stop": 9, "most": 5,
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
    "/api/series": {"tag": "loss", "run": ["a"], "edges": False, "encoding": "exact"},
    "/api/series/together": {"questions": [{"tag": "loss", "run": ["a"]}, {"tag": "loss", "columns": ["mean"]}]},
    "/api/export": {"format": "csv", "tag": ["loss"], "run": ["a"], "attempts": "latest"},
    "/api/groups": {
        "query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3, "by": ["run:name"],
        "metrics": ["metric:loss:last"], "baseline": ["a"], "goal": {"metric:loss:last": "min"},
    },
    "/api/objective": {"query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3},
    "/api/importance": {
        "query": "points > 0", "runs": ["a", "b"], "archived": "show", "tail": 3, "target": "metric:loss:last",
        "goal": "min", "params": ["run:name", "run:points", "run:star"],
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
    roots = [LogRoot("", tmp_path)]
    with Store(roots, index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield create_app(store, roots=roots, settings=Settings(allow_delete=True))


@pytest.fixture
def client(app: Starlette) -> Iterator[TestClient]:
    with TestClient(app, base_url="http://localhost") as client:
        yield client


def operations(client: TestClient) -> dict[tuple[str, str], dict[str, Any]]:
    paths = client.get("/api/openapi.json").json()["paths"]
    return {(path, method.upper()): said for path, methods in paths.items() for method, said in methods.items()}


def routes_of(routes: list[BaseRoute], prefix: str = "") -> Iterator[tuple[str, str]]:
    for route in routes:
        if isinstance(route, Mount) and prefix + route.path == "/api":
            yield from routes_of(list(route.routes), "/api")
        elif isinstance(route, Route) and prefix:
            for method in (route.methods or {"GET"}) - {"HEAD"}:
                yield prefix + route.path, method


def test_it_names_every_route_with_its_methods_and_no_other(app: Starlette, client: TestClient) -> None:
    assert set(operations(client)) == set(routes_of(list(app.routes)))


def test_every_parameter_is_understood_and_no_other_is(client: TestClient) -> None:
    for (path, method), said in operations(client).items():
        names = {parameter["name"] for parameter in said.get("parameters", [])}
        if method != "GET" or path in ("/api/events", "/api/dashboards"):
            continue
        assert set(ASKED.get(path, {})) == names, f"this test asks {path} with all of its parameters"
        assert client.get(path, params=ASKED.get(path)).status_code == 200, path
        for required in (p["name"] for p in said.get("parameters", []) if p["required"]):
            left = {name: value for name, value in ASKED[path].items() if name != required}
            assert client.get(path, params=left).status_code == 400, f"{path} without {required}"
        unknown = client.get(path, params={**ASKED.get(path, {}), "nonsense": 1})
        assert unknown.status_code == 400 and "nonsense" in unknown.json()["error"], path


def test_choices_and_limits_are_kept(client: TestClient) -> None:
    for (path, method), said in operations(client).items():
        for parameter in said.get("parameters", []) if method == "GET" else []:
            schema = parameter["schema"]
            wrong: list[Any] = ["nonsense"] if "enum" in schema or schema.get("type") in ("integer", "number") else []
            wrong += [schema["minimum"] - 1] if "minimum" in schema else []
            wrong += [schema["maximum"] + 1] if "maximum" in schema else []
            for value in wrong:
                got = client.get(path, params={**ASKED[path], parameter["name"]: value})
                assert got.status_code == 400, f"{path} with {parameter['name']}={value}"


def test_real_answers_are_what_it_says(client: TestClient) -> None:
    for (path, method), said in operations(client).items():
        if path == "/api/events":
            continue
        answer = client.request(
            method,
            path,
            params=ASKED.get(path) if method == "GET" else None,
            json=BODIES.get(path) if method != "GET" else None,
        )
        (media_type, content), *_ = said["responses"]["200"]["content"].items()
        assert answer.status_code == 200, (path, method, answer.text)
        got = answer.headers["content-type"].split(";")[0]
        assert got == media_type or path in ("/api/payload", "/api/run/file"), path
        if media_type == "application/json":
            check(answer.json(), content["schema"], path)
        if method != "GET":
            check(BODIES[path], said["requestBody"]["content"]["application/json"]["schema"], path)


def test_refusals_are_what_it_says(client: TestClient) -> None:
    said = operations(client)
    for path, query, status in [
        ("/api/series", {}, "400"),
        ("/api/payload", {**ASKED["/api/payload"], "run": "x"}, "404"),
    ]:
        answer = client.get(path, params=query)
        assert str(answer.status_code) == status
        check(answer.json(), said[path, "GET"]["responses"][status]["content"]["application/json"]["schema"], path)
    client.patch("/api/state", json=BODIES["/api/state"])
    conflict = client.patch("/api/state", json=BODIES["/api/state"])
    assert conflict.status_code == 409
    schema = said["/api/state", "PATCH"]["responses"]["409"]["content"]["application/json"]["schema"]
    check(conflict.json(), schema, "/api/state")


def check(value: Any, schema: Mapping[str, Any], where: str) -> None:
    """The part of JSON Schema that the description uses."""
    if "anyOf" in schema:
        assert any(fits(value, one) for one in schema["anyOf"]), f"{where}: {value!r}"
    if "enum" in schema:
        assert value in schema["enum"], f"{where}: {value!r}"
    if "type" in schema:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        assert any(is_a(value, kind) for kind in kinds), f"{where}: {value!r} is not {kinds}"
    if isinstance(value, dict):
        properties, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        assert set(schema.get("required", [])) <= set(value), f"{where}: {sorted(value)}"
        for name, entry in value.items():
            assert name in properties or others is not False, f"{where}: unexpected {name}"
            check(entry, properties.get(name, others), f"{where}.{name}")
    if isinstance(value, list):
        for entry in value:
            check(entry, schema.get("items", {}), f"{where}[]")


def fits(value: Any, schema: Mapping[str, Any]) -> bool:
    try:
        check(value, schema, "")
    except AssertionError:
        return False
    return True


def is_a(value: Any, kind: str) -> bool:
    kinds = {
        "string": str,
        "boolean": bool,
        "integer": int,
        "number": (int, float),
        "object": dict,
        "array": list,
        "null": type(None),
    }
    return isinstance(value, kinds[kind]) and (not isinstance(value, bool) or kind == "boolean")
