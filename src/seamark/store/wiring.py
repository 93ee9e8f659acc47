"""Creates the parts of a store and connects their events. No other module knows more than one or two of them."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seamark.format.types import RunName
from seamark.store.discover.follow import Follower
from seamark.store.discover.roots import LogRoot, printable_path
from seamark.store.discover.walk import Discovery, FoundFile
from seamark.store.index.committer import Committer
from seamark.store.index.index import Index
from seamark.store.read.event_file import EventFile, Visit
from seamark.store.read.file_state import FileState
from seamark.store.read.inherit import files_needing_reread
from seamark.store.read.loader import Loader
from seamark.store.runs.library import Changes, Library, RootRuns
from seamark.store.runs.problems import file_problems
from seamark.store.runs.run import Run, run_of
from seamark.store.runs.subscribe import Hub
from seamark.store.status import Problem

if TYPE_CHECKING:
    from seamark.store.buckets.copy import BucketCopy

LOG = logging.getLogger(__name__)


class Pipeline:
    """Walks → library → loader → committer, and every change to the hub. docs/store.md lists which thread runs what."""

    def __init__(
        self,
        roots: Sequence[LogRoot],
        *,
        index_dir: Path | None,
        index_read_only: bool,
        reload_secs: float,
        workers: int | None,
    ) -> None:
        self.library = Library(list(roots))
        self.hub = Hub()
        self.indexes: dict[LogRoot, Index] = {}
        if index_dir is not None:
            self.indexes = {
                root: Index(index_dir, root.path, read_only=index_read_only, label=root.label) for root in roots
            }
        in_buckets = [runs for runs in self.library.roots if runs.root.address]
        self.copies = [_bucket_copy(runs, reload_secs) for runs in in_buckets]
        for runs in self.library.roots:
            runs.fetch = next((each.fetch for each in self.copies if each.address == runs.root.address), None)
        self._follows = reload_secs > 0
        self.loader = Loader(workers=workers, on_visit=self._on_visit, on_idle=self._on_idle)
        self.committer = Committer(self.indexes, is_busy=lambda: self.loader.is_busy, on_broken=self.reread)
        followed = [
            _FollowedRoot(self.library, runs, self.indexes.get(runs.root), self._on_changes, self._on_touch)
            for runs in self.library.roots
        ]
        self.follower = Follower(followed, on_listed=self.loader.complete_list, reload_secs=reload_secs)

    def start(self) -> None:
        for bucket in self.copies:
            # Read once: the walk must find everything. Followed: what was copied earlier is shown at once.
            (bucket.start if self._follows else bucket.update)()
        self.loader.start()
        self.committer.start()
        self.follower.start()

    def close(self, *, index_timeout_secs: float | None) -> None:
        """Stops the threads in the direction of the data, so that what was read is written."""
        for bucket in self.copies:
            bucket.close()
        self.follower.close()
        self.loader.close()
        self.committer.close(index_timeout_secs)
        self.hub.close()
        for index in self.indexes.values():
            index.close()

    def cache_dir(self) -> Path | None:
        """Of the first log directory, since one suffices for all."""
        return next((index.cache_dir for index in self.indexes.values() if index.is_writable), None)

    def selected(self, runs: Collection[RunName]) -> Pipeline:
        """The same parts, with a library of these runs only."""
        view = copy(self)
        view.library = self.library.selected(runs)
        return view

    def problems(self) -> list[Problem]:
        indexes = [index.problem for index in self.indexes.values() if index.problem is not None]
        files = [problem for file in self.library.files() for problem in file_problems(file)]
        copies = [problem for bucket in self.copies for problem in bucket.problems()]
        return [*copies, *self.follower.problems(), *indexes, *self.library.problems(), *files]

    def reread(self, file: EventFile, reason: str) -> None:
        """Has a file read again whose rows the index has lost. Called on any thread."""
        path = printable_path(file.path)
        LOG.warning("the index of an event file is damaged (%s); reading the file again: '%s'", reason, path)
        self.loader.reread_from_start(file)
        self.hub.runs_changed(reset=[file.run.name])

    # On the follower thread

    def _on_changes(self, changes: Changes) -> None:
        for file, found in changes.added:
            self.loader.add(file, found.identity.size, is_read=file.state.identity == found.identity)
        for file in changes.removed:
            self.loader.remove(file)
            self.committer.drop(file)
        for file in changes.moved:
            self.committer.note(file, 0)
        self.hub.runs_changed(
            added=[run.name for run in changes.runs_added],
            removed=[run.name for run in changes.runs_removed],
            reset=[run.name for run in changes.runs_changed],
        )
        for run in changes.runs_added | changes.runs_changed | {run_of(file) for file, _ in changes.added}:
            self._inherit_metadata(run)
        for file, found in changes.to_visit:
            self.loader.enqueue(file, found.identity.mtime_ns)

    def _on_touch(self, file: EventFile) -> None:
        self.loader.enqueue(file, time.time_ns())

    # On a loader thread

    def _on_visit(self, file: EventFile, visit: Visit) -> None:
        if file.is_removed:
            return
        if visit.was_reset:
            self.hub.runs_changed(reset=[file.run.name])
        if visit.parts:
            self.hub.rows_added(file.run.name, visit.table, [part.stripe() for part in visit.parts])
        if visit.has_new_series or visit.was_reset:
            self._inherit_metadata(run_of(file))
        has_changed = bool(visit.parts) or visit.was_reset
        self.committer.note(file, sum(part.size for part in visit.parts), has_changed=has_changed)
        self.committer.throttle()

    def _on_idle(self) -> None:
        self.committer.nudge()

    def _inherit_metadata(self, run: Run) -> None:
        """Rereads the files of a run that lack metadata which earlier files have for their tags (see inherit.py)."""
        with self.library.lock:  # two threads must not reread with different seeds
            found = files_needing_reread(run.ordered)
            for file, seed in found:
                self.loader.reread_from_start(file, seed)
        if found:
            self.hub.runs_changed(reset=[run.name])


def _bucket_copy(runs: RootRuns, reload_secs: float) -> BucketCopy:
    # Imports HTTP, TLS and the object stores: a third of the time that a start takes.
    from seamark.store.buckets.copy import BucketCopy

    return BucketCopy(runs.root.address, runs.root.path, reload_secs=reload_secs, is_read=partial(_is_read, runs))


def _is_read(runs: RootRuns, folder: str, name: str, size: int) -> bool:
    run = runs.runs.get(folder)
    file = run.files.get(name) if run is not None else None
    return file is not None and file.state.identity.size == size == file.state.consumed


class _FollowedRoot:
    """Updates the library and the index of one log directory. Owned by the follower thread."""

    def __init__(
        self,
        library: Library,
        runs: RootRuns,
        index: Index | None,
        on_changes: Callable[[Changes], None],
        on_touch: Callable[[EventFile], None],
    ) -> None:
        self._library = library
        self._runs = runs
        self._index = index
        self._on_changes = on_changes
        self._on_touch = on_touch
        self._is_first_walk = True

    @property
    def path(self) -> Path:
        return self._runs.root.path

    @property
    def shown(self) -> str:
        return self._runs.root.shown

    def open(self) -> None:
        if self._index is not None:
            self._index.open()

    def update(self, scope: str, found: Discovery) -> bool:
        if self._index is not None and self._is_first_walk:
            self._index.expect(found.files)
        changes = self._library.apply(self._runs, scope, found, self._restore)
        if self._index is not None and self._is_first_walk and not found.root_missing and not found.unreadable:
            self._index.drop_leftovers(found.runs)
        self._is_first_walk = False
        self._on_changes(changes)
        return bool(changes)

    def touch(self, folder: str, name: str) -> bool:
        run = self._runs.runs.get(folder)
        file = run.files.get(name) if run is not None else None
        if file is None:
            return False
        self._on_touch(file)
        return True

    def has_runs_below(self, folder: str) -> bool:
        return self._runs.has_below(folder)

    def _restore(self, file: EventFile, found: FoundFile) -> FileState | None:
        return None if self._index is None else self._index.restore(file, found)
