"""Collects the content of a report: runs, table, charts, differences, and notes as safe HTML."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seamark.cli.output.divergence_text import divergence_text
from seamark.cli.output.number_format import counted
from seamark.cli.report.charts import Chart, charts_of
from seamark.compare import Difference
from seamark.compare.columns.metric_names import interest
from seamark.format.numbers import json_safe
from seamark.format.types import Tag
from seamark.kinds.markdown.rich_text import rich_html
from seamark.read import Runs
from seamark.read.table import short_names, telling_columns
from seamark.version import __version__

# The maximum number of columns, unless --columns names them.
MAX_PARAMS, MAX_METRICS = 60, 12
# A table of differences between more runs is unreadable.
MAX_COMPARED = 8
MAX_PATCH_CHARS = 200_000
# Longer notes are cut.
MAX_NOTE_CHARS = 100_000


@dataclass(frozen=True, slots=True)
class ReportOptions:
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


def gather(
    runs: Runs, state: Mapping[str, Mapping[str, Any]], options: ReportOptions, *, now: float | None = None
) -> Gathered:
    """`report` has the fields of web/src/report/data.ts, without the list of charts."""
    tags = sorted(runs.tags() if options.tags is None else options.tags, key=interest)
    charts = charts_of(runs.store, runs.names, [Tag(tag) for tag in tags], budget_bytes=options.budget_bytes)
    diff, remark = compared(runs, options.compared)
    report = {
        "title": options.title,
        "madeSecs": time.time() if now is None else now,
        "version": __version__,
        "query": options.query,
        "notes": rich_html(options.notes[:MAX_NOTE_CHARS]),
        "remarks": [*charts.remarks, *([remark] if remark else []), *problems_of(runs)],
        "runs": run_entries(runs, state),
        "table": table_of(runs, options.columns),
        "diff": None if diff is None else difference_entry(diff),
    }
    plain: dict[str, Any] = json_safe(report)
    return Gathered(plain, charts.charts)


def run_entries(runs: Runs, state: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Colours follow the position of a run among all runs of the log directory, as on the page."""
    merged = runs.run_table.merged_into
    index = {name: at for at, name in enumerate(info.name for info in runs.store.runs() if info.name not in merged)}
    table = runs.table(["label", "notes"])
    rows = zip(runs.names, table["label"].tolist(), table["notes"].tolist(), strict=True)
    return [
        {
            "name": name,
            "label": label or "",
            "colour": state.get(name, {}).get("colour") or "",
            "place": index.get(merged.get(name, name), 0),
            "notes": rich_html(note[:MAX_NOTE_CHARS]) if note else "",
        }
        for name, label, note in rows
    ]


def table_of(runs: Runs, columns: Sequence[str]) -> list[dict[str, Any]]:
    table = runs.run_table
    rows = runs.rows()
    ids = [table.resolve(name) for name in columns]
    if not ids:
        ids = [
            column
            for column in telling_columns(table, rows, params=MAX_PARAMS, metrics=MAX_METRICS)
            if column != "run:name"
        ]
    entries = []
    for name, column in zip(columns or short_names(ids), ids, strict=True):
        found = table.column(column)
        entries.append({"id": column, "name": name, "type": found.type, "values": found.cells(rows)})
    return entries


def compared(runs: Runs, names: Sequence[str] | None) -> tuple[Difference | None, str]:
    if names is not None:
        return runs[list(names)].diff(), ""
    if len(runs) < 2:
        return None, ""
    if len(runs) > MAX_COMPARED:
        limit = f"at most {MAX_COMPARED} are compared by default"
        return None, f"Differences between {counted(len(runs), 'run')} are left out: {limit}, others with --compare."
    return runs.diff(), ""


def difference_entry(found: Difference) -> dict[str, Any]:
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
                "divergence": divergence_text(row),
            }
            for row in found.metrics
        ],
        "gitDiffs": [
            {"run": run, "text": patch[:MAX_PATCH_CHARS]}
            for run, patch in zip(found.runs, found.git_diffs, strict=True)
            if patch
        ],
    }


def problems_of(runs: Runs) -> list[str]:
    """Without paths, because a report may be shared."""
    found = runs.problems
    if not found:
        return []
    return [f"{counted(len(found), 'problem')} with the event files: seamark inspect names them."]
