"""All runs of all log directories, updated from walks of the disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from seamark.format.types import RunName
from seamark.store.discover.roots import LogRoot
from seamark.store.discover.run_folder import Fetch
from seamark.store.discover.walk import Discovery, FoundFile
from seamark.store.read.event_file import EventFile
from seamark.store.read.file_state import FileState
from seamark.store.runs.problems import unreadable_folder
from seamark.store.runs.run import Run, run_of
from seamark.store.status import Problem

Restore = Callable[[EventFile, FoundFile], FileState | None]
"""Returns the state that an index has of a new file (see Index.restore)."""


class Changes(Struct):
    """The differences that a walk found. Files to visit come with their entry in the walk."""

    to_visit: list[tuple[EventFile, FoundFile]] = field(default_factory=list)
    added: list[tuple[EventFile, FoundFile]] = field(default_factory=list)
    removed: list[EventFile] = field(default_factory=list)
    moved: list[EventFile] = field(default_factory=list)
    runs_added: set[Run] = field(default_factory=set)
    runs_removed: set[Run] = field(default_factory=set)
    runs_changed: set[Run] = field(default_factory=set)  # a file was deleted, or renamed into or out of it

    def __bool__(self) -> bool:
        return bool(self.to_visit or self.added or self.removed or self.moved or self.runs_added or self.runs_removed)


class RootRuns(Struct):
    """The runs of one log directory. Changed by the follower thread under the library's lock."""

    root: LogRoot
    fetch: Fetch | None = None  # of a bucket
    runs: dict[str, Run] = field(default_factory=dict)  # by folder
    problems: dict[str, Problem] = field(default_factory=dict)  # by unreadable folder
    # The folders of runs and those above them; None until they are asked for.
    folders: set[str] | None = None

    def add(self, run: Run) -> None:
        self.runs[run.folder] = run
        if self.folders is not None:
            self.folders.update(_with_parents(run.folder))

    def remove(self, run: Run) -> None:
        del self.runs[run.folder]
        self.folders = None

    def has_below(self, folder: str) -> bool:
        """Whether a run is the folder or lies in it. Asked for each deleted path, so it must not look at every run."""
        if self.folders is None:
            self.folders = {above for known in self.runs for above in _with_parents(known)}
        return folder in self.folders


class Library:
    """Only the follower thread changes it; all threads read it. Both hold `lock`."""

    def __init__(self, roots: list[LogRoot]) -> None:
        self.lock = threading.RLock()
        self.roots = [RootRuns(root) for root in roots]
        self._runs: dict[str, Run] = {}

    def runs(self) -> list[Run]:
        with self.lock:
            return list(self._runs.values())

    def run_names(self) -> list[RunName]:
        with self.lock:
            return [run.name for run in self._runs.values()]

    def run(self, name: str) -> Run | None:
        return self._runs.get(name)

    def selected(self, names: Iterable[str]) -> Library:
        """These runs as they are now, without the problems of folders, which belong to no run."""
        wanted = set(names)
        view = Library([])
        with self.lock:
            view._runs = {name: run for name, run in self._runs.items() if name in wanted}
        return view

    def files(self) -> list[EventFile]:
        with self.lock:
            return [file for run in self._runs.values() for file in run.ordered]

    def problems(self) -> list[Problem]:
        with self.lock:
            return [problem for root_runs in self.roots for problem in root_runs.problems.values()]

    def apply(self, root_runs: RootRuns, scope: str, found: Discovery, restore: Restore) -> Changes:
        """Updates the runs below `scope` to what a walk of it found."""
        with self.lock:
            self._note_problems(root_runs, scope, found)
            changes = Changes()
            known = self._files_below(root_runs, scope)
            added: list[FoundFile] = []
            for item in found.files:
                file = known.pop((item.folder, item.name), None)
                if file is None:
                    added.append(item)
                elif file.state.identity != item.identity:
                    changes.to_visit.append((file, item))
            lost = {key: file for key, file in known.items() if not _is_below_any(key[0], found.unreadable)}
            added = self._move_renamed(root_runs, lost, added, changes)
            self._remove(lost.values(), changes)
            self._add(root_runs, added, changes, restore)
            self._settle_runs(root_runs, scope, found, changes)
            return changes

    def _files_below(self, root_runs: RootRuns, scope: str) -> dict[tuple[str, str], EventFile]:
        return {
            (folder, name): file
            for folder, run in root_runs.runs.items()
            if is_below(folder, scope)
            for name, file in run.files.items()
        }

    def _move_renamed(
        self, root_runs: RootRuns, lost: dict[tuple[str, str], EventFile], added: list[FoundFile], changes: Changes
    ) -> list[FoundFile]:
        """A missing file and a new one with the same inode are a renamed file, which keeps its content."""
        by_inode = {(f.state.identity.dev, f.state.identity.ino): key for key, f in lost.items() if f.state.consumed}
        rest = []
        for item in added:
            key = by_inode.pop((item.identity.dev, item.identity.ino), None)
            if key is None:
                rest.append(item)
                continue
            file = lost.pop(key)
            run = self._run_at(root_runs, item.folder, changes)
            old_run = run_of(file)
            changes.runs_changed |= {old_run, run}
            changes.moved.append(file)
            old_run.discard(file)
            file.move(run, item.name)
            run.add(file)
            if file.state.identity != item.identity:
                changes.to_visit.append((file, item))
        return rest

    def _remove(self, files: Iterable[EventFile], changes: Changes) -> None:
        for file in files:
            run = run_of(file)
            run.discard(file)
            file.is_removed = True
            changes.removed.append(file)
            changes.runs_changed.add(run)

    def _add(self, root_runs: RootRuns, added: list[FoundFile], changes: Changes, restore: Restore) -> None:
        for item in added:
            run = self._run_at(root_runs, item.folder, changes)
            file = EventFile(run, item.name)
            if (state := restore(file, item)) is not None:
                file.content.restore(state)
            run.add(file)
            changes.added.append((file, item))
            if file.state.identity != item.identity:
                changes.to_visit.append((file, item))

    def _settle_runs(self, root_runs: RootRuns, scope: str, found: Discovery, changes: Changes) -> None:
        """Removes runs without files, except those whose folder marks an empty run."""
        for folder in found.runs:
            self._run_at(root_runs, folder, changes)
        for folder, run in list(root_runs.runs.items()):
            if not run.files and is_below(folder, scope) and folder not in found.runs:
                if _is_below_any(folder, found.unreadable):
                    continue
                root_runs.remove(run)
                if self._runs.get(run.name) is run:
                    del self._runs[run.name]
                changes.runs_removed.add(run)
        changes.runs_changed -= changes.runs_removed | changes.runs_added

    def _run_at(self, root_runs: RootRuns, folder: str, changes: Changes) -> Run:
        run = root_runs.runs.get(folder)
        if run is None:
            run = Run(root_runs.root, folder, root_runs.fetch)
            root_runs.add(run)
            if run.name in self._runs:
                run.name = self._free_name(run)
            self._runs[run.name] = run
            changes.runs_added.add(run)
        return run

    def _free_name(self, run: Run) -> RunName:
        """Two folders may have the same run name, e.g. when a root is named like a subfolder of another root."""
        n = 2
        while f"{run.name} ({n})" in self._runs:
            n += 1
        return RunName(f"{run.name} ({n})")

    def _note_problems(self, root_runs: RootRuns, scope: str, found: Discovery) -> None:
        for folder in [folder for folder in root_runs.problems if is_below(folder, scope)]:
            del root_runs.problems[folder]
        for folder, reason in found.unreadable.items():
            root_runs.problems[folder] = unreadable_folder(root_runs.root, folder, reason)


def is_below(folder: str, scope: str) -> bool:
    """Whether `folder` is `scope` or lies in it."""
    return not scope or folder == scope or folder.startswith(scope + "/")


def _with_parents(folder: str) -> Iterator[str]:
    yield folder
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder


def _is_below_any(folder: str, scopes: Iterable[str]) -> bool:
    return any(is_below(folder, scope) for scope in scopes)
