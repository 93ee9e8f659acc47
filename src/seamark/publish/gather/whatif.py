"""Sets of examples: their columns and rows, and the analyses that What-If opens with. The rest needs a server."""

from __future__ import annotations

from typing import Any

from seamark.publish.gather.selection import Selection
from seamark.publish.request_key import post_key

ROUTES = "api/dashboards/whatif"
LABEL = "examples"
DERIVED = ("=score", "=prediction", "=correct", "=error")
MAX_ROWS = 20_000
NO_STEP = -1


def gather_examples(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.get(f"{ROUTES}/sets", label="lists", owner=None)
    for one in listed["sets"] if listed else []:
        if one["run"] not in selection.unchanged:
            gather_set(selection, one["run"], one["name"])


def gather_worst_slices(selection: Selection, body: dict[str, object], place: dict[str, Any]) -> None:
    """Without the time it took, which would be another one with every publish."""
    route = f"{ROUTES}/worst_slices"
    answer = selection.recorder.application.post(route, body)
    if answer.is_ok:
        selection.recorder.put(post_key(route, body), {**answer.json(), "took_ms": 0}, **place)


def gather_set(selection: Selection, run: str, name: str) -> None:
    recorder = selection.recorder
    place: dict[str, Any] = {"label": LABEL, "owner": run, "order": (name,)}
    names: list[tuple[str, object]] = [("run", run), ("name", name), ("step", NO_STEP)]
    where = {"run": run, "name": name, "step": NO_STEP}
    info = recorder.get(f"{ROUTES}/info", names, **place)
    if info is None:
        return
    for column in info["columns"]:
        recorder.get(f"{ROUTES}/column", [*names, ("column", column["name"])], **place)
    for model in info["models"]:
        for column in DERIVED:
            recorder.get(f"{ROUTES}/column", [*names, ("column", column), ("model", model["name"])], **place)
        body = {**where, "model": model["name"]}
        gather_worst_slices(selection, {**body, "threshold": 0.5}, place)
        performance = {"filter": {"query": "", "conditions": []}, "slice_by": [], "bins": 4, "positive": ""}
        recorder.post(f"{ROUTES}/performance", {**body, **performance, "cost_ratio": 1}, **place)
    recorder.post(f"{ROUTES}/features", {**where, "filter": {"query": "", "conditions": []}}, **place)
    if info["rows"] <= MAX_ROWS:
        answer = recorder.application.post(f"{ROUTES}/rows", {**where, "rows": list(range(info["rows"]))})
        if answer.is_ok:
            recorder.put(f"examples\0{run}\0{name}", answer.json(), **place)
