"""Combines the ranks of a capture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.distributed.lanes import lane_of, typical_step
from seamark.profiles.analyses.distributed.matching import Matched, find_straggler, match, wait_of_step
from seamark.profiles.analyses.distributed.rank import Collectives, find_collectives, rank_name, rank_number, rank_times
from seamark.profiles.profile import Profile
from seamark.profiles.results import CollectiveRow, Distributed, RankRow

ONE_RANK = "Only one rank was recorded: waiting and stragglers need the traces of several ranks in one capture."
NO_COLLECTIVES = "The trace has no collectives: the run used one device, or the profiler did not record them."
NO_MATCH = "The ranks have different numbers of collectives: their clocks cannot be aligned, nor their waiting found."
NO_SIZES = "The trace does not say how large the messages are: PyTorch writes it from version 2.2 on, for NCCL."


def find_distributed(profiles: Sequence[tuple[str, Profile]]) -> Distributed:
    """Of all hosts of a capture: each with its name."""
    ordered = sorted(profiles, key=lambda each: rank_number(each[1]) or 0)
    collectives = [profile.get(find_collectives) for _, profile in ordered]
    hosts = [rank_name(name, profile) for name, profile in ordered]
    matched = match(collectives, [profile.trace.origin_ns for _, profile in ordered])
    rows = _collective_rows(collectives)
    window = typical_step(ordered[0][1])
    first_origin = ordered[0][1].trace.origin_ns
    offsets = np.zeros(len(ordered), np.int64) if matched is None else matched.offset
    return Distributed(
        ranks=_rank_rows(ordered, hosts, collectives, matched),
        collectives=rows,
        notes=_notes(ordered, rows, matched),
        lanes=[
            lane_of(host, name, profile, found, window, profile.trace.origin_ns - first_origin - int(offset))
            for host, (name, profile), found, offset in zip(hosts, ordered, collectives, offsets, strict=True)
        ]
        if rows
        else [],
        window_name=window.name,
        window_ns=window.end - window.start,
        window_start_ns=window.start,
    )


def _rank_rows(
    profiles: Sequence[tuple[str, Profile]],
    hosts: list[str],
    collectives: list[Collectives],
    matched: Matched | None,
) -> list[RankRow]:
    times = [rank_times(profile) for _, profile in profiles]
    late = None if matched is None else find_straggler(matched, times[0].step_ns * max(times[0].steps, 1))
    rows = []
    for index, ((name, profile), own) in enumerate(zip(profiles, times, strict=True)):
        rows.append(
            RankRow(
                host=hosts[index],
                capture_host=name,
                wait_ns=None if matched is None else wait_of_step(profile, matched, index, collectives[index]),
                awaited_share=None if matched is None else float(matched.awaited_share[index]),
                clock_offset_ns=None if matched is None else int(matched.offset[index]),
                is_straggler=index == late,
                **own._asdict(),
            )
        )
    return rows


def _collective_rows(ranks: list[Collectives]) -> list[CollectiveRow]:
    """By kind and size of the group."""
    by_key: dict[tuple[str, int], list[tuple[int, NDArray[np.int64]]]] = defaultdict(list)
    for number, rank in enumerate(ranks):
        keys = list(zip(rank.kind, rank.size, strict=True))
        for key in dict.fromkeys(keys):
            by_key[key].append((number, np.flatnonzero([each == key for each in keys])))
    rows = [
        _collective_row(kind, f"{size} ranks" if size else "", ranks, found) for (kind, size), found in by_key.items()
    ]
    return sorted(rows, key=lambda row: -row.total_ns)


def _collective_row(
    name: str, group: str, ranks: list[Collectives], found: list[tuple[int, NDArray[np.int64]]]
) -> CollectiveRow:
    durations = [ranks[number].end[at] - ranks[number].start[at] for number, at in found]
    total, calls = int(sum(each.sum() for each in durations)), sum(len(each) for each in durations)
    sizes = np.concatenate([ranks[number].bytes[at] for number, at in found])
    known = np.isfinite(sizes)
    moved = float(sizes[known].sum())
    busy = int(np.concatenate(durations)[known].sum())
    first, at = found[0]
    return CollectiveRow(
        name=name,
        group=group,
        calls=calls,
        total_ns=total,
        mean_ns=total // calls,
        bytes=int(moved) if known.any() else None,
        bandwidth=moved / busy * 1e9 if known.any() and busy else None,
        longest=int(ranks[first].slices[at[np.argmax(durations[0])]]) if first == 0 else -1,
    )


def _notes(profiles: Sequence[tuple[str, Profile]], rows: list[CollectiveRow], matched: Matched | None) -> list[str]:
    if not rows:
        return [NO_COLLECTIVES]
    notes = []
    if len(profiles) == 1:
        notes.append(ONE_RANK)
    elif matched is None:
        notes.append(NO_MATCH)
    elif matched.unmatched:
        notes.append(
            f"{matched.unmatched:,} collectives could not be matched between ranks: no waiting is known of them."
        )
    if all(row.bytes is None for row in rows):
        notes.append(NO_SIZES)
    return notes
