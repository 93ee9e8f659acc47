"""From runs to answers: the table of runs, the query language, statistics and differences.

table = RunTable(store, state)           # a row per run; refresh() follows what is written
rows = table.select('lr < 0.01 and metric["val/loss"].min < 0.3', sort=["metric:val/loss:min"])
table.column("param:lr").cells(rows)     # .values and .present are NumPy arrays over all runs
difference_of(table, ["a", "b"])         # what differs, and where the curves part
measured(table, rows, by=["param:lr"], metrics=["metric:val/loss:min"]).grouped(baseline=[0.1])
choose_objective(table, rows).objective  # what they were tuned for, if that is certain
trials_of(table, rows, "metric:val/loss:min").what_mattered()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from seamark.compare.box import NameFilter, kind_of
    from seamark.compare.box import compile_query as compile
    from seamark.compare.column_info import ColumnInfo
    from seamark.compare.columns import RUN_FIELDS, STATS, Column, UnknownColumnError
    from seamark.compare.completion import Completion, complete
    from seamark.compare.difference import Difference, UnknownRunError, difference_of
    from seamark.compare.expression import Query, QueryError
    from seamark.compare.groups import GroupError, measured
    from seamark.compare.objective import Candidate, ObjectiveChoice, choose_objective
    from seamark.compare.record import Record
    from seamark.compare.records import Records
    from seamark.compare.settings import DEFAULT_TAIL
    from seamark.compare.table import RunTable
    from seamark.compare.what_mattered import trials_of

# Loaded when first asked for: a server reads files while what it answers with is still being loaded.
_HOMES = {
    "DEFAULT_TAIL": "settings:DEFAULT_TAIL",
    "RUN_FIELDS": "columns:RUN_FIELDS",
    "STATS": "columns:STATS",
    "Candidate": "objective:Candidate",
    "Column": "columns:Column",
    "ColumnInfo": "column_info:ColumnInfo",
    "Completion": "completion:Completion",
    "Difference": "difference:Difference",
    "GroupError": "groups:GroupError",
    "NameFilter": "box:NameFilter",
    "ObjectiveChoice": "objective:ObjectiveChoice",
    "Query": "expression:Query",
    "QueryError": "expression:QueryError",
    "Record": "record:Record",
    "Records": "records:Records",
    "RunTable": "table:RunTable",
    "UnknownColumnError": "columns:UnknownColumnError",
    "choose_objective": "objective:choose_objective",
    "complete": "completion:complete",
    "UnknownRunError": "difference:UnknownRunError",
    "compile": "box:compile_query",
    "difference_of": "difference:difference_of",
    "kind_of": "box:kind_of",
    "measured": "groups:measured",
    "trials_of": "what_mattered:trials_of",
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
    "kind_of",
    "measured",
    "trials_of",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    value = globals()[name] = getattr(import_module(f"{__name__}.{module}"), attribute)
    return value
