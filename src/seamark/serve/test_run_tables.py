"""The table of runs is built in the background once a page is open, and equals one that a request builds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.compare import RunTable
from seamark.compare.test_support import log_run, write_record
from seamark.serve.api.table import column_list
from seamark.serve.run_tables import RunTables
from seamark.serve.state.state import State
from seamark.store import LogRoot, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    for number in range(30):
        folder = log_run(tmp_path / f"run{number}", {"seed": number}, loss=[1.0, number / 10])
        write_record(folder, config={"lr": 0.1 * number, "opt": "adam", "optim": {"name": "x"} if number % 2 else None})
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield store


@pytest.mark.timed
def test_the_table_is_built_in_the_background(store: Store) -> None:
    tables = RunTables(store, State(None, []), delay_secs=0.0)
    tables.build_in_background()
    assert tables.wait_built(30)
    table = tables.current()
    assert table.version == 1  # nothing was left to read
    expected = column_list(RunTable(store))
    expected.version = table.version
    assert column_list(table) == expected
    tables.close()


def test_a_request_during_the_build_gets_the_whole_table(store: Store) -> None:
    tables = RunTables(store, State(None, []), delay_secs=0.0)
    tables.build_in_background()
    assert len(tables.current().names) == 30
    tables.close()


def test_statuses_do_not_delay_the_charts_of_many_runs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("seamark.serve.run_tables.MAX_EAGER_RUNS", 29)
    tables = RunTables(store, State(None, []), delay_secs=30.0)
    assert tables.current_if_cheap() is None
    table = tables.current()
    assert tables.current_if_cheap() is table
    tables.close()


def test_a_request_before_the_build_builds_the_table_itself(store: Store) -> None:
    tables = RunTables(store, State(None, []), delay_secs=30.0)
    tables.build_in_background()
    table = tables.current()
    tables.close()  # waits for the builder
    assert tables.current() is table


def test_closing_stops_the_build(store: Store) -> None:
    tables = RunTables(store, State(None, []), delay_secs=30.0)
    tables.build_in_background()
    tables.close()
    assert tables.wait_built(0)
