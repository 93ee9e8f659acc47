"""Ingests the runs of an embedded store once, and then what changes in them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from seamark.clickhouse.client import Client
from seamark.clickhouse.ingest import Counts, Ingester
from seamark.clickhouse.payload_objects import PayloadObjects
from seamark.format.types import RunName
from seamark.store import Delta, Store, StoreUnavailableError

LOG = logging.getLogger(__name__)
# Changes within this time are inserted together: every insert makes a part that ClickHouse has to merge.
GATHER_SECS = 0.5


def ingest_all(client: Client, store: Store, *, workers: int = 2, objects: PayloadObjects | None = None) -> Counts:
    """Writes everything that the store has read and the database does not have."""
    ingester = Ingester(client, store, workers=workers, objects=objects)
    try:
        ingester.update(store.run_names())
    finally:
        ingester.close()
    return ingester.counts


def ingest_changes(
    client: Client,
    store: Store,
    *,
    is_ending: Callable[[], bool],
    on_pass: Callable[[Counts], None] = lambda _: None,
    removable: Callable[[set[RunName]], set[RunName]] | None = None,
    objects: PayloadObjects | None = None,
) -> None:
    """Writes everything, then every change, until `is_ending`. A cluster that is away is asked again.

    Without `removable`, others may ingest into the same project: only runs that are seen to go are removed. With it,
    every run that the database has and the store has not, as far as `removable` returns it. `on_pass` is called
    whenever the database has everything that the store has read.
    """
    changes = store.subscribe()
    try:
        ingester = _opened(client, store, is_ending, objects)
        pending = set() if ingester is None else _everything(ingester, store, removable)
        while ingester is not None and not is_ending():
            try:
                if pending:
                    ingester.update(sorted(pending))
                    pending.clear()
                on_pass(ingester.counts)
            except StoreUnavailableError as error:
                # What was written is not known: read it again, as a new process would.
                LOG.warning("ingesting waits: %s", error)
                ingester.close()
                ingester = _opened(client, store, is_ending, objects)
                pending |= set() if ingester is None else _everything(ingester, store, removable)
                continue
            delta = changes.get(GATHER_SECS)
            if delta is not None:
                pending |= _changed(delta) - delta.runs_removed
                pending |= set(delta.runs_removed) if removable is None else removable(set(delta.runs_removed))
        if ingester is not None:
            ingester.close()
    finally:
        changes.close()


def _everything(
    ingester: Ingester, store: Store, removable: Callable[[set[RunName]], set[RunName]] | None
) -> set[RunName]:
    present = set(store.run_names())
    return present if removable is None else present | removable(ingester.known_runs() - present)


def _opened(
    client: Client, store: Store, is_ending: Callable[[], bool], objects: PayloadObjects | None
) -> Ingester | None:
    pause = threading.Event()
    while not is_ending():
        try:
            return Ingester(client, store, objects=objects)
        except StoreUnavailableError as error:
            LOG.warning("ingesting waits: %s", error)
            pause.wait(1.0)
    return None


def _changed(delta: Delta) -> set[RunName]:
    return {*delta.runs_added, *delta.runs_removed, *delta.runs_reset, *delta.scalars, *delta.payloads}
