"""list_folder: the entries of a folder, listed again only after the folder changed.

Several dashboards search the folders of all runs whenever a page opens; with thousands of runs listing takes seconds.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Literal, NamedTuple

from seamark.plugin.recently_used import RecentlyUsed

EntryType = Literal["folder", "file", "link", "other"]
MAX_FOLDERS = 20_000
# A folder may change twice within the resolution of its time.
SETTLED_SECS = 2.0


class FolderEntry(NamedTuple):
    name: str
    type: EntryType


_listings: RecentlyUsed[tuple[FolderEntry, ...]] = RecentlyUsed(MAX_FOLDERS)


def list_folder(path: str) -> tuple[FolderEntry, ...]:
    """Sorted by name; without those that are removed meanwhile. Raises OSError."""
    modified_ns = os.stat(path).st_mtime_ns  # noqa: PTH116 (much faster for thousands of folders)
    if time.time() - modified_ns / 1e9 < SETTLED_SECS:
        return _list(path)
    return _listings.get((path, modified_ns), lambda: _list(path))


def _list(path: str) -> tuple[FolderEntry, ...]:
    with os.scandir(path) as entries:
        return tuple(sorted(_typed(entries)))


def _typed(entries: Iterator[os.DirEntry[str]]) -> Iterator[FolderEntry]:
    for entry in entries:
        try:
            if entry.is_symlink():
                yield FolderEntry(entry.name, "link")
            elif entry.is_dir():
                yield FolderEntry(entry.name, "folder")
            else:
                yield FolderEntry(entry.name, "file" if entry.is_file() else "other")
        except OSError:
            continue
