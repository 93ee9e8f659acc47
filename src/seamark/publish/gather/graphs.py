"""Graphs: the first view of each, the views that opening or closing groups leads to, layers and details of boxes.

Which groups are open is a set, so that all views are too many: those along each path down are stored, up to MAX_VIEWS.
The page shows the nearest one (web/src/data/site/kinds/graph_answers.ts).
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any

from seamark.publish.gather.selection import Selection

ROUTES = "api/dashboards/graphs"
LABEL = "graphs"
MAX_VIEWS = 150
MAX_DETAILS = 3000


def view_key(run: str, graph: str, groups: list[str] | None) -> str:
    groups = None if groups is None else sorted(groups)
    return f"graph\0{run}\0{graph}\0{json.dumps(groups, separators=(',', ':'), ensure_ascii=False)}"


def gather_graphs(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.get(f"{ROUTES}/graphs", label="lists", owner=None)
    for entry in listed["graphs"] if listed else []:
        run, graph = entry["run"], entry["graph"]
        if run in selection.unchanged:
            continue
        place: dict[str, Any] = {"label": LABEL, "owner": run, "order": (graph,)}
        names: list[tuple[str, object]] = [("run", run), ("graph", graph)]
        for profile in ["", *(one["tag"] for one in entry["profiles"])]:
            recorder.get(f"{ROUTES}/layers", [*names, ("profile", profile)], **place)
            recorder.get(f"{ROUTES}/colours", [*names, ("profile", profile)], **place)
        for box in gather_views(selection, run, graph)[:MAX_DETAILS]:
            recorder.get(f"{ROUTES}/details", [*names, ("id", box)], **place)
        recorder.get(f"{ROUTES}/export", names, **place)


def gather_views(selection: Selection, run: str, graph: str) -> list[str]:
    """Records the views of one graph. Returns the boxes that they show."""
    recorder = selection.recorder
    waiting: deque[list[str] | None] = deque([None])
    states: list[list[str]] = []
    boxes: dict[str, None] = {}
    while waiting and len(states) < MAX_VIEWS:
        groups = waiting.popleft()
        answer = recorder.application.post(f"{ROUTES}/view", {"run": run, "graph": graph, "open": groups})
        if not answer.is_ok:
            continue
        view = answer.json()
        opened = sorted(view["open"])
        if opened in states:
            continue
        states.append(opened)
        boxes |= dict.fromkeys(view["boxes"]["id"])
        for key in {view_key(run, graph, opened), view_key(run, graph, groups)}:
            recorder.put(key, view, label=LABEL, owner=run, order=(graph,))
        shown = view["boxes"]
        for box, kind, is_open in zip(shown["id"], shown["type"], shown["is_open"], strict=True):
            if kind != "op":
                waiting.append([one for one in opened if one != box] if is_open else [*opened, box])
    recorder.put(f"graph\0{run}\0{graph}", states, label=LABEL, owner=run, order=(graph,))
    return list(boxes)
