"""The lists that every page begins with."""

from __future__ import annotations

from seamark.publish.gather.selection import Selection
from seamark.publish.request_key import get_key

LABEL = "lists"


def gather_lists(selection: Selection, roots: list[str]) -> None:
    recorder = selection.recorder
    put = recorder.put
    done = {"bytes_done": 0, "bytes_total": 0, "files_done": 0, "files_total": 0, "loading": False}
    watched = [{"name": name, "path": name, "exists": True} for name in roots]
    put(get_key("api/progress"), {**done, "roots": watched}, label=LABEL, owner=None)
    runs = recorder.ask("api/runs").json()["runs"]
    put(get_key("api/runs"), {"runs": [{**run, "path": run["name"]} for run in runs]}, label=LABEL, owner=None)
    tags = recorder.ask("api/tags").json()
    kinds = {kind: listed for kind, listed in tags["kinds"].items() if kind not in selection.without}
    put(get_key("api/tags"), {**tags, "kinds": kinds}, label=LABEL, owner=None)
    # Only what is said of a published run; the path of a file is nobody's business.
    problems = [
        {**problem, "path": ""}
        for problem in recorder.ask("api/problems").json()["problems"]
        if problem["run"] in selection.runs
    ]
    put(get_key("api/problems"), {"problems": problems}, label=LABEL, owner=None)
    recorder.get("api/state", label=LABEL, owner=None)


def gather_dashboards(selection: Selection) -> None:
    """The tabs of built-in dashboards; the views of other packages need their server."""
    recorder = selection.recorder
    listed = [
        entry
        for entry in recorder.ask("api/dashboards").json()
        if entry["module"] is None and not selection.without & {entry["name"], *entry["kinds"]}
    ]
    recorder.put(get_key("api/dashboards"), listed, label=LABEL, owner=None)
    for entry in listed:
        # Only now: what searches the whole log directory has recorded what is there of the chosen runs.
        if entry.get("has_data") and get_key(entry["has_data"]) not in recorder.spool:
            recorder.get(entry["has_data"], label=LABEL, owner=None)
