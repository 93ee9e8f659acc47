"""The table of runs from a database is that of the embedded store on the same logs: random queries, orders, groups."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamark.compare import GroupError, MergedRuns, QueryError, RunTable, UnknownColumnError, measured
from seamark.compare.columns.column import STATS
from seamark.compare.test_support import BEGAN, log_run, write_record
from seamark.store import LogRoot, Store
from seamark.store.ask.table_request import TableEngine, TableRequest
from seamark.store.test_contract import OpenStore
from seamark.store.test_support import TIMEOUT_SECS

NAN, INF = math.nan, math.inf
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors, HealthCheck.too_slow]
HOSTILE_TAG = "x' OR 1=1) -- {g0:String} \\ \" ` \t"
TAGS = ("loss", "val/acc", "sparse", "odd", "hparam/acc", "curves/a", "curves/b", HOSTILE_TAG)
HOSTILE_RUN = "it's; DROP TABLE series_local --"
VALUES = [0.0, -0.0, 1.0, 0.1, 0.30000000000000004, 2.5, -3.0, 1e300, -1e300, 5e-324, 1e-9, NAN, INF, -INF]


def write_runs(logdir: Path, count: int = 48) -> dict[str, Any]:
    """Writes runs with values that tie, differ in the last bit, overflow or are missing. Returns the saved state."""
    chance = random.Random(20)
    for number in range(count):
        name = HOSTILE_RUN if number == 7 else f"sweep{number % 3}/run{number}"
        params: dict[str, Any] = {"lr": chance.choice([0.1, 0.01, 1.0, 3.0]), "bn": chance.random() < 0.5}
        if chance.random() < 0.8:
            params["opt"] = chance.choice(["adam", "sgd", "Adam'; --"])
        if chance.random() < 0.7:
            params["mixed"] = chance.choice([1.0, 2.5, "auto", True])
        if chance.random() < 0.2:
            params["rare' param"] = chance.choice([1.0, 2.0])
        curves = {"loss": [chance.choice(VALUES) for _ in range(chance.randint(1, 15))]}
        for tag, share in (("val/acc", 0.8), ("sparse", 0.3), ("odd", 0.6), (HOSTILE_TAG, 0.3)):
            if chance.random() < share:
                curves[tag] = [chance.choice(VALUES[-6:] if tag == "odd" else VALUES) for _ in range(3)]
        began = BEGAN + chance.choice([0, 0, 60, 3600])
        log_run(logdir / name, params, began=began, **{tag.replace("/", "__"): rows for tag, rows in curves.items()})
        if number % 2:  # as torch's add_hparams: a run of its own with the results
            child = logdir / name / str(1_700_000_000 + number)
            log_run(child, params, began=began + 50, hparam__acc=[chance.choice(VALUES)])
        if number % 5 == 0:  # as torch's add_scalars: a run for each curve
            for curve in "ab":
                log_run(logdir / name / f"curves_{curve}", None, began=began, curves=[chance.choice(VALUES)])
        if number % 4 == 0:
            write_record(logdir / name, tags=[chance.choice(["good", "old"])], summary={"best": chance.choice([1, 2])})
    log_run(logdir / "without metrics", {"lr": 0.1})
    return {
        "sweep1/run4": {"label": "named 'x'", "star": True, "tags": ["good"]},
        "sweep2/run5": {"archived": True},
    }


class TablePair(NamedTuple):
    tested: RunTable
    embedded: RunTable
    pushed: list[TableRequest]  # what the database computed


class CountedEngine:
    """Passes everything on and notes the requests."""

    def __init__(self, engine: TableEngine, requests: list[TableRequest]) -> None:
        self._engine = engine
        self._requests = requests
        self.values, self.spans = engine.values, engine.spans

    def select(self, request: TableRequest) -> Any:
        found = self._engine.select(request)
        self._requests.append(request)
        return found


def metric_names() -> st.SearchStrategy[str]:
    return st.builds(lambda tag, stat: f"metric[{tag!r}].{stat}", st.sampled_from(TAGS), st.sampled_from(STATS))


NUMBERS = st.one_of(
    metric_names(),
    metric_names(),
    st.sampled_from(["lr", "bn", "mixed", "points", "duration", "last_step", "started", "now()", '"rare\' param"']).map(
        lambda name: f"param[{name}]" if name.startswith('"') else name
    ),
    st.sampled_from(["0", "1", "0.1", "0.30000000000000004", "-3", "2.5", "1e300", "1e999", "True"]),
)  # fmt: skip


def arithmetic(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from(["+", "-", "*", "/", "/", "**", "//", "%"]), parts),
        st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), parts, parts),
        st.builds("{}({})".format, st.sampled_from(["abs", "-", "hours", "log10", "+"]), parts),
    )


NUMERIC = st.recursive(NUMBERS, arithmetic, max_leaves=5)
COMPARED = st.one_of(
    st.builds("{} {} {}".format, NUMERIC, st.sampled_from(["<", "<=", ">", ">=", "==", "!="]), NUMERIC),
    st.builds("{} < {} <= {}".format, NUMERIC, NUMERIC, NUMERIC),
    st.builds("{} {} None".format, NUMERIC, st.sampled_from(["is", "is not", "==", "!="])),
    st.builds("isnan({})".format, NUMERIC),
    st.builds(
        "{} {} [{}]".format, NUMERIC, st.sampled_from(["in", "not in"]),
        st.lists(st.one_of(NUMERIC, st.sampled_from(["None", "'auto'"])), max_size=3).map(", ".join),
    ),
    NUMERIC,
    st.sampled_from([
        "opt == 'adam'", "'run1' in name", "tag('good')", "matches(name, '[1-3]$')", "startswith(opt, 'Adam\\'')",
        "mixed == 'auto'", "mixed < 2", "started > '2023-11-14'", "status == 'stopped'", "not star", "label", "tags",
        "metric['loss'].min + started > '2023-11-14'", "metric['loss'].min == 'x'", "metric['nope'].min < 1",
        "metric['loss'].last in opt", "metric['loss'].last in tags", "lower(metric['loss'].min) == 'x'",
        "summary['best'] == metric['loss'].count",
    ]),
)  # fmt: skip
CONDITIONS = st.recursive(
    COMPARED,
    lambda parts: st.one_of(
        st.builds("({} {} {})".format, parts, st.sampled_from(["and", "and", "or"]), parts),
        st.builds("not ({})".format, parts),
        st.builds("(({}) == {})".format, parts, st.sampled_from(["True", "bn"])),
    ),
    max_leaves=4,
)
COLUMN_IDS = st.one_of(
    st.builds("metric:{}:{}".format, st.sampled_from(TAGS), st.sampled_from(STATS)),
    st.sampled_from(["param:lr", "param:opt", "param:mixed", "param:bn", "summary:best"]),
    st.sampled_from(["run:name", "run:tags", "run:last_step", "run:label"]),
)
SORTS = st.lists(st.builds("{}{}".format, st.sampled_from(["", "-"]), COLUMN_IDS), max_size=3)


def answer(table: RunTable, act: Any) -> Any:
    """The answer, or the error with its place in the query."""
    try:
        return act(table)
    except QueryError as error:
        return error.message, error.at, error.length
    except (UnknownColumnError, GroupError) as error:
        return str(error)


def same(one: Any, other: Any) -> bool:
    """Whether two answers are equal, NaN included."""
    return repr(one).replace("-0.0", "0.0") == repr(other).replace("-0.0", "0.0")


class TablesContract:
    """A subclass has the fixture `open_store`, as for StoreContract."""

    @pytest.fixture(scope="class")
    @classmethod
    def pair(cls, open_store: OpenStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TablePair]:
        logdir = tmp_path_factory.mktemp("logs")
        state = write_runs(logdir)
        with Store([LogRoot("", logdir)], index_dir=None, follow=False) as embedded, open_store(logdir) as tested:
            assert embedded.wait_loaded(TIMEOUT_SECS) and tested.wait_loaded(TIMEOUT_SECS)
            requests: list[TableRequest] = []
            assert tested.table_engine is not None
            tested.table_engine = CountedEngine(tested.table_engine, requests)  # type: ignore[misc]
            tables = [RunTable(store, state, clock=lambda: BEGAN + 10_000) for store in (tested, embedded)]
            yield TablePair(*tables, requests)

    def test_the_logs_have_merged_runs_and_the_same_rows(self, pair: TablePair) -> None:
        assert sorted(pair.tested.names) == sorted(pair.embedded.names)
        assert pair.tested.merged_into == pair.embedded.merged_into != {}
        merged, expected = (MergedRuns(table.store).current() for table in pair[:2])
        assert merged == expected != {}
        assert set(TAGS) <= set(pair.tested.known_names().metrics)

    @settings(max_examples=250, deadline=None, suppress_health_check=CHECKS)
    @given(query=CONDITIONS, sort=SORTS, archived=st.sampled_from(["hide", "show", "only"]))
    def test_queries_and_orders_are_equal(self, pair: TablePair, query: str, sort: list[str], archived: str) -> None:
        def rows(table: RunTable) -> Any:
            return table.names_of(table.select(query, sort, archived=archived).rows.tolist())

        assert answer(pair.tested, rows) == answer(pair.embedded, rows)

    @settings(max_examples=40, deadline=None, suppress_health_check=CHECKS)
    @given(
        query=st.one_of(st.just(""), CONDITIONS),
        ids=st.lists(COLUMN_IDS, max_size=20, unique=True),
        start=st.integers(0, 50),
    )
    def test_cells_and_ranges_are_equal(self, pair: TablePair, query: str, ids: list[str], start: int) -> None:
        def cells(table: RunTable) -> Any:
            found = table.select(query, ["metric:loss:last"])
            columns = table.columns_at(ids, found.rows[start : start + 20])
            return [column.cells(np.arange(len(column.values))) for column in columns], table.spans(ids, found)

        assert same(answer(pair.tested, cells), answer(pair.embedded, cells))

    @settings(max_examples=40, deadline=None, suppress_health_check=CHECKS)
    @given(
        query=st.one_of(st.just(""), CONDITIONS),
        by=st.lists(COLUMN_IDS, max_size=2, unique=True),
        metrics=st.lists(COLUMN_IDS, min_size=1, max_size=3, unique=True),
    )
    def test_groups_are_equal(self, pair: TablePair, query: str, by: list[str], metrics: list[str]) -> None:
        def groups(table: RunTable) -> Any:
            return measured(table, table.select(query).rows, by=by, metrics=metrics).grouped()

        assert same(answer(pair.tested, groups), answer(pair.embedded, groups))

    def test_most_random_queries_reach_the_database(self, pair: TablePair) -> None:
        assert len(pair.pushed) > 100

    def test_queries_with_metrics_are_computed_by_the_database(self, pair: TablePair) -> None:
        for query, sort in (
            ("loss.min < 1 and opt == 'adam'", []),
            ("", ["-metric:loss:last"]),
            ("metric['hparam/acc'] > lr or tag('good')", ["param:opt", "metric:val/acc:max"]),
            ("max(loss.last, lr, 2) in [1, None, 2.5] and not isnan(loss)", []),
        ):
            before = len(pair.pushed)
            assert pair.tested.select(query, sort).computed_here == ""
            assert len(pair.pushed) == before + 1, query

    @pytest.mark.parametrize(
        ("query", "reason"),
        [("log(loss) < 1", "rounds log() differently"), ("loss.min % 2 < 1", "rounds '%' differently"),
         ("loss.min in tags", "cannot look for a metric in text or tags"),
         ("loss.min < 1" + " or loss.min < 2" * 100, "cannot evaluate a query this long")],
    )  # fmt: skip
    def test_what_the_database_cannot_do_is_computed_here_and_says_so(
        self, pair: TablePair, query: str, reason: str
    ) -> None:
        found = pair.tested.select(query)
        assert found.computed_here == f"This server computed the table from all runs: the database {reason}."
        assert pair.tested.names_of(found.rows) == pair.embedded.names_of(pair.embedded.select(query).rows)
        assert pair.embedded.select(query).computed_here == ""

    def test_the_mean_of_another_number_of_points_is_computed_from_the_points(self, pair: TablePair) -> None:
        for tail in (1, 3):
            for sort in (["metric:loss:tail"], ["-metric:val/acc:tail"]):
                got, want = (table.select("", sort, tail=tail) for table in pair[:2])
                assert "not of the last" in got.computed_here
                assert pair.tested.names_of(got.rows) == pair.embedded.names_of(want.rows)

    def test_a_selection_is_computed_once_until_a_run_changes(self, pair: TablePair) -> None:
        first = pair.tested.select("loss.max > 0", ["metric:loss:min"])
        before = len(pair.pushed)
        assert pair.tested.select("loss.max > 0", ["metric:loss:min"]) is first
        assert len(pair.pushed) == before
