"""The table of runs is made ahead once a page is open, and is the same as one that was asked for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from seamark.compare import RunTable
from seamark.compare.test_support import log_run, write_record
from seamark.serve.state import State
from seamark.serve.table_routes import column_list
from seamark.serve.tables import Tables
from seamark.store import LogRoot, Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    for number in range(30):
        folder = log_run(tmp_path / f"run{number}", {"seed": number}, loss=[1.0, number / 10])
        write_record(folder, config={"lr": 0.1 * number, "opt": "adam", "optim": {"name": "x"} if number % 2 else None})
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(30)
        yield store


def test_a_page_that_is_open_finds_the_table_made(store: Store) -> None:
    tables = Tables(store, State(None, []), quiet_secs=0.0)
    tables.build_ahead()
    assert tables.wait_ahead(30)
    table = tables.current()
    assert table.version == 1  # nothing was left to read
    assert column_list(table) == {**column_list(RunTable(store)), "version": table.version}
    tables.close()


def test_who_asks_while_it_is_being_made_gets_it_whole(store: Store) -> None:
    tables = Tables(store, State(None, []), quiet_secs=0.0)
    tables.build_ahead()
    assert len(tables.current().names) == 30
    tables.close()


def test_who_asks_before_has_it_made_at_once_and_the_builder_leaves_it(store: Store) -> None:
    tables = Tables(store, State(None, []), quiet_secs=30.0)
    tables.build_ahead()
    table = tables.current()
    tables.close()  # waits for the builder
    assert tables.current() is table


def test_a_server_that_ends_does_not_wait_for_the_table(store: Store) -> None:
    tables = Tables(store, State(None, []), quiet_secs=30.0)
    tables.build_ahead()
    tables.close()
    assert tables.wait_ahead(0)
