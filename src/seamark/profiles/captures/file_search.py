"""FileSearch: lists the files of profilers below a folder, again and again.

A folder that did not change since it was listed is not listed again, and a JSON file is looked into once. Links are
not followed: their targets are found where they are, or are outside.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from seamark.profiles.captures.file_forms import FileForm, form_of_json, form_of_name

MAX_DEPTH = 12
MAX_SEARCH_SECS = 5.0
MAX_FILES = 20_000
# A folder may change twice within the resolution of its time.
SETTLED_SECS = 2.0
# A result of a long search is used again for a few times as long as the search took.
LONG_SEARCH_SECS = 0.03
REUSE_FACTOR = 10
MAX_ROOTS = 64


class FoundFile(NamedTuple):
    folder: str  # relative to the root, "" for the root
    run: str  # the nearest folder above it that has event files; else its own
    name: str
    bytes: int
    modified: float
    form: FileForm

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.name}" if self.folder else self.name


class _Listing(NamedTuple):
    modified_ns: int  # 0: list it again
    has_events: bool
    folders: tuple[str, ...]
    files: tuple[tuple[str, FileForm], ...]


class FileSearch:
    """For any thread."""

    def __init__(self, root: Path) -> None:
        self._root = str(root)
        self._lock = threading.Lock()
        self._listings: dict[str, _Listing] = {}
        self._json_forms: dict[str, tuple[int, int, FileForm | None]] = {}
        self._last: tuple[list[FoundFile], bool] = ([], False)
        self._use_last_until = 0.0

    def search(self) -> tuple[list[FoundFile], bool]:
        """The files, and whether the search ended early. A later search gets further."""
        with self._lock:
            began = time.monotonic()
            if began < self._use_last_until:
                return self._last
            files: list[FoundFile] = []
            is_cut = False
            for file in self._files(began + MAX_SEARCH_SECS):
                if file is None or len(files) >= MAX_FILES:
                    is_cut = True
                    break
                files.append(file)
            took = time.monotonic() - began
            self._last = (files, is_cut)
            self._use_last_until = began + took * REUSE_FACTOR if took > LONG_SEARCH_SECS and not is_cut else 0.0
            return self._last

    def _files(self, deadline: float) -> Iterator[FoundFile | None]:
        """None once the time is over."""
        seen: set[str] = set()
        pending: list[tuple[str, str | None, int]] = [("", None, 0)]
        while pending:
            folder, run, depth = pending.pop()
            if time.monotonic() > deadline:
                yield None
                return
            seen.add(folder)
            listing = self._list(folder)
            if listing is None:
                continue
            run = folder if listing.has_events else run
            if depth < MAX_DEPTH:
                pending.extend((_join(folder, name), run, depth + 1) for name in reversed(listing.folders))
            for name, form in listing.files:
                file = self._look_at(folder, folder if run is None else run, name, form)
                if file is not None:
                    yield file
        for gone in self._listings.keys() - seen:
            del self._listings[gone]

    def _list(self, folder: str) -> _Listing | None:
        path = os.path.join(self._root, folder)  # noqa: PTH118 (much faster for thousands of folders)
        try:
            modified_ns = os.stat(path).st_mtime_ns  # noqa: PTH116
            known = self._listings.get(folder)
            if known is not None and known.modified_ns == modified_ns:
                return known
            is_settled = time.time() - modified_ns / 1e9 > SETTLED_SECS
            with os.scandir(path) as entries:
                listing = _listing_of(entries, modified_ns if is_settled else 0)
        except OSError:
            self._listings.pop(folder, None)
            return None
        self._listings[folder] = listing
        return listing

    def _look_at(self, folder: str, run: str, name: str, form: FileForm) -> FoundFile | None:
        path = Path(self._root, folder, name)
        try:
            status = path.stat()
            found = self._form_of_json(path, status) if form == "json" else form
        except OSError:
            return None  # removed since it was listed
        if found is None:
            return None
        return FoundFile(folder, run, name, status.st_size, status.st_mtime, found)

    def _form_of_json(self, path: Path, status: os.stat_result) -> FileForm | None:
        known = self._json_forms.get(str(path))
        if known is not None and known[:2] == (status.st_size, status.st_mtime_ns):
            return known[2]
        form = form_of_json(path)
        self._json_forms[str(path)] = (status.st_size, status.st_mtime_ns, form)
        return form


def _listing_of(entries: Iterator[os.DirEntry[str]], modified_ns: int) -> _Listing:
    folders: list[str] = []
    files: list[tuple[str, FileForm]] = []
    has_events = False
    for entry in entries:
        name = entry.name
        if name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(name)
            continue
        has_events = has_events or "tfevents" in name
        form = form_of_name(name)
        if form is not None and entry.is_file(follow_symlinks=False):
            files.append((name, form))
    return _Listing(modified_ns, has_events, tuple(sorted(folders)), tuple(sorted(files)))


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


@lru_cache(maxsize=MAX_ROOTS)
def searcher_of(root: Path) -> FileSearch:
    return FileSearch(root)
