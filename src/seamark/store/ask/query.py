"""Answers queries about runs and series: windows of scalars, last values, lists and bytes of payloads."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np

from seamark import _core
from seamark._core import SeriesView
from seamark.format.types import RunName, Tag
from seamark.store.ask.answers import (
    Digests,
    HistogramSeries,
    LastValue,
    PayloadList,
    ScalarPoints,
    ScalarWindow,
    SeriesInfo,
    UnknownSeriesError,
)
from seamark.store.ask.batches import MarkedPoints, ScalarBatch, batches_of, marked_points_of, pieces_of
from seamark.store.ask.payload_bytes import check_size, read_part, read_payloads
from seamark.store.ask.requests import HistogramRequest, ScalarRequest
from seamark.store.ask.series_info import SCALARS, payload_infos, scalar_infos, scalar_views
from seamark.store.ask.stored_run import StoredRun
from seamark.store.ask.tensorboard_order import tensorboard_last, tensorboard_payloads, tensorboard_scalars
from seamark.store.read.event_file import BrokenChunkError, EventFile
from seamark.store.read.series_table import PayloadKey
from seamark.store.runs.library import Library
from seamark.store.runs.payload_rows import PayloadRows
from seamark.store.runs.run import Assembly, Run
from seamark.store.runs.run_info import RunInfo

T = TypeVar("T")
P = ParamSpec("P")

_EMPTY = np.empty(0)
ATTEMPTS = {"latest": _core.ATTEMPTS_LATEST, "all": _core.ATTEMPTS_ALL, "marked": _core.ATTEMPTS_MARKED}
AXES = {"step": _core.AXIS_STEP, "relative": _core.AXIS_RELATIVE, "wall": _core.AXIS_WALL}


def repeated_if_truncated(answer: Callable[Concatenate[Query, P], T]) -> Callable[Concatenate[Query, P], T]:
    """Repeats a query if a chunk file was truncated meanwhile: truncated maps read as zeros."""

    @functools.wraps(answer)
    def checked(self: Query, /, *args: P.args, **kwargs: P.kwargs) -> T:
        while True:
            before = self.reread_truncated()
            result = answer(self, *args, **kwargs)
            if _core.truncated_map_count() == before:
                return result

    return checked


class Query:
    """Any thread may call it: a query works on the immutable states that the files have when it starts."""

    def __init__(self, library: Library, on_broken: Callable[[EventFile, str], None]) -> None:
        self._library = library
        self._on_broken = on_broken
        self._handled_maps = 0  # truncated maps whose files are being reread
        self._dropping = threading.Lock()

    def reread_truncated(self) -> int:
        """Has files reread whose chunk file was truncated. Returns the number of truncated maps it has handled."""
        truncated = _core.truncated_map_count()
        if truncated == self._handled_maps:
            return truncated
        with self._dropping:
            truncated = _core.truncated_map_count()
            for file in self._library.files():
                if file.has_lost_parts():
                    self._on_broken(file, "its chunk file was truncated while it was in use")
            self._handled_maps = truncated
            return truncated

    def runs(self) -> list[RunInfo]:
        infos = [run.info() for run in self._library.runs()]
        return sorted(infos, key=lambda run: (run.first_wall is None, run.first_wall or 0.0, run.name))

    def run(self, name: RunName) -> RunInfo | None:
        found = self._library.run(name)
        return None if found is None else found.info()

    def stored_run(self, name: RunName) -> StoredRun | None:
        run = self._library.run(name)
        return None if run is None else self._ask(run, partial(StoredRun, run))

    def scalar_tags(self, name: RunName) -> tuple[Tag, ...]:
        found = self._library.run(name)
        if found is None:
            return ()
        states = found.assembly().states
        return states[0].table.scalar_tags if len(states) == 1 else tuple(found.assembly().scalar_tags())

    def layout(self, name: RunName) -> tuple[object, ...]:
        found = self._library.run(name)
        return () if found is None else tuple(state.table for state in found.assembly().states)

    def metadata(self, name: RunName, kind: str) -> list[tuple[Tag, bytes]]:
        run = self._library.run(name)
        if run is None:
            return []
        assembly = run.assembly()
        if kind == SCALARS:
            return [(tag, assembly.scalar_entry(tag)[2]) for tag in assembly.scalar_tags()]
        keys = sorted(key for key in assembly.payload_keys() if key[0] == kind)
        return [(key[1], assembly.payload_entry(key)[2]) for key in keys]

    def tags(self, kind: str | None, run: RunName | None = None) -> dict[RunName, dict[str, list[Tag]]]:
        return {found.name: _tags(found, kind) for found in self._chosen(run)}

    @repeated_if_truncated
    def scalars(self, runs: RunName | Sequence[RunName], tag: Tag, request: ScalarRequest) -> ScalarWindow:
        columns = request.columns
        names, views = self._views(runs, tag)
        found = _core.window(
            views,
            axis=AXES[request.axis],
            start=request.start,
            stop=request.stop,
            max_points=request.max_points,
            smoothing=request.smoothing.weight,
            adaptive=request.smoothing.mode == "adaptive",
            visible=request.smoothing.visible,
            attempts=ATTEMPTS[request.attempts],
            edges=request.edges,
            columns=None if columns is None else list(columns),
        )
        if columns is not None:
            found = {**dict.fromkeys(_core.WINDOW_COLUMNS, _EMPTY), **found}
        return ScalarWindow(tag=tag, axis=request.axis, runs=names, **found)

    def scalar_batches(
        self, runs: Sequence[RunName] | None, tags: Sequence[Tag] | None, *, attempts: str
    ) -> Iterator[ScalarBatch]:
        found = [run for run in map(self._library.run, runs) if run] if runs is not None else self._library.runs()
        runs_by_tag: dict[Tag, list[Run]] = {tag: [] for tag in tags or ()}
        for run in found:
            for tag in run.assembly().scalar_tags():
                if tags is None:
                    runs_by_tag.setdefault(tag, []).append(run)
                elif tag in runs_by_tag:
                    runs_by_tag[tag].append(run)
        for tag in runs_by_tag if tags is not None else sorted(runs_by_tag):
            for run in runs_by_tag[tag]:
                pieces = self._ask(run, lambda assembly, tag=tag: pieces_of(assembly, tag, attempts=attempts))  # type: ignore[misc]
                yield from batches_of(run.name, tag, pieces)

    @repeated_if_truncated
    def marked_points(self, name: RunName, tag: Tag) -> MarkedPoints:
        run = self._library.run(name)
        found = None if run is None else self._ask(run, lambda assembly: marked_points_of(assembly, tag))
        if found is None:
            raise UnknownSeriesError(f"no scalars of {tag!r} in run '{name}'")
        return found

    @repeated_if_truncated
    def last_values(self, tag: Tag, runs: Sequence[RunName] | None) -> dict[RunName, LastValue]:
        if runs is None:
            runs = [run.name for run in self._library.runs()]
        names, views = self._views(runs, tag)
        return {name: LastValue(*view.last()) for name, view in zip(names, views, strict=True) if view.current_count}

    @repeated_if_truncated
    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        known = [run for run in map(self._library.run, runs) if run is not None]
        # Run by run and not tag by tag: most of the work is the same for all tags of a run.
        parts = [self._ask(run, lambda assembly: assembly.scalar_parts(tags)) for run in known]
        found = _core.digests(parts, series=len(tags), tail=tail)
        columns = {name: values.reshape(len(known), len(tags)) for name, values in found.items()}
        names = np.array([run.name for run in known], object)
        answer = {}
        for at, tag in enumerate(tags):
            has_points = columns["count"][:, at] > 0
            values = {name: table[has_points, at] for name, table in columns.items()}
            answer[tag] = Digests(runs=names[has_points].tolist(), **values)
        return answer

    @repeated_if_truncated
    def series(self, run: RunName | None, kind: str | None, *, in_file_order: bool = False) -> list[SeriesInfo]:
        runs = self._chosen(run)
        infos: list[SeriesInfo] = []
        if kind in (None, SCALARS):
            infos += scalar_infos([view for run in runs for view in self._ask(run, partial(scalar_views, run))])
        if kind != SCALARS:
            infos += [i for run in runs for i in self._ask(run, partial(payload_infos, run, kind=kind))]
        if in_file_order:
            return sorted(infos, key=lambda info: (info.run, info.kind))
        return sorted(infos, key=lambda info: (info.run, info.kind, info.tag))

    @repeated_if_truncated
    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: str) -> PayloadList:
        assembly, rows = self._rows(run, (kind, tag))
        found = assembly.attempts.of_payloads((kind, tag), rows)
        index, replaced = found.select(rows.steps, attempts)
        columns = (rows.steps[index], rows.walls[index], rows.lengths[index], found.attempt[index])
        return PayloadList(index, *columns, replaced)

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        found = {}
        for name in runs:
            run = self._library.run(name)
            if run is not None and tag in run.assembly().scalar_tags():
                columns = self._ask(run, lambda assembly: tensorboard_scalars(assembly, tag))
                found[name] = ScalarPoints(*columns)
        return found

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        known = [run for run in map(self._library.run, runs) if run is not None and tag in run.assembly().scalar_tags()]
        found = {run.name: self._ask(run, lambda assembly: tensorboard_last(assembly, tag)) for run in known}
        return {name: LastValue(*last) for name, last in found.items() if last is not None}

    def tensorboard_payloads(self, run: RunName, tag: Tag, kind: str) -> PayloadList:
        assembly, rows = self._rows(run, (kind, tag))
        index = tensorboard_payloads(assembly, rows)
        attempt = np.zeros(len(index), np.uint32)
        return PayloadList(index, rows.steps[index], rows.walls[index], rows.lengths[index], attempt)

    def payload(self, run: RunName, tag: Tag, kind: str, index: int) -> bytes:
        assembly, rows = self._row(run, (kind, tag), index)
        check_size(rows, index)
        return next(read_payloads(assembly, rows, [index]))

    def payload_part(self, run: RunName, tag: Tag, kind: str, index: int, *, start: int, size: int) -> bytes:
        assembly, rows = self._row(run, (kind, tag), index)
        return read_part(assembly, rows, index, start, size)

    @repeated_if_truncated
    def histograms(self, run: RunName, tag: Tag, request: HistogramRequest) -> HistogramSeries:
        from seamark.store.ask.histograms import decode_histograms  # imports protobuf

        assembly, rows = self._rows(run, ("histograms", tag))
        attempts = assembly.attempts.of_payloads(("histograms", tag), rows)
        index, replaced = attempts.select(rows.steps, request.attempts)
        return decode_histograms(rows, index, partial(read_payloads, assembly, rows), request, replaced=replaced)

    @repeated_if_truncated
    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        found = {}
        for name in runs:
            run = self._library.run(name)
            step = None if run is None else self._ask(run, lambda assembly: assembly.max_step(skipped_prefix))
            if step is not None:
                found[name] = step
        return found

    def _chosen(self, run: RunName | None) -> list[Run]:
        return self._library.runs() if run is None else [found for found in [self._library.run(run)] if found]

    def _views(self, runs: RunName | Sequence[RunName], tag: Tag) -> tuple[list[RunName], list[SeriesView]]:
        """Returns the runs that have the tag. Raises UnknownSeriesError if `runs` is one name and it does not."""
        names, views = [], []
        for name in [RunName(runs)] if isinstance(runs, str) else runs:
            run = self._library.run(name)
            view = self._ask(run, lambda assembly: assembly.scalar(tag)) if run is not None else None
            if view is not None:
                names.append(name)
                views.append(view)
        if isinstance(runs, str) and not views:
            raise UnknownSeriesError(f"no scalars of {tag!r} in run '{runs}'")
        return names, views

    def _rows(self, name: RunName, key: PayloadKey) -> tuple[Assembly, PayloadRows]:
        run = self._library.run(name)
        if run is not None:
            assembly, rows = self._ask(run, lambda assembly: (assembly, assembly.payloads(key)))
            if rows is not None:
                return assembly, rows
        raise UnknownSeriesError(f"no {key[0]} of {key[1]!r} in run '{name}'")

    def _row(self, name: RunName, key: PayloadKey, index: int) -> tuple[Assembly, PayloadRows]:
        assembly, rows = self._rows(name, key)
        if not 0 <= index < len(rows.steps):
            raise UnknownSeriesError(f"no payload {index} of {key[1]!r}: there are {len(rows.steps)} in run '{name}'")
        return assembly, rows

    def _ask(self, run: Run, answer: Callable[[Assembly], T]) -> T:
        """Calls `answer`; rows that the index has lost are reread, and missing from the answer until then."""
        while True:
            try:
                return answer(run.assembly())
            except BrokenChunkError as broken:
                self._on_broken(broken.file, broken.reason)


def _tags(run: Run, kind: str | None) -> dict[str, list[Tag]]:
    assembly = run.assembly()
    found: dict[str, list[Tag]] = {}
    if kind in (None, SCALARS) and (scalars := assembly.scalar_tags()):
        found[SCALARS] = sorted(scalars)
    if kind != SCALARS:
        for key, tag in sorted(assembly.payload_keys()):
            if kind in (None, key):
                found.setdefault(key, []).append(tag)
    return found
