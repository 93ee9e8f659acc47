"""A run that is removed and comes back, as a restored one does, is written under another key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from seamark.clickhouse.catalogue import read_runs
from seamark.clickhouse.client import HttpClient
from seamark.clickhouse.ingest import Ingester
from seamark.clickhouse.rows import RunState
from seamark.format.types import RunName
from seamark.store import LogRoot, Store
from seamark.store.test_contract import events
from seamark.store.test_support import LOSS, append, curve, file_start, scalar_bytes, wait_until


def test_a_run_that_comes_back_has_a_new_key(databases: Any, tmp_path: Path) -> None:
    client, logs, name = HttpClient(databases.make()), tmp_path / "logs", RunName("a")
    append(events(logs / "a"), file_start() + scalar_bytes(LOSS, curve(0, 20)))
    keys = []
    with Store([LogRoot("", logs)], index_dir=None, reload_secs=0.1) as store:
        store.wait_loaded()
        ingester = Ingester(client, store)
        for is_there in (True, False, True):
            if is_there and not (logs / "a").exists():
                (tmp_path / "trash").rename(logs / "a")
            elif not is_there:
                (logs / "a").rename(tmp_path / "trash")
            wait_until(store, lambda is_there=is_there: (name in store.run_names()) == is_there)  # type: ignore[misc]
            wait_until(store, lambda: all(run.points == 20 for run in store.runs()))
            ingester.update([name])
            row = read_runs(client, "")[name]
            assert row.state == (RunState.COMPLETE if is_there else RunState.DELETED)
            keys.append(row.run)
        ingester.close()
    assert keys[0] == keys[1] != keys[2]
