"""An ingester that follows a store in a thread of the test."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from seamark.clickhouse.client import Client
from seamark.clickhouse.following import ingest_all, ingest_changes
from seamark.clickhouse.payload_objects import PayloadObjects
from seamark.store import Store


@contextmanager
def follow_into(client: Client, store: Store, *, objects: PayloadObjects | None = None) -> Iterator[None]:
    """Ingests everything, and then changes in a thread, until the block ends."""
    store.wait_loaded()
    ingest_all(client, store, objects=objects)
    ending = threading.Event()
    thread = threading.Thread(
        target=lambda: ingest_changes(client, store, is_ending=ending.is_set, objects=objects),
    )
    thread.start()
    try:
        yield
    finally:
        ending.set()
        thread.join()
