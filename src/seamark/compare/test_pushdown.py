"""Tables that a store computes itself: the requests it gets, evaluated row by row, give the rows of any other table."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cmp_to_key
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from seamark.compare import QueryError, RunTable, UnknownColumnError, measured
from seamark.compare.test_support import BEGAN, log_run, matching, write_record
from seamark.format.types import Tag
from seamark.store import Digests, LogRoot, Store
from seamark.store.ask.table_request import (
    WHOLE_STATS,
    And,
    Arithmetic,
    Compare,
    Constant,
    IsMissing,
    IsNan,
    MetricColumn,
    MetricOrder,
    MetricValue,
    Not,
    Or,
    RowNumber,
    RowTruth,
    TableRequest,
    TableRows,
    TruthNumber,
)  # fmt: skip

NAN, INF = math.nan, math.inf
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "min": np.minimum, "max": np.maximum,
}  # fmt: skip


class RowEngine:
    """Evaluates a request for one row after the other, from the digests of the embedded store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.requests: list[TableRequest] = []
        self._digests: dict[Tag, Digests] = {}

    def select(self, request: TableRequest) -> NDArray[np.intp]:
        self.requests.append(request)
        rows = range(len(request.rows.runs))
        if request.condition is not None:
            rows = [row for row in rows if self._truth(request, request.condition, row) == 2]  # type: ignore[assignment]
        return np.array(sorted(rows, key=cmp_to_key(lambda a, b: self._order(request, a, b))), np.intp)

    def values(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[MetricColumn]:
        found = [[self._metric(rows, metric, at) for at in range(len(rows.runs))] for metric in metrics]
        return [
            MetricColumn(np.array([NAN if v is None else v for v in one]), np.array([v is not None for v in one], bool))
            for one in found
        ]

    def spans(self, rows: TableRows, metrics: Sequence[MetricValue]) -> list[tuple[float | None, float | None]]:
        finite = [one.values[np.isfinite(one.values)].tolist() for one in self.values(rows, metrics)]
        return [(min(one), max(one)) if one else (None, None) for one in finite]

    def _metric(self, rows: TableRows, metric: MetricValue, at: int) -> float | None:
        run, tag = rows.sources.get(metric.tag, {}).get(at, (rows.runs[at], metric.tag))
        if tag not in self._digests:
            self._digests[tag] = self._store.digests([tag], self._store.run_names(), tail=10)[tag]
        found = self._digests[tag]
        value = float(getattr(found, metric.stat)[found.runs.index(run)]) if run in found.runs else None
        return None if value is not None and math.isnan(value) and metric.stat in WHOLE_STATS else value

    def _order(self, request: TableRequest, a: int, b: int) -> int:
        for one in request.order:
            keys = []
            for at in (a, b):
                if isinstance(one, MetricOrder):
                    value = self._metric(request.rows, one.metric, at)
                    last = 2 if value is None else 1 if math.isnan(value) else 0
                    keys.append((last, 0.0 if last or value is None else -value if one.descends else value))
                else:
                    keys.append((0, float(request.ranks[one.at][at])))
            if keys[0] != keys[1]:
                return -1 if keys[0] < keys[1] else 1
        return a - b

    def _truth(self, request: TableRequest, part: Any, at: int) -> int:
        match part:
            case RowTruth(at=column):
                return int(request.truths[column][at])
            case Compare(operator=sign, left=left, right=right):
                one, other = (self._number(request, side, at) for side in (left, right))
                return 1 if one is None or other is None else 2 * bool(SIGNS[sign](one, other))
            case IsNan(operand=operand):
                value = self._number(request, operand, at)
                return 1 if value is None else 2 * math.isnan(value)
            case IsMissing(operand=operand):
                return 2 * (self._number(request, operand, at) is None)
            case And(parts=parts):
                return min(self._truth(request, one, at) for one in parts)
            case Or(parts=parts):
                return max(self._truth(request, one, at) for one in parts)
            case Not(part=inner):
                return 2 - self._truth(request, inner, at)
        raise AssertionError(part)

    def _number(self, request: TableRequest, part: Any, at: int) -> float | None:
        match part:
            case Constant(value=value):
                return float(value)
            case MetricValue():
                return self._metric(request.rows, part, at)
            case RowNumber(at=column):
                values, present = request.numbers[column]
                return float(values[at]) if present[at] else None
            case TruthNumber(truth=truth):
                found = self._truth(request, truth, at)
                return None if found == 1 else float(found == 2)
            case Arithmetic(operator=sign, operands=operands):
                numbers = [self._number(request, one, at) for one in operands]
                if None in numbers:
                    return None
                first: Any = numbers[0]
                if sign in ("negate", "abs"):
                    return float(-first if sign == "negate" else abs(first))
                with np.errstate(all="ignore"):
                    for number in numbers[1:]:
                        first = SIGNS[sign](np.float64(first), np.float64(number))  # type: ignore[arg-type]
                return float(first)
        raise AssertionError(part)


class EngineStore(Store):
    @property
    def table_engine(self) -> Any:
        if not hasattr(self, "engine"):
            self.engine = RowEngine(self)
        return self.engine


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunTable, RunTable]]:
    """The same runs with and without an engine."""
    logdir: Path = tmp_path_factory.mktemp("logs")
    values = [0.0, 1.0, NAN, INF, -INF, 0.1, 2.5]
    for number in range(14):
        params = {"lr": number % 4 / 10, "opt": "adam" if number % 3 else "sgd", "x": "auto" if number % 5 else 1.0}
        curves = {"loss": [values[number % 7], 1.0]} | ({"acc": [values[-number % 7]]} if number % 2 else {})
        log_run(logdir / f"run{number}", params, began=BEGAN + number % 3, **curves)
        if number % 3 == 0:  # as add_hparams and add_scalars write it
            log_run(logdir / f"run{number}" / str(1_700_000_000 + number), params, final=[number / 2])
            log_run(logdir / f"run{number}" / "two_a", None, two=[float(number)])
    write_record(logdir / "run3", tags=["good"])
    options: dict[str, Any] = {"index_dir": None, "follow": False}
    with EngineStore([LogRoot("", logdir)], **options) as pushed, Store([LogRoot("", logdir)], **options) as plain:
        assert pushed.wait_loaded(30) and plain.wait_loaded(30)
        one, other = (
            RunTable(store, {"run4": {"archived": True}}, clock=lambda: BEGAN + 9) for store in (pushed, plain)
        )
        yield one, other


@pytest.mark.parametrize(
    "sort", [[], ["metric:acc:last"], ["-metric:loss:min", "param:opt"], ["-param:x", "-metric:acc:max"]]
)
@pytest.mark.parametrize(
    "query",
    [
        "", "run1", "loss.min < 1", "not (acc > 0.5)", "acc is None", "acc != None and lr < 0.25", "loss.last - acc > lr * 2",
        "acc in [1, None, 2.5]", "acc not in [0.1, None, lr]", "acc not in [0.1, 'text', lr]", "lr in [acc, loss.first]", "isnan(acc) or opt == 'sgd'",
        "0 < loss.min <= acc", "max(acc, lr, 1) == 1", "min(loss.min, loss.max) < abs(-acc)", "acc / loss.min > 1",
        "(acc > 1) == (lr > 0.1)", "acc and loss.min", "metric['final'] > 1 and 'run' in name", "metric['two/a'].count == 1",
        "acc > x", "x == 'auto' and acc > 0", "acc.min_step is None", "tag('good') or acc > 1", "hours(acc) > 3000",
        "loss.min + started > '2023-11-14'", "started + acc in ['2023-11-14', None]", "-acc < +loss.first", "acc < None",
        "acc == 'x'", "nope.min < acc", "acc > 'x' and opt", "metric['acc'].best > 1", "val/loss < 1", "acc + opt > 1",
    ],
)  # fmt: skip
def test_rows_errors_and_orders_are_the_same(tables: tuple[RunTable, RunTable], query: str, sort: list[str]) -> None:
    answers: list[Any] = []
    for table in tables:
        try:
            answers.append(matching(table, query, sort))
        except QueryError as error:
            answers.append((error.message, error.at, error.length))
    assert answers[0] == answers[1]
    assert tables[0].select(query, sort).computed_here == "" if isinstance(answers[0], list) else True


def test_only_what_needs_a_metric_is_sent(tables: tuple[RunTable, RunTable]) -> None:
    table = tables[0]
    requests = table.store.table_engine.requests  # type: ignore[union-attr]
    before = len(requests)
    matching(table, "lr < 0.2 and opt == 'adam'", ["param:lr"])
    assert len(requests) == before
    matching(table, "lr < 0.2 and acc > lr + 1 and matches(name, '1')", ["run:name"])
    (request,) = requests[before:]
    assert all("1" in run for run in request.rows.runs), "rows that the other conditions exclude are not sent"
    assert len(request.numbers) == 1 and request.truths == () and len(request.ranks) == 1


@pytest.mark.parametrize(
    "query", ["log(acc) < 1", "acc ** 2 > 1", "acc % 2 == 1", "acc in tags", "x in [acc, 'auto']", "acc in [1, x]"]
)
def test_what_an_engine_cannot_do_is_computed_here(tables: tuple[RunTable, RunTable], query: str) -> None:
    found = tables[0].select(query)
    assert found.computed_here.startswith("This server computed the table from all runs: the database ")
    assert tables[0].names_of(found.rows) == matching(tables[1], query)
    assert tables[1].select(query).computed_here == ""


def test_cells_ranges_and_groups_are_the_same(tables: tuple[RunTable, RunTable]) -> None:
    ids = ["metric:acc:last", "metric:acc:min_step", "param:lr", "metric:final:last", "run:name", "metric:two/a:max"]
    cells, spans, groups = [], [], []
    for table in tables:
        found = table.select("loss.max > 0", ["metric:acc:last"])
        columns = table.columns_at(ids, found.rows[1:6])
        cells.append(repr([column.cells(np.arange(len(column.values))) for column in columns]))
        spans.append(table.spans(ids, found))
        groups.append(repr(measured(table, found.rows, by=["param:opt"], metrics=ids[:2]).grouped()))
    assert cells[0] == cells[1] and spans[0] == spans[1] and groups[0] == groups[1]


def test_an_unknown_column_is_named(tables: tuple[RunTable, RunTable]) -> None:
    for table in tables:
        with pytest.raises(UnknownColumnError, match="there is no column 'metric:accc:last'; did you mean 'acc'"):
            table.select("acc > 1", ["metric:accc:last"])
