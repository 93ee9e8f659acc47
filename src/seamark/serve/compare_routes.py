"""Comparing runs: groups of them, what mattered, and what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from seamark.serve import compare_schemas as schemas
from seamark.serve.answers import BadRequestError, NotFoundError, json_bytes
from seamark.serve.endpoint import Endpoint
from seamark.serve.remembered import Remembered
from seamark.serve.run_routes import NO_RUN
from seamark.serve.series_query import names
from seamark.serve.table_body import Selection, check_known, selection_of
from seamark.serve.table_routes import asked_in_thread
from seamark.serve.table_schemas import QUERY_ERROR
from seamark.serve.tables import Tables

if TYPE_CHECKING:
    from seamark.compare import RunTable
    from seamark.compare.columns import Cell
    from seamark.compare.groups import Group, GroupMetric
    from seamark.compare.what_mattered import Trials

MAX_DIFF_RUNS = 20
MAX_COLUMNS = 50
SELECTION = ("query", "runs", "archived", "tail")
GOALS = ("min", "max")


def compare_endpoints(tables: Tables) -> list[Endpoint]:
    # A forest takes a good part of a second: for runs that have not changed it is done once.
    forests = Remembered(lambda: 0)
    return [
        Endpoint(
            path="/diff", method="POST", stream=asked_in_thread(lambda given: diff_answer(tables, given)),
            body=schemas.DIFF_BODY, schema=schemas.DIFF, statuses=NO_RUN,
            summary="What differs between runs, and where their curves part.",
        ),
        Endpoint(
            path="/groups", method="POST", stream=asked_in_thread(lambda given: groups_answer(tables, given)),
            body=schemas.GROUPS_BODY, schema=schemas.GROUPS, error=QUERY_ERROR,
            summary="Runs grouped by columns, with the statistics of each group.",
        ),
        Endpoint(
            path="/objective", method="POST", stream=asked_in_thread(lambda given: objective_answer(tables, given)),
            body=schemas.OBJECTIVE_BODY, schema=schemas.OBJECTIVE, error=QUERY_ERROR,
            summary="What the runs were tuned for, or what may be meant where that is not certain.",
        ),
        Endpoint(
            path="/importance", method="POST",
            stream=asked_in_thread(lambda given: importance_answer(tables, given, forests)),
            body=schemas.IMPORTANCE_BODY, schema=schemas.IMPORTANCE, error=QUERY_ERROR,
            summary="Which hyperparameters mattered for a column, and how it goes along with each.",
        ),
    ]  # fmt: skip


def diff_answer(tables: Tables, given: Mapping[str, Any]) -> dict[str, Any]:
    from seamark.compare.difference import UnknownRunError, difference_of  # here and below: a server starts without

    check_known(given, ("runs", "tags"))
    runs, tags = list(dict.fromkeys(names(given, "runs") or [])), names(given, "tags")
    if not 2 <= len(runs) <= MAX_DIFF_RUNS:
        raise BadRequestError(f"runs names 2 to {MAX_DIFF_RUNS} different runs, got {len(runs)}")
    try:
        return difference_of(tables.current(), runs, tags).as_dict()
    except UnknownRunError as error:
        raise NotFoundError(str(error)) from None


def groups_answer(tables: Tables, given: Mapping[str, Any]) -> dict[str, Any]:
    from seamark.compare.groups import GroupError, measured

    check_known(given, (*SELECTION, "by", "metrics", "baseline", "goal"))
    selection, by, metrics = selection_of(given), columns(given, "by"), columns(given, "metrics")
    table = tables.current()
    try:
        with table.hold():
            rows = selected(table, selection)
            runs = measured(table, rows, by=by, metrics=metrics, goals=goals(given), tail=selection.tail)
        told = runs.grouped(baseline=baseline(given, len(by)))
    except GroupError as error:
        raise BadRequestError(str(error)) from None
    return {"by": by, "groups": [group_json(group) for group in told.groups], "problems": told.problems}


def objective_answer(tables: Tables, given: Mapping[str, Any]) -> dict[str, Any]:
    from seamark.compare.objective import choose_objective

    check_known(given, SELECTION)
    table, selection = tables.current(), selection_of(given)
    with table.hold():
        return asdict(choose_objective(table, selected(table, selection)))


def importance_answer(tables: Tables, given: Mapping[str, Any], forests: Remembered) -> Any:
    from seamark.compare.groups import GroupError
    from seamark.compare.what_mattered import trials_of

    check_known(given, (*SELECTION, "target", "goal", "params"))
    selection, goal = selection_of(given), given.get("goal")
    target, params = given.get("target"), names(given, "params")
    if not isinstance(target, str):
        raise BadRequestError("no target given: want the id of a column of numbers")
    if goal not in (None, *GOALS):
        raise BadRequestError(f"goal is min or max, got {goal!r}"[:200])
    columns = None if params is None else list(dict.fromkeys(params))
    table = tables.current()
    try:
        with table.hold():
            rows = selected(table, selection)
            trials = trials_of(table, rows, target, goal=goal or "", params=columns, tail=selection.tail)
    except GroupError as error:
        raise BadRequestError(str(error)) from None
    made, _ = forests.get(trials.mark, lambda: json_bytes(importance_json(trials)), is_fresh=lambda _: True)
    return json.loads(made)


def importance_json(trials: Trials) -> dict[str, Any]:
    answer = asdict(trials.what_mattered())
    if not answer["problem"]:
        del answer["problem"]
    return answer


def selected(table: RunTable, which: Selection) -> NDArray[np.intp]:
    return table.select(which.query, runs=which.runs, archived=which.archived, tail=which.tail)


def group_json(group: Group) -> dict[str, Any]:
    metrics = {name: metric_json(metric) for name, metric in group.metrics.items()}
    return {"key": list(group.key), "runs": group.runs, "metrics": metrics}


def metric_json(metric: GroupMetric) -> dict[str, Any]:
    told = asdict(metric)
    told |= told.pop("summary")
    if told["against"] is None:
        del told["against"]
    return told


def columns(given: Mapping[str, Any], name: str) -> list[str]:
    found = list(dict.fromkeys(names(given, name) or []))
    if len(found) > MAX_COLUMNS:
        raise BadRequestError(f"{name} names at most {MAX_COLUMNS} columns, got {len(found)}")
    return found


def goals(given: Mapping[str, Any]) -> dict[str, str]:
    told = given.get("goal") or {}
    if not isinstance(told, dict) or any(value not in GOALS for value in told.values()):
        raise BadRequestError(f"goal says min or max for columns, got {told!r}"[:200])
    return told


def baseline(given: Mapping[str, Any], count: int) -> list[Cell] | None:
    key = given.get("baseline")
    if key is None:
        return None
    if not isinstance(key, list) or len(key) != count:
        raise BadRequestError(f"baseline is a list of {count} values, one for each column of by, got {key!r}"[:200])
    spoken = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}
    return [spoken.get(value, value) if isinstance(value, str) else value for value in key]
