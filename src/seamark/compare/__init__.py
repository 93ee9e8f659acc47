"""Comparing runs: the run table, the query language, statistics and differences.

table = RunTable(store, state)           # a row per run; refresh() reads what is new
rows = table.select('lr < 0.01 and metric["val/loss"].min < 0.3', sort=["metric:val/loss:min"]).rows
table.column("param:lr").cells(rows)     # .values and .present are NumPy arrays over all runs
difference_of(table, ["a", "b"])         # what differs, and where the curves diverge
measured(table, rows, by=["param:lr"], metrics=["metric:val/loss:min"]).grouped(baseline=[0.1])
choose_objective(table, rows).objective  # the metric they were tuned for, if that is certain
trials_of(table, rows, "metric:val/loss:min").importance_report()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.compare.columns.column import RUN_FIELDS, STATS, Column, UnknownColumnError
    from seamark.compare.columns.column_info import ColumnInfo
    from seamark.compare.diff.difference import Difference, UnknownRunError, difference_of
    from seamark.compare.groups.groups import GroupError, measured
    from seamark.compare.importance.importance_report import trials_of
    from seamark.compare.objective.objective import Candidate, ObjectiveChoice, choose_objective
    from seamark.compare.query.completion import Completion, complete
    from seamark.compare.query.expression import Query, QueryError
    from seamark.compare.query.run_filter import NameFilter, query_form
    from seamark.compare.query.run_filter import compile_query as compile
    from seamark.compare.record.merged_runs import MergedRun, MergedRuns
    from seamark.compare.record.record import Record
    from seamark.compare.record.records import Records
    from seamark.compare.run_table import RunTable
    from seamark.compare.settings import DEFAULT_TAIL

# Imported on first use: a server starts reading files before these modules are loaded.
_LAZY_EXPORTS = {
    "DEFAULT_TAIL": "settings:DEFAULT_TAIL",
    "RUN_FIELDS": "columns.column:RUN_FIELDS",
    "STATS": "columns.column:STATS",
    "Candidate": "objective.objective:Candidate",
    "Column": "columns.column:Column",
    "ColumnInfo": "columns.column_info:ColumnInfo",
    "Completion": "query.completion:Completion",
    "Difference": "diff.difference:Difference",
    "GroupError": "groups.groups:GroupError",
    "MergedRun": "record.merged_runs:MergedRun",
    "MergedRuns": "record.merged_runs:MergedRuns",
    "NameFilter": "query.run_filter:NameFilter",
    "ObjectiveChoice": "objective.objective:ObjectiveChoice",
    "Query": "query.expression:Query",
    "QueryError": "query.expression:QueryError",
    "Record": "record.record:Record",
    "Records": "record.records:Records",
    "RunTable": "run_table:RunTable",
    "UnknownColumnError": "columns.column:UnknownColumnError",
    "choose_objective": "objective.objective:choose_objective",
    "complete": "query.completion:complete",
    "UnknownRunError": "diff.difference:UnknownRunError",
    "compile": "query.run_filter:compile_query",
    "difference_of": "diff.difference:difference_of",
    "query_form": "query.run_filter:query_form",
    "measured": "groups.groups:measured",
    "trials_of": "importance.importance_report:trials_of",
}
__all__ = [
    "DEFAULT_TAIL",
    "RUN_FIELDS",
    "STATS",
    "Candidate",
    "Column",
    "ColumnInfo",
    "Completion",
    "Difference",
    "GroupError",
    "MergedRun",
    "MergedRuns",
    "NameFilter",
    "ObjectiveChoice",
    "Query",
    "QueryError",
    "Record",
    "Records",
    "RunTable",
    "UnknownColumnError",
    "UnknownRunError",
    "choose_objective",
    "compile",
    "complete",
    "difference_of",
    "measured",
    "query_form",
    "trials_of",
]


def __getattr__(name: str) -> object:
    if name not in _LAZY_EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _LAZY_EXPORTS[name].partition(":")
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), attribute)
    return value
