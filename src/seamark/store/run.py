"""A run: the event files of one folder, and its series joined over them in order of creation."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

from seamark._core import SeriesView, Stripe
from seamark.format.types import RunName, Tag
from seamark.store.event_file import EventFile
from seamark.store.file_name import order_key
from seamark.store.file_state import FileState
from seamark.store.roots import LogRoot
from seamark.store.series_table import PayloadKey, SeriesEntry

if TYPE_CHECKING:
    from seamark.store.answers import RunInfo
    from seamark.store.attempts import RunAttempts, Span
    from seamark.store.payload_rows import PayloadRows

MAX_CACHED_VIEWS = 4096
CoreSpan = tuple[int, int, int, int | None]  # first part, row behind it, attempt, step from which on it was replaced


class Run:
    """Files come and go under the library's lock; `ordered` is replaced as a whole."""

    __slots__ = ("_assembly", "_path", "files", "folder", "name", "ordered", "root")

    def __init__(self, root: LogRoot, folder: str) -> None:
        self.root = root
        self.folder = folder
        self.name: RunName = root.run_name(folder)
        self.files: dict[str, EventFile] = {}
        self.ordered: tuple[EventFile, ...] = ()
        self._assembly = Assembly((), ())
        self._path: Path | None = None

    @property
    def path(self) -> Path:
        if self._path is None:  # made once: lists of runs are asked for again and again
            self._path = self.root.path / self.folder
        return self._path

    def file_path(self, file_name: str) -> str:
        return os.path.join(self.root.path, self.folder, file_name)  # noqa: PTH118

    def add(self, file: EventFile) -> None:
        self.discard(self.files.get(file.name))
        self.files[file.name] = file
        at = bisect_right(self.ordered, order_key(file.name), key=lambda other: order_key(other.name))
        self.ordered = (*self.ordered[:at], file, *self.ordered[at:])

    def discard(self, file: EventFile | None) -> None:
        if file is not None:
            self.files.pop(file.name, None)
            self.ordered = tuple(other for other in self.ordered if other is not file)

    def assembly(self) -> Assembly:
        """The series as they are now; the same object as long as nothing changes."""
        files = self.ordered
        states = tuple(file.state for file in files)
        if self._assembly.states != states:
            self._assembly = Assembly(files, states)
        return self._assembly


class Assembly:
    """The series of a run at one moment."""

    __slots__ = ("_attempts", "_files", "_max_steps", "_scalar_views", "info", "states")

    def __init__(self, files: tuple[EventFile, ...], states: tuple[FileState, ...]) -> None:
        self._files = files
        self.states = states
        self.info: RunInfo | None = None  # as the list of runs has it: made once per change, not once per request
        self._scalar_views: dict[Tag, SeriesView] = {}
        self._max_steps: dict[str, int | None] = {}  # by the prefix of the tags left out
        self._attempts: RunAttempts | None = None

    @property
    def files(self) -> tuple[EventFile, ...]:
        return self._files

    @property
    def attempts(self) -> RunAttempts:
        """Raises BrokenChunkError as the files do."""
        if self._attempts is None:
            from seamark.store.attempts import RunAttempts  # NumPy: reading does not wait for it

            self._attempts = RunAttempts(self._files, self.states)
        return self._attempts

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

    def scalar_parts(
        self, tags: Sequence[Tag]
    ) -> tuple[list[tuple[Stripe, tuple[int, ...]]], dict[int, list[CoreSpan]]]:
        """Many series at once: the stripes in order, each with the id of every tag in it, -1 of tags it has not; and,
        by position of the tag, the spans of those that a restart concerns."""
        found: list[tuple[Stripe, tuple[int, ...]]] = []
        first_parts = []
        for file, state in zip(self._files, self.states, strict=True):
            first_parts.append(len(found))
            ids = tuple(map(state.table.scalar_ids.get, tags, repeat(-1)))
            found += [(stripe, ids) for stripe in file.stripes(state)]
        if self.attempts.is_plain:
            return found, {}
        return found, {at: _core_spans(self.attempts.scalar_spans(tag), first_parts) for at, tag in enumerate(tags)}

    def max_step(self, skipped_prefix: str) -> int | None:
        """The greatest step of all scalar series but those whose tag has the prefix."""
        if skipped_prefix not in self._max_steps:
            steps = [
                stripe.max_step(skipped)
                for file, state in zip(self._files, self.states, strict=True)
                for skipped in [ids_with_prefix(state, skipped_prefix)]
                for stripe in file.stripes(state)
            ]
            self._max_steps[skipped_prefix] = max((step for step in steps if step is not None), default=None)
        return self._max_steps[skipped_prefix]

    def payloads(self, key: PayloadKey) -> PayloadRows | None:
        """The rows of a payload series in order, or None if the run has none of it."""
        from seamark.store.payload_rows import joined, rows_of  # NumPy: reading does not wait for it

        found = []
        for position, (file, state) in enumerate(zip(self._files, self.states, strict=True)):
            ids = state.table.payload_ids.get(key)
            if ids:
                found.append(rows_of(file.stripes(state), ids, position))
        return joined(found)

    def _scalar_view(self, tag: Tag) -> SeriesView | None:
        parts: list[tuple[Stripe, int]] = []
        first_parts = []
        is_known = False
        for file, state in zip(self._files, self.states, strict=True):
            first_parts.append(len(parts))
            series_id = state.table.scalar_ids.get(tag)
            if series_id is not None:
                is_known = True
                parts.extend((stripe, series_id) for stripe in file.stripes(state))
        return SeriesView(parts, _core_spans(self.attempts.scalar_spans(tag), first_parts)) if is_known else None


def _core_spans(spans: Sequence[Span], first_parts: Sequence[int]) -> list[CoreSpan]:
    return [(first_parts[span.file], *span[1:]) for span in spans]


def ids_with_prefix(state: FileState, prefix: str) -> list[int]:
    """The series of a file whose tags start with the prefix, which is not empty, sorted."""
    return sorted(series_id for tag, series_id in state.table.scalar_ids.items() if tag.startswith(prefix))
