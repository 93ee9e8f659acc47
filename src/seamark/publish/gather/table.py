"""The table of runs, column by column; the page sorts and selects rows (web/src/data/site/runs/table_answers.ts)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from seamark.publish.gather.selection import Selection
from seamark.publish.redaction import names_of_paths, published_status
from seamark.publish.request_key import get_key

LABEL = "table of runs"
# They name the machine.
LEFT_OUT = frozenset({"run:path", "run:host"})
COMMAND = "run:command"
STATUS = "run:status"
COLUMNS_PER_REQUEST = 200
DEFAULT_GOAL = "min"


def column_key(column: str) -> str:
    """One blob for a column, or for all statistics of a metric."""
    return f"column\0{column}"


def gather_table(selection: Selection) -> None:
    recorder = selection.recorder
    listed = recorder.ask("api/table/columns").json()
    listed["columns"] = [column for column in listed["columns"] if column["id"] not in LEFT_OUT]
    for column in listed["columns"]:
        # Their values are changed below, so what is offered as a filter would not match.
        if column["id"] in (COMMAND, STATUS) and column["values"]:
            column["values"] = None
    recorder.put(get_key("api/table/columns"), {**listed, "version": 1}, label=LABEL, owner=None)
    rows = recorder.application.post("api/table", {"archived": "show"}).json()["runs"]
    recorder.put("rows", rows, label=LABEL, owner=None)
    gather_statuses(selection)
    for group in groups(listed["columns"]):
        ids = [name for column in group for name in ids_of(column)]
        answer = recorder.application.post("api/table", {"archived": "show", "columns": ids}).json()
        found = {column["id"]: {"type": column["type"], "values": column["values"]} for column in answer["columns"]}
        for column in group:
            own = {name: found[name] for name in ids_of(column)}
            if column["id"] == COMMAND:
                own[COMMAND]["values"] = [names_of_paths(text) if text else text for text in own[COMMAND]["values"]]
            if column["id"] == STATUS:
                own[STATUS]["values"] = [text and published_status(text) for text in own[STATUS]["values"]]
            recorder.put(column_key(column["id"]), own, label=LABEL, owner=None, order=(column["id"],))
    gather_objective(selection, rows)


def gather_statuses(selection: Selection) -> None:
    """After the table was built: before, the server says that they are not known."""
    listed = selection.recorder.ask("api/table/statuses").json()
    statuses: dict[str, list[str]] = {}
    for status, runs in listed["statuses"].items():
        statuses.setdefault(published_status(status), []).extend(runs)
    # In an order that is the same with every publish.
    found = {"is_known": True, "statuses": {status: sorted(statuses[status]) for status in sorted(statuses)}}
    selection.recorder.put(get_key("api/table/statuses"), found, label=LABEL, owner=None)


def ids_of(column: dict[str, Any]) -> list[str]:
    return [f"{column['id']}:{stat}" for stat in column.get("stats", ())] or [column["id"]]


def groups(columns: Sequence[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(columns), COLUMNS_PER_REQUEST):
        yield list(columns[start : start + COLUMNS_PER_REQUEST])


def gather_objective(selection: Selection, rows: Sequence[str]) -> None:
    """What the runs were tuned for, and which parameters mattered for it, over all runs."""
    recorder = selection.recorder
    found = recorder.post("api/objective", {}, label=LABEL, owner=None)
    objective = found.get("objective") if found else None
    if objective is None:
        return
    body = {"target": objective["id"], "goal": objective["goal"], "runs": list(rows)}
    answer = recorder.application.post("api/importance", body)
    if answer.is_ok:
        recorder.put(importance_key(objective["id"], objective["goal"]), answer.json(), label=LABEL, owner=None)


def importance_key(target: str, goal: str) -> str:
    return f"importance\0{target}\0{goal}"
