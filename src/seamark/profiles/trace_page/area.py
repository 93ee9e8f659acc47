"""Areas: some tracks between two times; sums of their slices by name, activity or track."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.activity import DEVICE_ACTIVITIES, Activity, find_activities
from seamark.profiles.form import SliceIndices, Track
from seamark.profiles.profile import Profile
from seamark.profiles.results import Area, AreaRow
from seamark.profiles.window import Rows, find_slices

Grouping = Literal["name", "activity", "track"]
# Of the largest total; the others are one row.
MAX_ROWS = 2_000


class TraceArea(NamedTuple):
    tracks: Sequence[Track]
    start_ns: int
    end_ns: int

    @property
    def rows(self) -> Rows:
        return rows_of(self.tracks)


class NameGroups(NamedTuple):
    """Which names are summed together."""

    group_of_name: NDArray[np.uint32]  # empty: a group is a track
    texts: list[str]
    activities: list[int]


def find_area(profile: Profile, area: TraceArea, by: Grouping) -> Area:
    groups = _groups(profile, by)
    slices = profile.get(find_slices)
    sums = slices.sums(groups.group_of_name, len(groups.texts), area.rows, area.start_ns, area.end_ns)
    # Slices that overlap without nesting can exceed the one around them.
    sums["self"] = np.maximum(sums["self"], 0)
    own = int(sums["self"].sum())
    return Area(
        rows=_rows(sums, groups),
        total_ns=own,
        count=int(sums["count"].sum()),
        tracks=len(area.tracks),
        overlaps=own > area.end_ns - area.start_ns,
        device_idle_ns=_device_idle(profile, area),
    )


def find_name_groups(profile: Profile) -> NameGroups:
    """Names that look the same: an equal text and activity in several categories."""
    groups: dict[tuple[str, int], int] = {}
    activities = profile.get(find_activities).tolist()
    texts = (entry.text for entry in profile.trace.names)
    of_name = [groups.setdefault(key, len(groups)) for key in zip(texts, activities, strict=True)]
    return NameGroups(np.array(of_name, np.uint32), [text for text, _ in groups], [activity for _, activity in groups])


def slices_in(profile: Profile, area: TraceArea) -> SliceIndices:
    """The slices that are in the area, at least in part, in ascending order."""
    trace = profile.trace
    ranges = [np.empty(0, np.int64)]
    for row in area.rows.tolist():
        first, end = int(trace.row_start[row]), int(trace.row_start[row + 1])
        starts = trace.start[first:end]
        low = first + int(np.searchsorted(starts, area.start_ns))
        high = first + int(np.searchsorted(starts, area.end_ns))
        if low > first and trace.start[low - 1] + trace.duration[low - 1] > area.start_ns:
            low -= 1
        ranges.append(np.arange(low, high))
    return np.concatenate(ranges)


def rows_of(tracks: Sequence[Track]) -> Rows:
    """All rows of some tracks, ascending."""
    found = [np.arange(track.first_row, track.first_row + track.rows) for track in tracks]
    return np.sort(np.concatenate([np.empty(0, np.int64), *found]))


def _groups(profile: Profile, by: Grouping) -> NameGroups:
    if by == "name":
        return profile.get(find_name_groups)
    if by == "activity":
        names = [activity.name.lower() for activity in Activity]
        return NameGroups(profile.get(find_activities).astype(np.uint32), names, [int(each) for each in Activity])
    tracks = [track.name for track in profile.trace.tracks]
    return NameGroups(np.empty(0, np.uint32), tracks, [int(Activity.OTHER)] * len(tracks))


def _rows(sums: dict[str, NDArray[Any]], groups: NameGroups) -> list[AreaRow]:
    """The groups that have slices, the largest total first."""
    found = np.flatnonzero(sums["count"])
    order = found[np.argsort(-sums["total"][found], kind="stable")]
    columns = {name: column[order].tolist() for name, column in sums.items()}
    rows = [
        AreaRow(
            name=groups.texts[group],
            activity=groups.activities[group],
            track=columns["track"][at],
            count=columns["count"][at],
            total_ns=columns["total"][at],
            self_ns=columns["self"][at],
            longest=columns["longest"][at],
        )
        for at, group in enumerate(order[:MAX_ROWS].tolist())
    ]
    return rows if len(order) <= MAX_ROWS else [*rows, _other_row(columns, len(order))]


def _other_row(columns: dict[str, list[int]], groups: int) -> AreaRow:
    return AreaRow(
        name=f"({groups - MAX_ROWS:,} other names)",
        activity=int(Activity.OTHER),
        track=-1,
        count=sum(columns["count"][MAX_ROWS:]),
        total_ns=sum(columns["total"][MAX_ROWS:]),
        self_ns=sum(columns["self"][MAX_ROWS:]),
        longest=columns["longest"][MAX_ROWS],
    )


def _device_idle(profile: Profile, area: TraceArea) -> int | None:
    """How long a device of the area runs nothing; of several devices the mean. None without a device."""
    by_device: dict[tuple[str, str, int], list[Track]] = {}
    for track in area.tracks:
        if track.is_device:
            by_device.setdefault((track.host, track.pid, track.device), []).append(track)
    if not by_device:
        return None
    is_busy = np.isin(profile.get(find_activities), DEVICE_ACTIVITIES).astype(np.uint8)
    length, slices = area.end_ns - area.start_ns, profile.get(find_slices)
    idle = [length - slices.busy(is_busy, rows_of(tracks), area.start_ns, area.end_ns) for tracks in by_device.values()]
    return sum(idle) // len(idle)
