"""Parsed files of run folders by run name, from and to the indexes of the log directories."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from seamark.format.types import RunName
from seamark.store.discover.roots import LogRoot
from seamark.store.index.committer import Committer
from seamark.store.index.index import Index
from seamark.store.index.run_files import CachedRunFile, RunFiles
from seamark.store.read.event_file import RACY_NS
from seamark.store.runs.library import Library
from seamark.store.runs.run import Run


class RunFileCache:
    """Any thread may call it: reads use a connection of their own, the committer thread writes."""

    def __init__(self, library: Library, indexes: Mapping[LogRoot, Index], committer: Committer) -> None:
        self._library = library
        self._indexes = indexes
        self._committer = committer

    def get(self, names: Sequence[RunName] | None) -> dict[RunName, dict[str, CachedRunFile]]:
        found: dict[RunName, dict[str, CachedRunFile]] = {}
        runs = self._library.runs() if names is None else [run for run in map(self._library.run, names) if run]
        for index, by_folder in self._by_index(runs):
            files = index.cached_run_files(list(by_folder))
            found.update((by_folder[folder].name, cached) for folder, cached in files.items())
        return found

    def put(self, files: Mapping[RunName, RunFiles]) -> None:
        now_ns = time.time_ns()
        known = {run.name: run for run in map(self._library.run, files) if run}
        for index, by_folder in self._by_index(known.values()):
            settled = {folder: _settled(files[run.name], now_ns) for folder, run in by_folder.items()}
            self._committer.note_run_files(index, settled)

    def _by_index(self, runs: Iterable[Run]) -> Iterable[tuple[Index, dict[str, Run]]]:
        by_root: dict[LogRoot, dict[str, Run]] = {}
        for run in runs:
            by_root.setdefault(run.root, {})[run.folder] = run
        return [(self._indexes[root], by_folder) for root, by_folder in by_root.items() if root in self._indexes]


def _settled(files: RunFiles, now_ns: int) -> dict[str, CachedRunFile]:
    """Without files changed a moment ago: those may change again without a new modification time."""
    return {name: cached for name, cached in files.items() if not 0 <= now_ns - cached.identity.mtime_ns < RACY_NS}
