"""A run: the event files of one folder, and its series joined over them in order of file name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from seamark._core import SeriesView, Stripe
from seamark.format.types import RunName, Tag
from seamark.store.event_file import EventFile
from seamark.store.file_state import FileState
from seamark.store.roots import LogRoot
from seamark.store.series_table import PayloadKey, SeriesEntry

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_CACHED_VIEWS = 4096


class PayloadRows(NamedTuple):
    """Where the payloads of one series lie; `file` is a position in the run's ordered files."""

    steps: NDArray[np.int64]
    walls: NDArray[np.float64]
    offsets: NDArray[np.uint64]
    lengths: NDArray[np.uint64]
    file: NDArray[np.int64]


class Run:
    """Files come and go under the library's lock; `ordered` is replaced as a whole."""

    __slots__ = ("_assembly", "files", "folder", "name", "ordered", "root")

    def __init__(self, root: LogRoot, folder: str) -> None:
        self.root = root
        self.folder = folder
        self.name: RunName = root.run_name(folder)
        self.files: dict[str, EventFile] = {}
        self.ordered: tuple[EventFile, ...] = ()
        self._assembly = Assembly((), ())

    @property
    def path(self) -> Path:
        return self.root.path / self.folder

    def file_path(self, file_name: str) -> str:
        return os.path.join(self.root.path, self.folder, file_name)  # noqa: PTH118

    def add(self, file: EventFile) -> None:
        self.files[file.name] = file
        self._reorder()

    def discard(self, file: EventFile) -> None:
        self.files.pop(file.name, None)
        self._reorder()

    def assembly(self) -> Assembly:
        """The series as they are now; the same object as long as nothing changes."""
        files = self.ordered
        states = tuple(file.state for file in files)
        if self._assembly.states != states:
            self._assembly = Assembly(files, states)
        return self._assembly

    def _reorder(self) -> None:
        self.ordered = tuple(self.files[name] for name in sorted(self.files))


class Assembly:
    """The series of a run at one moment."""

    __slots__ = ("_files", "_scalar_views", "states")

    def __init__(self, files: tuple[EventFile, ...], states: tuple[FileState, ...]) -> None:
        self._files = files
        self.states = states
        self._scalar_views: dict[Tag, SeriesView] = {}

    @property
    def files(self) -> tuple[EventFile, ...]:
        return self._files

    def scalar_tags(self) -> list[Tag]:
        if len(self.states) == 1:
            return list(self.states[0].table.scalar_ids)
        return list(dict.fromkeys(tag for state in self.states for tag in state.table.scalar_ids))

    def payload_keys(self) -> list[PayloadKey]:
        return list(dict.fromkeys(key for state in self.states for key in state.table.payload_ids))

    def scalar_entry(self, tag: Tag) -> SeriesEntry:
        """Name and metadata of the series, from the first file that has it."""
        return next(
            state.table.entries[state.table.scalar_ids[tag]] for state in self.states if tag in state.table.scalar_ids
        )

    def payload_entry(self, key: PayloadKey) -> SeriesEntry:
        return next(
            state.table.entries[state.table.payload_ids[key][0]]
            for state in self.states
            if key in state.table.payload_ids
        )

    def scalar(self, tag: Tag) -> SeriesView | None:
        """All points of a scalar series, or None if the run has none of that tag."""
        view = self._scalar_views.get(tag)
        if view is None:
            view = self._scalar_view(tag)
            if view is not None:
                if len(self._scalar_views) >= MAX_CACHED_VIEWS:
                    self._scalar_views.clear()
                self._scalar_views[tag] = view
        return view

    def payloads(self, key: PayloadKey) -> PayloadRows | None:
        """The rows of a payload series in order, or None if the run has none of it."""
        found = []
        for position, (file, state) in enumerate(zip(self._files, self.states, strict=True)):
            ids = state.table.payload_ids.get(key)
            if ids:
                found.append(_payload_rows(file.stripes(state), ids, position))
        if len(found) < 2:
            return found[0] if found else None
        return PayloadRows(*(np.concatenate(columns) for columns in zip(*found, strict=True)))

    def _scalar_view(self, tag: Tag) -> SeriesView | None:
        parts: list[tuple[Stripe, int]] = []
        is_known = False
        for file, state in zip(self._files, self.states, strict=True):
            series_id = state.table.scalar_ids.get(tag)
            if series_id is not None:
                is_known = True
                parts.extend((stripe, series_id) for stripe in file.stripes(state))
        return SeriesView(parts) if is_known else None


def _payload_rows(stripes: list[Stripe], ids: tuple[int, ...], file_position: int) -> PayloadRows:
    """The rows of one file. Several ids are the forms one tag came in: the offset tells their common order."""
    slices = []
    for stripe in stripes:
        series, starts, counts = stripe.payload_groups()
        for series_id in ids:
            at = int(np.searchsorted(series, series_id))
            if at < len(series) and series[at] == series_id:
                rows = slice(int(starts[at]), int(starts[at] + counts[at]))
                slices.append([column[rows] for column in stripe.payloads()])
    if not slices:
        empty = np.empty(0, np.uint64)
        return PayloadRows(empty.astype(np.int64), empty.astype(np.float64), empty, empty, empty.astype(np.int64))
    steps, walls, offsets, lengths = (np.concatenate(columns) for columns in zip(*slices, strict=True))
    if len(ids) > 1:
        order = np.argsort(offsets, kind="stable")
        steps, walls, offsets, lengths = steps[order], walls[order], offsets[order], lengths[order]
    return PayloadRows(steps, walls, offsets, lengths, np.full(len(steps), file_position, np.int64))
