"""Tables of runs in today's dialect of ClickHouse."""

from __future__ import annotations

import pytest

from tests.clickhouse.tables_contract import TablesContract

pytest.importorskip("chdb.session", reason="chdb is not installed; pip install chdb")

from tests.clickhouse import test_chdb  # it needs chdb


class TestChdbTables(TablesContract):
    open_store = test_chdb.TestChdb.open_store
