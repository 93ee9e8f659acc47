"""A run: the event files of one folder, and its series over all of them in order of creation."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from seamark._core import SeriesView, Stripe
from seamark.format.types import Tag
from seamark.store.discover.file_name import order_key
from seamark.store.discover.roots import LogRoot
from seamark.store.discover.run_folder import Fetch, RunFolder
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState
from seamark.store.read.series_table import PayloadKey, SeriesEntry
from seamark.store.runs.run_info import RunInfo

if TYPE_CHECKING:
    from seamark.store.runs.attempts import RunAttempts, Span
    from seamark.store.runs.payload_rows import PayloadRows

MAX_CACHED_VIEWS = 4096
CoreSpan = tuple[int, int, int, int | None]  # first part, row after it, attempt, first replaced step


class Run(RunFolder):
    """The follower thread adds and removes files under the library's lock.

    `ordered` is replaced as a whole, so any thread may read it.
    """

    __slots__ = ("_assembly", "files", "ordered")

    def __init__(self, root: LogRoot, folder: str, fetch: Fetch | None = None) -> None:
        super().__init__(root, folder, fetch)
        self.files: dict[str, EventFile] = {}
        self.ordered: tuple[EventFile, ...] = ()
        self._assembly = Assembly((), ())

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
        """Returns the series as they are now; the same object as long as nothing changes."""
        files = self.ordered
        # Called for every run by every list of runs: one file is the common case, and faster without a generator.
        states = (files[0].content.state,) if len(files) == 1 else tuple(file.content.state for file in files)
        if self._assembly.states != states:
            self._assembly = Assembly(files, states)
        return self._assembly

    def info(self) -> RunInfo:
        return self.assembly().info(self)


class Assembly:
    """The series of a run at one moment. Any thread may use it: its caches are filled with equal values."""

    __slots__ = ("_attempts", "_files", "_info", "_max_steps", "_scalar_views", "states")

    def __init__(self, files: tuple[EventFile, ...], states: tuple[FileState, ...]) -> None:
        self._files = files
        self.states = states
        self._info: RunInfo | None = None
        self._scalar_views: dict[Tag, SeriesView] = {}
        self._max_steps: dict[str, int | None] = {}  # by the prefix of skipped tags
        self._attempts: RunAttempts | None = None

    @property
    def files(self) -> tuple[EventFile, ...]:
        return self._files

    @property
    def attempts(self) -> RunAttempts:
        """Raises BrokenChunkError as the files do."""
        if self._attempts is None:
            from seamark.store.runs.attempts import RunAttempts  # imports NumPy

            self._attempts = RunAttempts(self._files, self.states)
        return self._attempts

    def info(self, run: RunFolder) -> RunInfo:
        files = self._files
        total_bytes = files[0].progress.total_bytes if len(files) == 1 else sum(f.progress.total_bytes for f in files)
        if self._info is None or self._info.bytes != total_bytes:
            self._info = self._make_info(run, total_bytes)
        return self._info

    def _make_info(self, run: RunFolder, total_bytes: int) -> RunInfo:
        states = self.states
        return RunInfo(
            name=run.name,
            path=run.path,
            shown_path=run.shown_path,
            first_wall=next((state.first_wall for state in states if state.first_wall is not None), None),
            last_wall=max((state.last_wall for state in states if state.last_wall is not None), default=None),
            files=len(states),
            bytes=total_bytes,
            series=len(states[0].table) if len(states) == 1 else len(self.scalar_tags()) + len(self.payload_keys()),
            points=sum(state.scalar_rows for state in states),
            payloads=sum(state.payload_rows for state in states),
        )

    def scalar_tags(self) -> list[Tag]:
        if len(self.states) == 1:
            return list(self.states[0].table.scalar_ids)
        return list(dict.fromkeys(tag for state in self.states for tag in state.table.scalar_ids))

    def payload_keys(self) -> list[PayloadKey]:
        return list(dict.fromkeys(key for state in self.states for key in state.table.payload_ids))

    def scalar_entry(self, tag: Tag) -> SeriesEntry:
        """Returns tag, form and metadata of the series, from the first file that has it."""
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
        """Returns all points of a scalar series, or None if the run does not have the tag."""
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
        """Returns the parts of many series at once.

        First the stripes in order, each with the ids of all tags in it, -1 for a missing tag; then, by the tag's
        position, the spans of series that a restart affects.
        """
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
        """Returns the greatest step of all scalar series whose tag does not start with the prefix."""
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
        """Returns the rows of a payload series in order, or None if the run does not have the series."""
        from seamark.store.runs.payload_rows import joined, rows_of  # imports NumPy

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


def run_of(file: EventFile) -> Run:
    """Returns the run that a file of the library belongs to."""
    assert isinstance(file.run, Run)  # the reading code knows the folder only
    return file.run


def _core_spans(spans: Sequence[Span], first_parts: Sequence[int]) -> list[CoreSpan]:
    return [(first_parts[span.file], *span[1:]) for span in spans]


def ids_with_prefix(state: FileState, prefix: str) -> list[int]:
    """Returns the sorted ids of the series whose tag starts with the prefix, which must not be empty."""
    return sorted(series_id for tag, series_id in state.table.scalar_ids.items() if tag.startswith(prefix))
