"""The runs that a store shows: read once, then what changed, with a message to subscribers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from pathlib import Path

import msgspec

from seamark.clickhouse.catalogue import RunLayout, RunRow, read_layouts, read_runs
from seamark.clickhouse.client import Client
from seamark.clickhouse.rows import SCALARS, RunState
from seamark.format.types import RunName, Tag
from seamark.store import LogRoot, NotSupportedError, RunInfo, printable_path
from seamark.store.ask.stored_run import StoredFile
from seamark.store.ask.tensorboard_order import KeptRange
from seamark.store.runs.subscribe import Hub

# Clocks of several ingesting machines differ: rows that are so much older than the newest are read again.
OVERLAP_NS = 60 * 10**9
ROOT_RUN = "."
# After that, everything is read again, for clocks that differ even more.
READ_ALL_SECS = 60.0


class ShownRun(msgspec.Struct, frozen=True, dict=True):
    """A run and its series."""

    row: RunRow
    layout: RunLayout
    shown_path: str = ""  # what people know its folder by; "" is the path itself

    @cached_property
    def info(self) -> RunInfo:
        return self.row.record.info(self.row.name, shown_path=self.shown_path)

    def shown_file(self, file: StoredFile) -> str:
        """What people know a file by."""
        return printable_path(f"{self.shown_path}/{Path(file.path).name}" if self.shown_path else file.path)

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


class RunScope(msgspec.Struct, frozen=True):
    """Which runs of the database a store may show, and where their folders are on this machine.

    `only` None: all. `hidden` is asked again and again. `root` None: folders are where they were at ingestion.
    """

    only: frozenset[RunName] | None = None
    hidden: Callable[[], Collection[RunName]] = frozenset
    root: LogRoot | None = None

    def admits(self, name: RunName) -> bool:
        if self.root is not None and (name.startswith("/") or ".." in name.split("/")):
            return False  # its folder would be outside of the root
        return self.only is None or name in self.only

    def shown(self, row: RunRow, layout: RunLayout) -> ShownRun:
        """Returns the run with the paths that its files have here."""
        if self.root is None:
            return ShownRun(row, layout)
        folder = self.root.path / row.name
        files = tuple(
            msgspec.structs.replace(file, path=str(folder / Path(file.path).name)) for file in row.record.files
        )
        record = msgspec.structs.replace(row.record, path=str(folder), files=files)
        shown_path = self.root.shown_path("" if row.name == ROOT_RUN else row.name)
        return ShownRun(msgspec.structs.replace(row, record=record), layout, shown_path)


class LiveCatalogue:
    """Any thread may refresh it or read the mapping, which is replaced as a whole."""

    def __init__(self, client: Client, hub: Hub, scope: RunScope) -> None:
        self._client = client
        self._hub = hub
        self._scope = scope
        self._runs: dict[RunName, ShownRun] = {}
        self._admitted: dict[RunName, ShownRun] = {}  # hidden ones as well
        self._hidden: Collection[RunName] = frozenset()
        self._versions: dict[RunName, tuple[int, RunState]] = {}
        self._layouts: dict[int, RunLayout] = {}
        self._newest = 0
        self._read_all_at = -READ_ALL_SECS
        self._refreshing = threading.Lock()
        self._hiding = threading.Lock()
        self._publishing = threading.Lock()  # held only for a moment: hiding does not wait for the database

    def runs(self) -> Mapping[RunName, ShownRun]:
        return self._runs

    def refresh(self) -> None:
        """Reads the rows that are new and publishes what they change."""
        self.hide()
        with self._refreshing:
            is_whole = time.monotonic() - self._read_all_at > READ_ALL_SECS
            rows = read_runs(
                self._client,
                self._client.address.project,
                after_version=0 if is_whole else max(0, self._newest - OVERLAP_NS),
            )
            if is_whole:
                self._read_all_at = time.monotonic()
            changed = [row for row in rows.values() if self._is_new(row)]
            if not changed:
                return
            self._read_layouts({row.layout for row in changed if row.layout not in self._layouts})
            with self._publishing:
                self._publish(self._apply(changed))

    def hide(self) -> None:
        """Hides runs, and shows them again, without the database of points."""
        with self._hiding:
            hidden = self._scope.hidden()
            with self._publishing:
                if hidden != self._hidden:
                    self._hidden = hidden
                    self._publish(set())

    def _is_new(self, row: RunRow) -> bool:
        return self._scope.admits(row.name) and (row.version, row.state) != self._versions.get(row.name)

    def _read_layouts(self, missing: Collection[int]) -> None:
        if missing:
            self._layouts.update(read_layouts(self._client, sorted(missing)))

    def _apply(self, changed: list[RunRow]) -> set[RunName]:
        """Returns the runs of which everything that readers hold is stale."""
        stale: set[RunName] = set()
        for row in changed:
            is_shown = row.state in (RunState.COMPLETE, RunState.UPDATING)
            if is_shown and row.layout not in self._layouts:
                continue  # another insert brings it; the next refresh finds the run changed again
            self._versions[row.name] = (row.version, row.state)
            self._newest = max(self._newest, row.version)
            if row.state == RunState.DELETED:
                self._admitted.pop(row.name, None)
            elif is_shown and not (row.name in self._admitted and row.state == RunState.UPDATING):
                # Of a run that is UPDATING, readers have what it shows.
                self._admitted[row.name] = self._scope.shown(row, self._layouts[row.layout])
                stale.add(row.name)
        return stale

    def _publish(self, stale: set[RunName]) -> None:
        before = self._runs.keys()
        runs = {name: run for name, run in self._admitted.items() if name not in self._hidden}
        added, removed = runs.keys() - before, before - runs.keys()
        reset = before & runs.keys() & stale
        self._runs = runs
        self._hub.runs_changed(added=added, removed=removed, reset=reset)
