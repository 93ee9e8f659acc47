"""/api/diff, /api/groups, /api/objective and /api/importance: comparisons of runs.

The modules of `compare` are imported by the first request, so that the server starts without them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from starlette.responses import Response

from seamark.format.numbers import parse_non_finite
from seamark.plugin import NO_STORE, RequestError, json_bytes, not_found
from seamark.plugin.response import JSON
from seamark.plugin.service_routes import post
from seamark.serve.api.compare_types import (
    DiffBody,
    DiffResponse,
    GroupsBody,
    GroupsResponse,
    ImportanceBody,
    ImportanceResponse,
    ObjectiveResponse,
)
from seamark.serve.api.table import with_query_errors
from seamark.serve.api.trials import selected_trials
from seamark.serve.api.types import NO_SUCH_RUN, QUERY_ERROR, SelectionBody
from seamark.serve.http.cache import SingleFlightCache
from seamark.serve.run_tables import RunTables

if TYPE_CHECKING:
    from seamark.compare import RunTable
    from seamark.compare.columns.column import Cell
    from seamark.compare.groups.groups import Group, GroupMetric
    from seamark.compare.importance.importance_report import ImportanceData
    from seamark.compare.selections import Selection


class Comparisons:
    def __init__(self, tables: RunTables) -> None:
        self._tables = tables
        # A forest takes a good part of a second; for runs that have not changed it is fitted once.
        self._forests = SingleFlightCache[int](lambda: 0)

    @post(errors={404: NO_SUCH_RUN}, pool="table")
    @with_query_errors
    def diff(self, body: DiffBody) -> Annotated[dict[str, Any], DiffResponse]:
        """What differs between runs, and where their curves diverge."""
        from seamark.compare.diff.difference import UnknownRunError, difference_of

        runs = list(dict.fromkeys(body.runs))
        if len(runs) < 2:
            raise RequestError("runs must name at least 2 different runs, got 1", code="invalid_parameter")
        try:
            return difference_of(self._tables.current(), runs, body.tags).as_dict()
        except UnknownRunError as error:
            raise not_found(str(error)) from None

    @post(errors={400: QUERY_ERROR}, pool="table")
    @with_query_errors
    def groups(self, body: GroupsBody) -> Annotated[dict[str, Any], GroupsResponse]:
        """Runs grouped by columns, with the statistics of each group."""
        from seamark.compare.groups.groups import GroupError, measured

        by, metrics = list(dict.fromkeys(body.by)), list(dict.fromkeys(body.metrics))
        table = self._tables.current()
        try:
            with table.hold():
                chosen = selected(table, body)
                runs = measured(table, chosen.rows, by=by, metrics=metrics, goals=body.goal or {}, tail=body.tail)
            found = runs.grouped(baseline=baseline(body.baseline, len(by)))
        except GroupError as error:
            raise RequestError(str(error), code="invalid_parameter") from None
        answer = {"by": by, "groups": [group_json(group) for group in found.groups], "problems": found.problems}
        computed_here = chosen.computed_here or runs.computed_here
        return {**answer, "computed_here": computed_here} if computed_here else answer

    @post(errors={400: QUERY_ERROR}, pool="table")
    @with_query_errors
    def objective(self, body: SelectionBody) -> Annotated[dict[str, Any], ObjectiveResponse]:
        """The metric that the runs were tuned for, or the likely ones."""
        from seamark.compare.objective.objective import choose_objective

        table = self._tables.current()
        with table.hold():
            return asdict(choose_objective(table, selected(table, body).rows))

    @post(errors={400: QUERY_ERROR}, pool="table")
    @with_query_errors
    def importance(self, body: ImportanceBody) -> Annotated[Response, ImportanceResponse]:
        """Which hyperparameters matter for a column, and the effect of each."""
        from seamark.compare.groups.groups import GroupError
        from seamark.compare.importance.importance_report import trials_of

        params = None if body.params is None else list(dict.fromkeys(body.params))
        table = self._tables.current()
        try:
            with table.hold():
                chosen = selected_trials(table, body)
                rows = chosen.trials.rows_of(chosen.order)
                trials = trials_of(table, rows, body.target, goal=body.goal or "", params=params, tail=body.tail)
        except GroupError as error:
            raise RequestError(str(error), code="invalid_parameter") from None
        content, _ = self._forests.get(
            trials.mark, lambda: json_bytes(importance_json(trials)), is_fresh=lambda _: True
        )
        return Response(content, media_type=JSON, headers=dict(NO_STORE))


def importance_json(trials: ImportanceData) -> dict[str, Any]:
    report = asdict(trials.importance_report())
    if not report["problem"]:
        del report["problem"]
    return report


def selected(table: RunTable, selection: SelectionBody) -> Selection:
    return table.select(selection.query, runs=selection.runs, archived=selection.archived, tail=selection.tail)


def group_json(group: Group) -> dict[str, Any]:
    metrics = {name: metric_json(metric) for name, metric in group.metrics.items()}
    return {"key": list(group.key), "runs": group.runs, "metrics": metrics}


def metric_json(metric: GroupMetric) -> dict[str, Any]:
    fields = asdict(metric)
    fields |= fields.pop("summary")
    if fields["against"] is None:
        del fields["against"]
    return fields


def baseline(key: Sequence[Any] | None, count: int) -> list[Cell] | None:
    if key is None:
        return None
    if len(key) != count:
        sentence = f"baseline must have {count} values, one for each column of by, got {len(key)}"
        raise RequestError(sentence, code="invalid_parameter")
    return [parse_non_finite(value) for value in key]
