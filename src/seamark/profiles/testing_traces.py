"""Small traces for tests, whose numbers are known: tracks with nested slices, fields and instants."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from seamark.profiles.form import NO_SLICE, Counter, NameEntry, SliceField, Trace, Track
from seamark.profiles.profile import Profile
from seamark.profiles.results import Step, Steps


class _Slice(NamedTuple):
    track: int
    start: int
    duration: int
    name: int
    fields: dict[str, float]


class TraceBuilder:
    """Collects events in any order; `build` sorts and nests them."""

    def __init__(self, *, origin_ns: int = 0, metadata: dict[str, Any] | None = None) -> None:
        self.origin_ns, self.metadata = origin_ns, metadata or {}
        self._tracks: list[dict[str, Any]] = []
        self._names: dict[tuple[str, str], int] = {}
        self._slices: list[_Slice] = []
        self._instants: list[tuple[int, int, int, dict[str, float]]] = []
        self._counters: list[tuple[str, str, list[int], list[float]]] = []

    def track(self, name: str, *, device: int = -1) -> int:
        self._tracks.append({"name": name, "device": device})
        return len(self._tracks) - 1

    def slice(self, track: int, start: int, duration: int, name: str, category: str = "", **fields: float) -> None:
        self._slices.append(_Slice(track, start, duration, self._name(name, category), fields))

    def instant(self, track: int, time: int, name: str, fields: dict[str, float]) -> None:
        self._instants.append((time, track, self._name(name, "cpu_instant_event"), fields))

    def counter(self, name: str, process: str, times: list[int], values: list[float]) -> None:
        self._counters.append((name, process, times, values))

    def _name(self, text: str, category: str) -> int:
        return self._names.setdefault((text, category), len(self._names))

    def build(self) -> Trace:
        rows: list[list[int]] = []  # of each row: the slices in order of time
        row_track: list[int] = []
        row_depth: list[int] = []
        parents: dict[int, int] = {}
        tracks: list[Track] = []
        for track, facts in enumerate(self._tracks):
            first_row = len(rows)
            count = self._nest(track, rows, row_track, row_depth, parents)
            tracks.append(_track(track, facts, first_row, len(rows) - first_row, count))
        order = [index for row in rows for index in row]
        place = {index: position for position, index in enumerate(order)}
        slices = [self._slices[index] for index in order]
        duration = np.array([each.duration for each in slices], np.int64)
        parent = np.array(
            [place[parents[index]] if parents[index] != NO_SLICE else NO_SLICE for index in order], np.int32
        )
        own = duration.copy()
        np.subtract.at(own, parent[parent >= 0], duration[parent >= 0])
        instants = sorted(self._instants, key=lambda instant: instant[0])
        counters, counter_times, counter_values = self._counter_columns()
        return Trace(
            origin_ns=self.origin_ns,
            tracks=tracks,
            names=[NameEntry(*key) for key in self._names],
            start=np.array([each.start for each in slices], np.int64),
            duration=duration,
            self_time=np.maximum(own, 0),
            name=np.array([each.name for each in slices], np.uint32),
            parent=parent,
            argument_start=np.zeros(len(slices), np.uint64),
            argument_size=np.zeros(len(slices), np.uint32),
            row_start=np.cumsum([0] + [len(row) for row in rows]).astype(np.int64),
            row_track=np.array(row_track, np.int32),
            row_depth=np.array(row_depth, np.int32),
            longest=(),
            fields=_fields([each.fields for each in slices]),
            counters=counters,
            counter_times=counter_times,
            counter_values=counter_values,
            instant_time=np.array([time for time, _, _, _ in instants], np.int64),
            instant_name=np.array([name for _, _, name, _ in instants], np.uint32),
            instant_track=np.array([track for _, track, _, _ in instants], np.int32),
            instant_fields=_fields([fields for _, _, _, fields in instants]),
            metadata=self.metadata,
        )

    def _nest(
        self,
        track: int,
        rows: list[list[int]],
        row_track: list[int],
        row_depth: list[int],
        parents: dict[int, int],
    ) -> int:
        first_row = len(rows)
        mine = [index for index, each in enumerate(self._slices) if each.track == track]
        mine.sort(key=lambda index: (self._slices[index].start, -self._slices[index].duration))
        stack: list[int] = []
        for index in mine:
            start = self._slices[index].start
            while stack and self._slices[stack[-1]].start + self._slices[stack[-1]].duration <= start:
                stack.pop()
            if first_row + len(stack) == len(rows):
                rows.append([])
                row_track.append(track)
                row_depth.append(len(stack))
            parents[index] = stack[-1] if stack else NO_SLICE
            rows[first_row + len(stack)].append(index)
            stack.append(index)
        return len(mine)

    def _counter_columns(self) -> tuple[list[Counter], Any, Any]:
        counters: list[Counter] = []
        times: list[int] = []
        values: list[float] = []
        for name, process, own_times, own_values in self._counters:
            counters.append(
                Counter(
                    id=len(counters),
                    name=name,
                    process=process,
                    unit="bytes",
                    first=len(times),
                    points=len(own_times),
                )
            )
            times += own_times
            values += own_values
        return counters, np.array(times, np.int64), np.array(values, np.float64)


def _track(track: int, facts: dict[str, Any], first_row: int, rows: int, slices: int) -> Track:
    is_device = facts["device"] >= 0
    return Track(
        id=track,
        type="stream" if is_device else "thread",
        name=facts["name"],
        process=f"GPU {facts['device']}" if is_device else "python",
        pid=str(facts["device"]) if is_device else "1",
        tid=facts["name"],
        is_device=is_device,
        device=facts["device"],
        host="",
        first_row=first_row,
        rows=rows,
        slices=slices,
        sort_key=track,
    )


def _fields(each: list[dict[str, float]]) -> dict[str, SliceField]:
    found: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for index, fields in enumerate(each):
        for name, value in fields.items():
            found[name].append((index, value))
    return {
        name: SliceField(np.array([i for i, _ in pairs], np.int64), np.array([v for _, v in pairs]))
        for name, pairs in found.items()
    }


def profile_of(builder: TraceBuilder, steps: list[tuple[int, int]] | None = None) -> Profile:
    """`steps` as start and end of each; None: those that are found."""
    drawn = None
    if steps is not None:
        found = [
            Step(name=f"step {number}", number=number, start_ns=start, duration_ns=end - start)
            for number, (start, end) in enumerate(steps)
        ]
        drawn = Steps(steps=found, source="drawn", text="steps drawn by hand")
    return Profile(builder.build(), Path("none.json"), drawn_steps=drawn)
