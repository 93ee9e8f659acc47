"""Matching: the same collective on several ranks, the clocks that follow from it, and who waits for whom.

A collective ends on all of its ranks at the same time, when the data of the last one has arrived. The offset between
the clocks of two ranks is the median difference of these ends, so that the starts can be compared too.
"""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.profiles.analyses.distributed.rank import Collectives, windows_of
from seamark.profiles.form import Times
from seamark.profiles.profile import Profile

# A rank is a straggler if it causes most of the waiting, and the others wait this share of a step for it.
STRAGGLER_PART, MIN_WAIT_SHARE = 0.6, 0.03
# Two ranks of a group exchange data: the others are not there.
NOT_MATCHED = frozenset({"send_recv"})
ABSENT = -1
Key = tuple[str, int, str]  # kind, size of the group, its members


class Matched(NamedTuple):
    """One row for each rank, one column for each collective that several ranks have."""

    position: NDArray[np.int64]  # in the rank's collectives; ABSENT: it takes no part
    start: Times  # on the clock of the first rank
    end: Times
    offset: Times  # of each rank's clock
    unmatched: int  # collectives, of all ranks

    @property
    def is_there(self) -> NDArray[np.bool_]:
        there: NDArray[np.bool_] = self.position != ABSENT
        return there

    @property
    def arrivals(self) -> Times:
        """Starts; a rank that takes no part comes before all others."""
        return np.where(self.is_there, self.start, np.iinfo(np.int64).min)

    @property
    def wait(self) -> Times:
        """Until the last rank arrives."""
        until = np.minimum(self.arrivals.max(axis=0), self.end)
        return np.where(self.is_there, np.maximum(until - self.start, 0), 0)

    @property
    def last(self) -> NDArray[np.int64]:
        """The rank that arrives last at each collective."""
        last: NDArray[np.int64] = np.argmax(self.arrivals, axis=0)
        return last

    @property
    def caused(self) -> NDArray[np.float64]:
        """Of each rank: how long the others wait for it, on average."""
        others = np.maximum(self.is_there.sum(axis=0) - 1, 1)
        return np.bincount(self.last, self.wait.sum(axis=0) / others, len(self.start)).astype(np.float64)

    @property
    def awaited_share(self) -> NDArray[np.float64]:
        caused = self.caused
        return caused / (caused.sum() or 1)


def match(ranks: list[Collectives], origins: list[int]) -> Matched | None:
    """None: there is nothing to compare."""
    by_key = [_places(rank) for rank in ranks]
    columns: list[NDArray[np.int64]] = []
    for key in dict.fromkeys(key for found in by_key for key in found):
        members = [index for index, found in enumerate(by_key) if key in found]
        if _can_match(key, [len(by_key[index][key]) for index in members]):
            part = np.full((len(ranks), len(by_key[members[0]][key])), ABSENT, np.int64)
            part[members] = [by_key[index][key] for index in members]
            columns.append(part)
    if not columns:
        return None
    position = np.concatenate(columns, axis=1)
    start, end = (
        np.stack([column[at] + origin for column, at, origin in zip(times, position, origins, strict=True)])
        for times in ([_padded(rank.start) for rank in ranks], [_padded(rank.end) for rank in ranks])
    )
    offset = _clock_offsets(end, position != ABSENT)
    unmatched = sum(len(rank.slices) for rank in ranks) - int((position != ABSENT).sum())
    return Matched(position, start - offset[:, None], end - offset[:, None], offset, unmatched)


def _padded(times: Times) -> Times:
    """With an entry for ABSENT at the end."""
    return np.append(times, 0)


def _places(rank: Collectives) -> dict[Key, list[int]]:
    found: dict[Key, list[int]] = defaultdict(list)
    for place, key in enumerate(zip(rank.kind, rank.size, rank.members, strict=True)):
        if key[0] not in NOT_MATCHED:
            found[key].append(place)
    return found


def _can_match(key: Key, counts: list[int]) -> bool:
    """All ranks have as many; and if the group is smaller than they are, it is known who belongs to it."""
    _, size, members = key
    return len(counts) > 1 and len(set(counts)) == 1 and (members != "" or size == 0 or size >= len(counts))


def _clock_offsets(end: Times, is_there: NDArray[np.bool_]) -> Times:
    """Against the first rank, from rank to rank by the collectives that two of them share; 0 if there is no way."""
    offset = np.zeros(len(end), np.int64)
    known, pending = {0}, [0]
    while pending:
        one = pending.pop(0)
        for other in range(len(end)):
            shared = is_there[one] & is_there[other]
            if other not in known and shared.any():
                offset[other] = offset[one] + int(np.median(end[other][shared] - end[one][shared]))
                known.add(other)
                pending.append(other)
    return offset


def wait_of_step(profile: Profile, matched: Matched, index: int, collectives: Collectives) -> int:
    """What a rank waits for others, in its average step."""
    begin, end = windows_of(profile)
    there = matched.is_there[index]
    started = collectives.start[matched.position[index][there]]
    at = np.searchsorted(begin, started, "right") - 1
    inside = (at >= 0) & (started < end[np.maximum(at, 0)])
    return int(matched.wait[index][there][inside].sum()) // len(begin)


def find_straggler(matched: Matched, total_ns: int) -> int | None:
    """The rank that the others wait for; `total_ns`: all steps together."""
    worst = int(np.argmax(matched.caused))
    is_much = matched.caused[worst] >= MIN_WAIT_SHARE * total_ns
    return worst if is_much and matched.awaited_share[worst] >= STRAGGLER_PART else None
