"""Answers about series: windows of scalars, last values, lists and bytes of payloads."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Concatenate, ParamSpec, TypeVar

import numpy as np

from seamark import _core
from seamark._core import SeriesView
from seamark.format.types import RunName, Tag
from seamark.store.answers import (
    ROW_COLUMNS,
    Digests,
    HistogramSeries,
    LastValue,
    PayloadList,
    RunInfo,
    ScalarPoints,
    ScalarWindow,
    SeriesInfo,
    UnknownSeriesError,
)
from seamark.store.batches import ScalarBatch, batches_of, pieces_of
from seamark.store.event_file import BrokenChunkError, EventFile
from seamark.store.library import Library
from seamark.store.payload_bytes import MAX_WHOLE_BYTES, check_size, read_part, read_payloads
from seamark.store.payload_rows import PayloadRows
from seamark.store.run import Assembly, Run
from seamark.store.series_info import SCALARS, payload_infos, scalar_infos, scalar_views
from seamark.store.series_table import PayloadKey
from seamark.store.tensorboard_order import tensorboard_last, tensorboard_payloads, tensorboard_scalars
from seamark.store.thinning import thinned, within

T = TypeVar("T")
P = ParamSpec("P")

# `smoothed`, `attempt` and `replaced` may be None, too.
ALWAYS_ARRAYS = ROW_COLUMNS[:-3]
_EMPTY = np.empty(0)
ATTEMPTS = {"latest": _core.ATTEMPTS_LATEST, "all": _core.ATTEMPTS_ALL, "marked": _core.ATTEMPTS_MARKED}
AXES = {"step": _core.AXIS_STEP, "relative": _core.AXIS_RELATIVE, "wall": _core.AXIS_WALL}


def from_whole_index(answer: Callable[Concatenate[Query, P], T]) -> Callable[Concatenate[Query, P], T]:
    """Answers again if a part of the index that is in use was cut short meanwhile: it reads as zeros then."""

    @functools.wraps(answer)
    def checked(self: Query, /, *args: P.args, **kwargs: P.kwargs) -> T:
        while True:
            before = self.drop_lost()
            result = answer(self, *args, **kwargs)
            if _core.lost_maps() == before:
                return result

    return checked


class Query:
    """Works on the states that files have at the moment of the question."""

    def __init__(self, library: Library, on_broken: Callable[[EventFile, str], None]) -> None:
        self._library = library
        self._on_broken = on_broken
        self._lost_maps = 0  # those whose files are being read again
        self._dropping = threading.Lock()

    def drop_lost(self) -> int:
        """Has files read again whose part of the index was cut short. Returns the count of losses it looked at."""
        lost = _core.lost_maps()
        if lost == self._lost_maps:
            return lost
        with self._dropping:
            lost = _core.lost_maps()
            for file in self._library.files():
                if file.has_lost_parts():
                    self._on_broken(file, "its chunk file was cut short while it was in use")
            self._lost_maps = lost
            return lost

    def runs(self) -> list[RunInfo]:
        infos = [_run_info(run) for run in self._library.runs()]
        return sorted(infos, key=lambda run: (run.first_wall is None, run.first_wall or 0.0, run.name))

    def run(self, name: RunName) -> RunInfo | None:
        found = self._library.run(name)
        return None if found is None else _run_info(found)

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

    def tags(self, kind: str | None) -> dict[RunName, dict[str, list[Tag]]]:
        return {run.name: _tags(run, kind) for run in self._library.runs()}

    @from_whole_index
    def scalars(
        self,
        runs: RunName | Sequence[RunName],
        tag: Tag,
        *,
        axis: str,
        start: float | None,
        stop: float | None,
        max_points: int,
        smoothing: float,
        attempts: str,
        edges: bool,
        columns: Sequence[str] | None,
    ) -> ScalarWindow:
        if axis not in AXES:
            raise ValueError(f"unknown axis: got {axis!r}, want one of {', '.join(AXES)}")
        if attempts not in ATTEMPTS:
            raise ValueError(f"unknown attempts: got {attempts!r}, want one of {', '.join(ATTEMPTS)}")
        names, views = self._views(runs, tag)
        found = _core.window(
            views,
            axis=AXES[axis],
            start=start,
            stop=stop,
            max_points=max_points,
            smoothing=smoothing,
            attempts=ATTEMPTS[attempts],
            edges=edges,
            columns=None if columns is None else list(columns),
        )
        if columns is not None:
            found = {**dict.fromkeys(ALWAYS_ARRAYS, _EMPTY), **found}
        return ScalarWindow(tag=tag, axis=axis, runs=names, **found)

    def scalar_batches(
        self, runs: Sequence[RunName] | None, tags: Sequence[Tag] | None, *, attempts: str
    ) -> Iterator[ScalarBatch]:
        found = [run for run in map(self._library.run, runs) if run] if runs is not None else self._library.runs()
        having: dict[Tag, list[Run]] = {tag: [] for tag in tags or ()}
        for run in found:
            for tag in run.assembly().scalar_tags():
                if tags is None:
                    having.setdefault(tag, []).append(run)
                elif tag in having:
                    having[tag].append(run)
        for tag in having if tags is not None else sorted(having):
            for run in having[tag]:
                pieces = self._answered(run, lambda a, _, tag=tag: pieces_of(a, tag, attempts=attempts))  # type: ignore[misc]
                yield from batches_of(run.name, tag, pieces)

    @from_whole_index
    def last_values(self, tag: Tag, runs: Sequence[RunName] | None) -> dict[RunName, LastValue]:
        if runs is None:
            runs = [run.name for run in self._library.runs()]
        names, views = self._views(runs, tag)
        return {name: LastValue(*view.last()) for name, view in zip(names, views, strict=True) if view.counted}

    @from_whole_index
    def digests(self, tags: Sequence[Tag], runs: Sequence[RunName], *, tail: int) -> dict[Tag, Digests]:
        known = [run for run in map(self._library.run, runs) if run is not None]
        # Run by run and not tag by tag: what is the same for all tags of a run is most of the work.
        parts = [self._answered(run, lambda assembly, _: assembly.scalar_parts(tags)) for run in known]
        found = _core.digests(parts, series=len(tags), tail=tail)
        columns = {name: values.reshape(len(known), len(tags)) for name, values in found.items()}
        names = np.array([run.name for run in known], object)
        answer = {}
        for at, tag in enumerate(tags):
            has_points = columns["count"][:, at] > 0
            values = {name: table[has_points, at] for name, table in columns.items()}
            answer[tag] = Digests(runs=names[has_points].tolist(), **values)
        return answer

    def stored(self, run: Run, tag: Tag) -> int:
        """Points of a series, of all attempts."""
        view = self._answered(run, lambda assembly, _: assembly.scalar(tag))
        return view.count if view is not None else 0

    @from_whole_index
    def series(self, runs: Iterable[Run], kind: str | None, *, in_file_order: bool = False) -> list[SeriesInfo]:
        infos: list[SeriesInfo] = []
        if kind in (None, SCALARS):
            infos += scalar_infos(
                [view for run in runs for view in self._answered(run, lambda a, r: scalar_views(r, a))]
            )
        if kind != SCALARS:
            infos += [i for run in runs for i in self._answered(run, lambda a, r: payload_infos(r, a, kind))]
        if in_file_order:
            return sorted(infos, key=lambda info: (info.run, info.kind))
        return sorted(infos, key=lambda info: (info.run, info.kind, info.tag))

    @from_whole_index
    def payloads(self, run: RunName, tag: Tag, kind: str, *, attempts: str) -> PayloadList:
        assembly, rows = self._rows(run, (kind, tag))
        found = assembly.attempts.of_payloads((kind, tag), rows)
        index = found.shown(rows.steps, attempts)
        return PayloadList(index, rows.steps[index], rows.walls[index], rows.lengths[index], found.attempt[index])

    def tensorboard_scalars(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, ScalarPoints]:
        found = {}
        for name in runs:
            run = self._library.run(name)
            if run is not None and tag in run.assembly().scalar_tags():
                columns = self._answered(run, lambda assembly, _: tensorboard_scalars(assembly, tag))
                found[name] = ScalarPoints(*columns)
        return found

    def tensorboard_last_values(self, runs: Sequence[RunName], tag: Tag) -> dict[RunName, LastValue]:
        known = [run for run in map(self._library.run, runs) if run is not None and tag in run.assembly().scalar_tags()]
        found = {run.name: self._answered(run, lambda assembly, _: tensorboard_last(assembly, tag)) for run in known}
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

    @from_whole_index
    def histograms(
        self, run: RunName, tag: Tag, *, attempts: str, axis: str, start: float | None, stop: float | None, most: int
    ) -> HistogramSeries:
        from seamark.kinds import DecodeError, histogram  # loads protobuf

        if axis not in AXES:
            raise ValueError(f"unknown axis: got {axis!r}, want one of {', '.join(AXES)}")
        assembly, rows = self._rows(run, ("histograms", tag))
        index = assembly.attempts.of_payloads(("histograms", tag), rows).shown(rows.steps, attempts)
        began = float(rows.walls[index[0]]) if index.size else 0.0
        along = rows.steps[index] if axis == "step" else rows.walls[index] - (began if axis == "relative" else 0.0)
        inside = within(along, start, stop)
        picked = index[thinned(inside, most)]
        payloads = read_payloads(assembly, rows, [i for i in picked.tolist() if rows.lengths[i] <= MAX_WHOLE_BYTES])
        decoded: list[histogram.Histogram | None] = []
        problems: dict[int, str] = {}
        for position in picked.tolist():
            try:
                check_size(rows, position)
                decoded.append(histogram.decode(next(payloads)))
            except DecodeError as error:
                problems[len(decoded)] = str(error)
                decoded.append(None)
        return HistogramSeries(
            rows.steps[picked], rows.walls[picked], decoded, problems, len(inside), len(index), began
        )

    @from_whole_index
    def max_steps(self, runs: Sequence[RunName], *, skipped_prefix: str) -> dict[RunName, int]:
        found = {}
        for name in runs:
            run = self._library.run(name)
            step = None if run is None else self._answered(run, lambda assembly, _: assembly.max_step(skipped_prefix))
            if step is not None:
                found[name] = step
        return found

    def _views(self, runs: RunName | Sequence[RunName], tag: Tag) -> tuple[list[RunName], list[SeriesView]]:
        """A lone run must have the tag; of many, those that have it are taken."""
        names, views = [], []
        for name in [RunName(runs)] if isinstance(runs, str) else runs:
            run = self._library.run(name)
            view = self._answered(run, lambda assembly, _: assembly.scalar(tag)) if run is not None else None
            if view is not None:
                names.append(name)
                views.append(view)
        if isinstance(runs, str) and not views:
            raise UnknownSeriesError(f"no scalars of {tag!r} in run '{runs}'")
        return names, views

    def _rows(self, name: RunName, key: PayloadKey) -> tuple[Assembly, PayloadRows]:
        run = self._library.run(name)
        if run is not None:
            assembly, rows = self._answered(run, lambda assembly, _: (assembly, assembly.payloads(key)))
            if rows is not None:
                return assembly, rows
        raise UnknownSeriesError(f"no {key[0]} of {key[1]!r} in run '{name}'")

    def _row(self, name: RunName, key: PayloadKey, index: int) -> tuple[Assembly, PayloadRows]:
        assembly, rows = self._rows(name, key)
        if not 0 <= index < len(rows.steps):
            raise UnknownSeriesError(f"no payload {index} of {key[1]!r}: there are {len(rows.steps)} in run '{name}'")
        return assembly, rows

    def _answered(self, run: Run, answer: Callable[[Assembly, Run], T]) -> T:
        """What the index has lost is read again: until then the answer goes without it."""
        while True:
            try:
                return answer(run.assembly(), run)
            except BrokenChunkError as broken:
                self._on_broken(broken.file, broken.reason)


def _run_info(run: Run) -> RunInfo:
    assembly = run.assembly()
    states = assembly.states
    total_bytes = sum(file.progress_total for file in assembly.files)
    if assembly.info is not None and assembly.info.bytes == total_bytes:
        return assembly.info
    assembly.info = RunInfo(
        name=run.name,
        path=run.path,
        first_wall=next((state.first_wall for state in states if state.first_wall is not None), None),
        last_wall=max((state.last_wall for state in states if state.last_wall is not None), default=None),
        files=len(states),
        bytes=total_bytes,
        series=len(states[0].table) if len(states) == 1 else len(assembly.scalar_tags()) + len(assembly.payload_keys()),
        points=sum(state.scalar_rows for state in states),
        payloads=sum(state.payload_rows for state in states),
    )
    return assembly.info


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
