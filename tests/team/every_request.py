"""Requests for everything that a page of runs can be asked for, generated from the routes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from seamark.plugin import Endpoint
from seamark.serve.tensorboard import RouteGroups
from seamark.team.projects.opened import View
from tools.in_process_team import InProcessTeam, Person

# Responses that never end.
STREAMS = ("/api/events",)


def values_for(run: str, mark: str, text_id: str) -> dict[str, list[str]]:
    """What to ask for, by the name of a parameter: of one run."""
    files = [f"{mark}vectors.tsv", f"{mark}examples.csv", f"{mark}mesh.obj", "run.json", "console.log"]
    return {
        "run": [run],
        "runs": [run],
        "tag": [f"{mark}loss"],
        "tags": [f"{mark}loss"],
        "path": files,
        "file": files,
        "name": [f"file:{file}" for file in files] + [f"{mark}tensor"],
        "capture": [f"{mark}trace"],
        "host": [""],
        "kind": ["scalars"],
        "id": [text_id],
        "source": ["console.log"],
        "query": [""],
        "text": [mark],
    }


def described(endpoint: dict[str, Any], values: dict[str, list[str]]) -> Iterator[dict[str, str]]:
    """Parameters for one operation: a request for each value of the one that has most."""
    listed = [each for each in endpoint.get("parameters", []) if each["in"] == "query"]
    wanted = [each["name"] for each in listed if each.get("required") or each["name"] in values]
    longest = max((len(values.get(name, ["0"])) for name in wanted), default=1)
    for index in range(longest):
        yield {name: values.get(name, ["0"])[index % len(values.get(name, ["0"]))] for name in wanted}


def bodies(run: str, mark: str) -> list[dict[str, Any]]:
    return [
        {},
        {"runs": [run]},
        {"run": run},
        {"runs": [run], "tag": f"{mark}loss"},
        {"series": [{"runs": [run], "tag": f"{mark}loss"}]},
        {"requests": [{"run": run, "tag": f"{mark}loss"}]},
        {"columns": ["run:name", f"param:{mark}lr"], "query": ""},
        {"query": "", "sort": [], "columns": [], "offset": 0, "limit": 100},
        {"run": run, "name": f"{mark}tensor"},
        {"run": run, "name": f"file:{mark}examples.csv", "rows": [0]},
        {"experimentName": "", "startIndex": 0, "sliceSize": 10, "allowedStatuses": [], "colParams": []},
    ]


def ask_everything(
    team: InProcessTeam, person: Person, page: str, view: View, *, run: str, mark: str, text_id: str = ""
) -> list[tuple[str, int, str]]:
    """Each request below `page`, an address that shows `view`, with its status and the response as text."""
    api = person.get(f"{page}/api/openapi.json").json()
    values = values_for(run, mark, text_id)
    answers: list[tuple[str, int, str]] = []

    def ask(method: str, path: str, **options: Any) -> None:
        response = person.request(method, f"{page}{path}", **options)
        answers.append((f"{method} {path} {options}", response.status_code, response.text + repr(response.headers)))

    for path, methods in api["paths"].items():
        if path in STREAMS:
            continue
        for parameters in described(methods.get("get", {}), values) if "get" in methods else ():
            ask("GET", path, params=parameters)
        for body in bodies(run, mark) if "post" in methods else ():
            ask("POST", path, json=body)
    for endpoint in tensorboard_endpoints(team, view):
        data = f"/data{endpoint.path}"
        if endpoint.method == "GET":
            for tag in (f"{mark}loss", f"{run}/{mark}trace"):
                ask("GET", data, params={"run": run, "tag": tag})
            ask("GET", data, params={"run": run, "name": f"{mark}tensor"})
            ask("GET", data)
        else:
            for body in bodies(run, mark):
                ask("POST", data, json=body)
    for below in ("/", "/run/" + quote(run, safe=""), "/compare"):
        ask("GET", below)
    return answers


def tensorboard_endpoints(team: InProcessTeam, view: View) -> list[Endpoint]:
    opened = team.team.projects.find(view)
    assert opened is not None
    groups = RouteGroups(opened.store, opened.store.roots)
    return [endpoint for name in groups._makers for endpoint in groups.make(name)]
