"""The scalar series of each run, listed once per set of series: the runs of a sweep share one list."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import cached_property

from seamark.format.types import RunName, Tag
from seamark.kinds.markdown.safe_html import description_html
from seamark.plugin import json_bytes
from seamark.serve.tensorboard.metadata import Metadata, decode_metadata
from seamark.store import RunStore

Layout = tuple[object, ...]  # equal for runs with the same series
MAX_LAYOUTS = 10_000


class ScalarTable:
    """The scalar series of a run that TensorBoard's scalars plugin lists, by tag."""

    def __init__(self, series: Iterable[tuple[Tag, bytes]]) -> None:
        decoded = ((tag, decode_metadata(data)) for tag, data in series)
        self.metadata: dict[str, Metadata] = {
            tag: metadata
            for tag, metadata in decoded
            if metadata.plugin_name in ("", "scalars") and metadata.is_supported
        }

    @cached_property
    def json(self) -> bytes:
        """Tag → display name and description."""
        return json_bytes(
            {
                tag: {
                    "displayName": metadata.display_name_for(tag),
                    "description": description_html(metadata.description) if metadata.description else "",
                }
                for tag, metadata in self.metadata.items()
            }
        )


class ScalarTables:
    """Caches the tables by layout, and the list of all runs by the store's version."""

    def __init__(self, store: RunStore) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._by_layout: dict[Layout, ScalarTable] = {}
        self._all: tuple[int, Mapping[str, ScalarTable]] = (-1, {})

    def of_run(self, run: str) -> ScalarTable:
        """Empty for an unknown run."""
        with self._lock:
            return self._of_run(run, self._by_layout)

    def all(self) -> Mapping[str, ScalarTable]:
        """By run name, in order. Runs without scalars are left out."""
        version = self._store.version
        with self._lock:
            if self._all[0] == version:
                return self._all[1]
            in_use: dict[Layout, ScalarTable] = {}
            tables = {run: self._of_run(run, in_use) for run in sorted(self._store.run_names())}
            self._by_layout = in_use
            self._all = version, {run: table for run, table in tables.items() if table.metadata}
            return self._all[1]

    def _of_run(self, run: str, tables: dict[Layout, ScalarTable]) -> ScalarTable:
        layout = self._store.layout(RunName(run))
        table = tables.get(layout) or self._by_layout.get(layout)
        if table is None:
            table = ScalarTable(self._store.metadata(RunName(run), "scalars"))
        if len(tables) >= MAX_LAYOUTS:
            tables.clear()
        tables[layout] = table
        return table
