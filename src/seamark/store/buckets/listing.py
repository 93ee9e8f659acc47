"""What to list, and when. A listing takes a request for a thousand objects, so that a large bucket is listed whole
more rarely, and in between only the folders of the runs that changed last.
"""

from __future__ import annotations

import time
from collections.abc import Iterable

from seamark.store.buckets.objects import ObjectInfo

# Listing everything takes at most so many requests in a second, on average.
MAX_REQUESTS_PER_SEC = 2.0
# In between, the folders that changed within this time are listed, so many of them.
RECENT_SECS = 600.0
MAX_RECENT_FOLDERS = 10


class ListingPlan:
    """Owned by the thread that keeps the copy up to date."""

    def __init__(self) -> None:
        self._whole_at = 0.0

    def folders(self, known: Iterable[ObjectInfo]) -> list[str] | None:
        """The folders to list now; None if all are due."""
        if time.monotonic() >= self._whole_at:
            return None
        return recent_folders(known, now=time.time())

    def listed_whole(self, requests: int) -> None:
        self._whole_at = time.monotonic() + requests / MAX_REQUESTS_PER_SEC


def recent_folders(known: Iterable[ObjectInfo], *, now: float) -> list[str]:
    """Those that changed last, first. Not the root, below which everything is."""
    changed: dict[str, float] = {}
    for info in known:
        folder = info.key.rpartition("/")[0]
        if folder and now - info.modified < RECENT_SECS:
            changed[folder] = max(info.modified, changed.get(folder, 0.0))
    return sorted(changed, key=lambda folder: -changed[folder])[:MAX_RECENT_FOLDERS]
