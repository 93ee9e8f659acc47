"""Sets of examples: their rows, stored predictions, and the analyses of all rows that the page opens with.

No model runs on a host, and what depends on a choice, such as the slice, a changed row or a row's neighbours, needs a
server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seamark.publish.gather.selection import Selection
from seamark.publish.request_key import get_key, post_key

ROUTES = "api/dashboards/whatif"
LABEL = "examples"
LAST_STEP = -1
# The latest steps of a logged set.
MAX_STEPS = 50
ROWS_PER_BLOCK = 1000
# Of larger sets the values of rows are left out; the columns, which the pictures are drawn from, are not.
MAX_ROW_VALUES = 200_000
MAX_PICTURES = 2000
MAX_SLICED_COLUMNS = 40
# What the page requests before anything was chosen: the view's performance_model, worst_model and others.
ALL_ROWS = {"query": "", "conditions": []}
THRESHOLD = 0.5
BINS = 4
BY_THRESHOLD = ("=predicted", "=error", "=correct")

Names = list[tuple[str, object]]


def rows_key(run: str, name: str, step: int, block: int) -> str:
    """As in web/src/data/site/kinds/example_answers.ts."""
    return f"examples\0{run}\0{name}\0{step}\0{block}"


def gather_examples(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.ask(f"{ROUTES}/sets").json()
    sets = [one for one in listed["sets"] if selection.is_everything or one["run"] in selection.runs]
    recorder.put(get_key(f"{ROUTES}/sets"), {**listed, "sets": sets}, label="lists", owner=None)
    recorder.put(get_key(f"{ROUTES}/has_data"), {"has_data": bool(sets)}, label="lists", owner=None)
    for entry in sets:
        # What it is compared with may be of a run that changed, or is left out now.
        others = [one for one in sets if one is not entry]
        is_unchanged = entry["run"] in selection.unchanged and not others
        for step in () if is_unchanged else (LAST_STEP, *entry["steps"][-MAX_STEPS:]):
            ExampleGatherer(selection, entry["run"], entry["name"], step).gather(others)


class ExampleGatherer:
    """Records one set at one step."""

    def __init__(self, selection: Selection, run: str, name: str, step: int) -> None:
        self.recorder = selection.recorder
        self.set: dict[str, Any] = {"run": run, "name": name, "step": step}
        self.names: Names = list(self.set.items())
        # Of a file in the log directory itself there may be no run.
        owner = run if run in selection.runs else None
        self.place: dict[str, Any] = {"label": LABEL, "owner": owner, "order": (name, str(step))}

    def gather(self, others: list[dict[str, Any]]) -> None:
        info = self.recorder.get(f"{ROUTES}/info", self.names, **self.place)
        if info is None:
            return
        for parameters in columns_of(info):
            self.recorder.get(f"{ROUTES}/column", [*self.names, *parameters], **self.place)
        self.gather_rows(info)
        self.gather_pictures(info)
        self.gather_analyses(info, others)

    def gather_rows(self, info: dict[str, Any]) -> None:
        for start in range(0, min(info["rows"], MAX_ROW_VALUES), ROWS_PER_BLOCK):
            rows = list(range(start, min(start + ROWS_PER_BLOCK, info["rows"])))
            answer = self.recorder.application.post(f"{ROUTES}/rows", {**self.set, "rows": rows})
            if not answer.is_ok:
                return
            found = answer.json()
            block = {"columns": found["columns"], "values": found["values"]}
            key = rows_key(**self.set, block=start // ROWS_PER_BLOCK)
            self.recorder.put(key, block, **self.place)

    def gather_pictures(self, info: dict[str, Any]) -> None:
        for column in (one["name"] for one in info["columns"] if one["type"] == "image"):
            for row in range(min(info["rows"], MAX_PICTURES)):
                parameters = [*self.names, ("column", column), ("row", row)]
                self.recorder.get(f"{ROUTES}/picture", parameters, **self.place)

    def gather_analyses(self, info: dict[str, Any], others: list[dict[str, Any]]) -> None:
        for model in info["models"] if info["target"] else ():
            # They are large, so that earlier steps have those of all rows only.
            sliced = info["columns"][:MAX_SLICED_COLUMNS] if self.set["step"] == LAST_STEP else ()
            for slice_by in ([], *([one["name"]] for one in sliced)):
                for positive in ["", *(info["classes"] if info["task"] == "multiclass" and not slice_by else ())]:
                    options = {"slice_by": slice_by, "bins": BINS, "positive": positive, "cost_ratio": 1}
                    self.post("performance", {"model": model["name"], "filter": ALL_ROWS, **options})
            if info["task"] != "ranking":
                self.gather_worst_slices(model["name"])
        for comparison in comparisons(info, others):
            self.post("features", {"filter": ALL_ROWS, **comparison})
        if len(info["steps"]) > 1:
            self.post("training", {"step": LAST_STEP, "filter": ALL_ROWS, "slice_by": [], "threshold": THRESHOLD})

    def gather_worst_slices(self, model: str) -> None:
        body = {**self.set, "model": model, "threshold": THRESHOLD}
        answer = self.recorder.application.post(f"{ROUTES}/worst_slices", body)
        if answer.is_ok:
            # Without the time that it took, which is another one each time.
            found = {**answer.json(), "took_ms": 0}
            self.recorder.put(post_key(f"{ROUTES}/worst_slices", body), found, **self.place)

    def post(self, route: str, body: dict[str, Any]) -> None:
        self.recorder.post(f"{ROUTES}/{route}", {**self.set, **body}, **self.place)


def columns_of(info: dict[str, Any]) -> Iterator[Names]:
    """Those of the file, and those that are computed from stored predictions."""
    for column in info["columns"]:
        yield [("column", column["name"])]
    of_classes = info["classes"] if info["task"] == "multiclass" else ()
    computed = ["=score", *BY_THRESHOLD, *(f"=score:{name}" for name in of_classes)]
    models = [model["name"] for model in info["models"]]
    for model in models:
        for name in computed:
            has_threshold = info["task"] == "binary" and name in BY_THRESHOLD
            yield [("column", name), ("model", model), *([("threshold", THRESHOLD)] if has_threshold else [])]
        for other in (other for other in models if other != model):
            yield [("column", "=difference"), ("model", model), ("model2", other)]


def comparisons(info: dict[str, Any], others: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What the statistics of features are compared with."""
    yield {}
    for column in (one for one in info["columns"] if one["role"] == "split"):
        for value in column["names"]:
            yield {"other_filter": {"conditions": [{"column": column["name"], "values": [value]}]}}
    for other in others:
        yield {"other": {"run": other["run"], "name": other["name"]}}
