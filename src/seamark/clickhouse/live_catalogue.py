"""The runs that a store shows: read once, then what changed, with a message to subscribers."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping
from functools import cached_property

import msgspec

from seamark.clickhouse.catalogue import RunLayout, RunRow, read_layouts, read_runs
from seamark.clickhouse.client import Client
from seamark.clickhouse.rows import SCALARS, RunState
from seamark.format.types import RunName, Tag
from seamark.store import NotSupportedError, RunInfo
from seamark.store.ask.tensorboard_order import KeptRange
from seamark.store.runs.subscribe import Hub

# Clocks of several ingesting machines differ: rows that are so much older than the newest are read again.
OVERLAP_NS = 60 * 10**9
# After that, everything is read again, for clocks that differ even more.
READ_ALL_SECS = 60.0


class ShownRun(msgspec.Struct, frozen=True, dict=True):
    """A run and its series."""

    row: RunRow
    layout: RunLayout

    @cached_property
    def info(self) -> RunInfo:
        return self.row.record.info(self.row.name)

    def has_kind(self, kind: str | None) -> bool:
        if kind is None:
            return True
        return bool(self.layout.scalar_tags) if kind == SCALARS else any(k == kind for k, _ in self.layout.payload_keys)

    def tags(self, kind: str | None) -> dict[str, list[Tag]]:
        found: dict[str, list[Tag]] = {}
        if kind in (None, SCALARS) and self.layout.scalar_tags:
            found[SCALARS] = sorted(self.layout.scalar_tags)
        for key, tag in sorted(self.layout.payload_keys):
            if kind in (None, key):
                found.setdefault(key, []).append(tag)
        return found

    def tensorboard_ranges(self, kind: str, tag: Tag) -> tuple[KeptRange, ...]:
        """Returns what TensorBoard keeps of a series, in its order; nothing if that is every point as it arrived."""
        stored = self.row.record.tensorboard_ranges
        if stored is None:
            raise NotSupportedError(
                "the database does not have the order in which TensorBoard lists the points of this run; "
                f"ingest it again: '{self.row.name}'"
            )
        if not stored:
            return ()
        scalars = self.layout.scalar_tags
        at = scalars.index(tag) if kind == SCALARS else len(scalars) + self.layout.payload_keys.index((kind, tag))
        return dict(stored).get(at, ())

    def metadata_of(self, kind: str) -> list[tuple[Tag, bytes]]:
        layout = self.layout
        if kind == SCALARS:
            return list(zip(layout.scalar_tags, layout.scalar_metadata, strict=True))
        pairs = zip(layout.payload_keys, self.row.record.payload_metadata, strict=True)
        return sorted((tag, metadata) for (key, tag), metadata in pairs if key == kind)


class LiveCatalogue:
    """Any thread may refresh it or read the mapping, which is replaced as a whole."""

    def __init__(self, client: Client, hub: Hub) -> None:
        self._client = client
        self._hub = hub
        self._runs: dict[RunName, ShownRun] = {}
        self._versions: dict[RunName, tuple[int, RunState]] = {}
        self._layouts: dict[int, RunLayout] = {}
        self._newest = 0
        self._read_all_at = -READ_ALL_SECS
        self._refreshing = threading.Lock()

    def runs(self) -> Mapping[RunName, ShownRun]:
        return self._runs

    def refresh(self) -> None:
        """Reads the rows that are new and publishes what they change."""
        with self._refreshing:
            is_whole = time.monotonic() - self._read_all_at > READ_ALL_SECS
            rows = read_runs(
                self._client,
                self._client.address.project,
                after_version=0 if is_whole else max(0, self._newest - OVERLAP_NS),
            )
            if is_whole:
                self._read_all_at = time.monotonic()
            changed = [row for row in rows.values() if (row.version, row.state) != self._versions.get(row.name)]
            if changed:
                self._read_layouts({row.layout for row in changed if row.layout not in self._layouts})
                self._publish(changed)

    def _read_layouts(self, missing: Collection[int]) -> None:
        if missing:
            self._layouts.update(read_layouts(self._client, sorted(missing)))

    def _publish(self, changed: list[RunRow]) -> None:
        runs = dict(self._runs)
        stale: set[RunName] = set()  # runs of which everything that readers hold is stale
        for row in changed:
            is_shown = row.state in (RunState.COMPLETE, RunState.UPDATING)
            if is_shown and row.layout not in self._layouts:
                continue  # another insert brings it; the next refresh finds the run changed again
            self._versions[row.name] = (row.version, row.state)
            self._newest = max(self._newest, row.version)
            if row.state == RunState.DELETED:
                runs.pop(row.name, None)
            elif is_shown and not (row.name in runs and row.state == RunState.UPDATING):
                # Of a run that is UPDATING, readers have what it shows.
                runs[row.name] = ShownRun(row, self._layouts[row.layout])
                stale.add(row.name)
        before = self._runs.keys()
        added, removed = runs.keys() - before, before - runs.keys()
        reset = before & runs.keys() & stale
        self._runs = runs
        self._hub.runs_changed(added=added, removed=removed, reset=reset)
