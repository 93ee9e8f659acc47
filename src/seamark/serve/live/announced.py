"""Which version of the data the pages know of, which decides whether a cached response may be sent again."""

from __future__ import annotations

import time

from seamark.format.types import Tag
from seamark.store import Delta

# A change that has not been announced yet may be missing from a response for this long.
MAX_AGE_SECS = 0.5


class AnnouncedVersions:
    """Written by the live thread, read by the threads that answer requests."""

    def __init__(self) -> None:
        self.version = 0
        self.list_version = 0  # grows with every announcement
        self._announced_at = 0.0
        self._all_tags = 0
        self._tags: dict[Tag, int] = {}

    def update(self, delta: Delta) -> None:
        if delta.runs_added or delta.runs_removed or delta.runs_reset:
            self._all_tags = delta.version
        for tags in delta.scalars.values():
            self._tags.update(dict.fromkeys(tags, delta.version))
        self.version = delta.version
        self._announced_at = time.monotonic()
        self.invalidate_lists()

    def invalidate_lists(self) -> None:
        """Lists of all runs and tags that were made before are no longer valid."""
        self.list_version += 1

    def covers(self, tag: Tag, version: int, store_version: int) -> bool:
        """Whether a response for a tag, made at `version`, has every announced change."""
        return self._is_recent(store_version) and version >= max(self._all_tags, self._tags.get(tag, 0))

    def covers_all(self, list_version: int, store_version: int) -> bool:
        """The same for a response about all runs and tags, made at `list_version`.

        The store's version does not say enough: its tags are there a moment before its version grows.
        """
        return self._is_recent(store_version) and list_version == self.list_version

    def _is_recent(self, store_version: int) -> bool:
        return self.version == store_version or time.monotonic() - self._announced_at < MAX_AGE_SECS
