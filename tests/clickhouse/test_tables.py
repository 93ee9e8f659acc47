"""Tables of runs that the cluster computes."""

from __future__ import annotations

from tests.clickhouse import test_server
from tests.clickhouse.tables_contract import TablesContract


class TestClusterTables(TablesContract):
    open_store = test_server.TestCluster.open_store
