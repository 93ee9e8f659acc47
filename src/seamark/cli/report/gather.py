"""What a report says: the runs and their table, the charts, what differs, and notes as safe HTML."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seamark import __version__
from seamark.cli.amounts import counted
from seamark.cli.diff import parting_of
from seamark.cli.report.charts import Chart, charts_of
from seamark.cli.sheet import json_value
from seamark.compare import Difference
from seamark.compare.metric_names import interest
from seamark.format.types import Tag
from seamark.kinds.rich_text import rich_html
from seamark.read import Runs
from seamark.read.table import short_names, telling_columns

# Of columns that nobody asked for.
PARAMS, METRICS = 60, 12
# Beyond so many runs a table of differences cannot be read.
MOST_COMPARED = 8
MOST_PATCH = 200_000
# A note longer than this is no note.
MOST_NOTE = 100_000


@dataclass(frozen=True, slots=True)
class Wishes:
    title: str
    query: str
    notes: str  # Markdown
    columns: Sequence[str]
    tags: Sequence[str] | None  # None: all
    compared: Sequence[str] | None  # None: all, if they are few
    budget_bytes: int


@dataclass(frozen=True, slots=True)
class Gathered:
    report: dict[str, Any]
    charts: list[Chart]


def gather(runs: Runs, state: Mapping[str, Mapping[str, Any]], wishes: Wishes, *, now: float | None = None) -> Gathered:
    """`report` as web/src/report/data.ts has it, but for the list of charts."""
    tags = sorted(runs.tags() if wishes.tags is None else wishes.tags, key=interest)
    charts = charts_of(runs._store, runs.names, [Tag(tag) for tag in tags], budget_bytes=wishes.budget_bytes)
    diff, remark = compared(runs, wishes.compared)
    report = {
        "title": wishes.title,
        "madeSecs": time.time() if now is None else now,
        "version": __version__,
        "query": wishes.query,
        "notes": rich_html(wishes.notes[:MOST_NOTE]),
        "remarks": [*charts.remarks, *([remark] if remark else []), *problems_of(runs)],
        "runs": told_runs(runs, state),
        "table": table_of(runs, wishes.columns),
        "diff": None if diff is None else told_difference(diff),
    }
    plain: dict[str, Any] = json_value(report)
    return Gathered(plain, charts.charts)


def told_runs(runs: Runs, state: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Colours by the place of a run among all runs of the log directory, as the page gives them."""
    places = {info.name: place for place, info in enumerate(runs._store.runs())}
    table = runs.table(["label", "notes"])
    noted = zip(runs.names, table["label"].tolist(), table["notes"].tolist(), strict=True)
    return [
        {
            "name": name,
            "label": label or "",
            "colour": state.get(name, {}).get("colour") or "",
            "place": places.get(name, 0),
            "notes": rich_html(note[:MOST_NOTE]) if note else "",
        }
        for name, label, note in noted
    ]


def table_of(runs: Runs, columns: Sequence[str]) -> list[dict[str, Any]]:
    table = runs._library.table
    rows = runs._rows()
    ids = [table.resolve(name) for name in columns]
    if not ids:
        ids = [
            column for column in telling_columns(table, rows, params=PARAMS, metrics=METRICS) if column != "run:name"
        ]
    told = []
    for name, column in zip(columns or short_names(ids), ids, strict=True):
        found = table.column(column)
        told.append({"id": column, "name": name, "type": found.type, "values": found.cells(rows)})
    return told


def compared(runs: Runs, names: Sequence[str] | None) -> tuple[Difference | None, str]:
    if names is not None:
        return runs[list(names)].diff(), ""
    if len(runs) < 2:
        return None, ""
    if len(runs) > MOST_COMPARED:
        most = f"at most {MOST_COMPARED} are compared by themselves"
        return None, f"What differs between {counted(len(runs), 'run')} is left out: {most}, others with --compare."
    return runs.diff(), ""


def told_difference(found: Difference) -> dict[str, Any]:
    return {
        "runs": found.runs,
        "sections": [
            {"name": section.name, "rows": [{"key": row.key, "values": row.values} for row in section.rows]}
            for section in found.changed()
        ],
        "metrics": [
            {
                "tag": row.tag,
                "goal": row.goal,
                "final": row.final,
                "best": row.best,
                "best_step": row.best_step,
                "parting": parting_of(row),
            }
            for row in found.metrics
        ],
        "gitDiffs": [
            {"run": run, "text": patch[:MOST_PATCH]}
            for run, patch in zip(found.runs, found.git_diffs, strict=True)
            if patch
        ],
    }


def problems_of(runs: Runs) -> list[str]:
    """Without the folder's path: a report is for others."""
    found = runs.problems
    if not found:
        return []
    return [f"{counted(len(found), 'problem')} with the event files: seamark inspect names them."]
