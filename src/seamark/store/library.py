"""All runs of all roots, and how a walk of the disk changes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from seamark.format.types import RunName
from seamark.store.discovery import Discovery, FoundFile
from seamark.store.event_file import EventFile
from seamark.store.file_state import FileState
from seamark.store.roots import LogRoot
from seamark.store.run import Run
from seamark.store.status import Problem

Restore = Callable[[EventFile, FoundFile], FileState | None]
"""Gives a new file what an index knows of it (see Index.restore)."""


@dataclass(slots=True)
class Changes:
    """What a walk changed. Files to visit come with what was found of them."""

    to_visit: list[tuple[EventFile, FoundFile]] = field(default_factory=list)
    added: list[tuple[EventFile, FoundFile]] = field(default_factory=list)
    removed: list[EventFile] = field(default_factory=list)
    moved: list[EventFile] = field(default_factory=list)
    runs_added: set[Run] = field(default_factory=set)
    runs_removed: set[Run] = field(default_factory=set)
    runs_changed: set[Run] = field(default_factory=set)  # lost or gained a file by a deletion or a rename

    def __bool__(self) -> bool:
        return bool(self.to_visit or self.added or self.removed or self.moved or self.runs_added or self.runs_removed)


@dataclass(slots=True)
class Shelf:
    """The runs of one root."""

    root: LogRoot
    runs: dict[str, Run] = field(default_factory=dict)  # by folder
    problems: dict[str, Problem] = field(default_factory=dict)  # by unreadable folder


class Library:
    """Changed by the watching thread only, under `lock`; read by all, under `lock` as well."""

    def __init__(self, roots: list[LogRoot]) -> None:
        self.lock = threading.RLock()
        self.shelves = [Shelf(root) for root in roots]
        self._runs: dict[str, Run] = {}

    def runs(self) -> list[Run]:
        with self.lock:
            return list(self._runs.values())

    def run(self, name: str) -> Run | None:
        return self._runs.get(name)

    def files(self) -> list[EventFile]:
        with self.lock:
            return [file for run in self._runs.values() for file in run.ordered]

    def problems(self) -> list[Problem]:
        with self.lock:
            return [problem for shelf in self.shelves for problem in shelf.problems.values()]

    def apply(self, shelf: Shelf, scope: str, found: Discovery, restore: Restore) -> Changes:
        """Makes the library agree with what a walk of `scope` found."""
        with self.lock:
            self._note_problems(shelf, scope, found)
            changes = Changes()
            known = self._files_below(shelf, scope)
            added: list[FoundFile] = []
            for item in found.files:
                file = known.pop((item.folder, item.name), None)
                if file is None:
                    added.append(item)
                elif file.state.identity != item.identity:
                    changes.to_visit.append((file, item))
            lost = {key: file for key, file in known.items() if not _is_below_any(key[0], found.unreadable)}
            added = self._move_renamed(shelf, lost, added, changes)
            self._remove(lost.values(), changes)
            self._add(shelf, added, changes, restore)
            self._settle_runs(shelf, scope, found, changes)
            return changes

    def _files_below(self, shelf: Shelf, scope: str) -> dict[tuple[str, str], EventFile]:
        return {
            (folder, name): file
            for folder, run in shelf.runs.items()
            if is_below(folder, scope)
            for name, file in run.files.items()
        }

    def _move_renamed(
        self, shelf: Shelf, lost: dict[tuple[str, str], EventFile], added: list[FoundFile], changes: Changes
    ) -> list[FoundFile]:
        """A file that is gone here and new there with the same inode was renamed: all that was read of it is kept."""
        by_inode = {(f.state.identity.dev, f.state.identity.ino): key for key, f in lost.items() if f.state.consumed}
        rest = []
        for item in added:
            key = by_inode.pop((item.identity.dev, item.identity.ino), None)
            if key is None:
                rest.append(item)
                continue
            file = lost.pop(key)
            run = self._run_at(shelf, item.folder, changes)
            changes.runs_changed |= {file.run, run}
            changes.moved.append(file)
            file.run.discard(file)
            with file.lock:
                file.run, file.name, file.path = run, item.name, run.file_path(item.name)
            run.add(file)
            if file.state.identity != item.identity:
                changes.to_visit.append((file, item))
        return rest

    def _remove(self, files: Iterable[EventFile], changes: Changes) -> None:
        for file in files:
            file.run.discard(file)
            changes.removed.append(file)
            changes.runs_changed.add(file.run)

    def _add(self, shelf: Shelf, added: list[FoundFile], changes: Changes, restore: Restore) -> None:
        for item in added:
            run = self._run_at(shelf, item.folder, changes)
            file = EventFile(run, item.name, run.file_path(item.name))
            file.state = restore(file, item) or file.state
            run.add(file)
            changes.added.append((file, item))
            if file.state.identity != item.identity:
                changes.to_visit.append((file, item))

    def _settle_runs(self, shelf: Shelf, scope: str, found: Discovery, changes: Changes) -> None:
        """A run without files stays only if its folder says that it is an empty run."""
        for folder in found.runs:
            self._run_at(shelf, folder, changes)
        for folder, run in list(shelf.runs.items()):
            if not run.files and is_below(folder, scope) and folder not in found.runs:
                if _is_below_any(folder, found.unreadable):
                    continue
                del shelf.runs[folder]
                if self._runs.get(run.name) is run:
                    del self._runs[run.name]
                changes.runs_removed.add(run)
        changes.runs_changed -= changes.runs_removed | changes.runs_added

    def _run_at(self, shelf: Shelf, folder: str, changes: Changes) -> Run:
        run = shelf.runs.get(folder)
        if run is None:
            run = shelf.runs[folder] = Run(shelf.root, folder)
            if run.name in self._runs:
                run.name = self._free_name(run)
            self._runs[run.name] = run
            changes.runs_added.add(run)
        return run

    def _free_name(self, run: Run) -> RunName:
        """Two folders may show the same name, e.g. when a root is called like another one's subfolder."""
        n = 2
        while f"{run.name} ({n})" in self._runs:
            n += 1
        return RunName(f"{run.name} ({n})")

    def _note_problems(self, shelf: Shelf, scope: str, found: Discovery) -> None:
        for folder in [folder for folder in shelf.problems if is_below(folder, scope)]:
            del shelf.problems[folder]
        shelf.problems.update(found.unreadable)


def is_below(folder: str, scope: str) -> bool:
    """Whether `folder` is `scope` or lies in it."""
    return not scope or folder == scope or folder.startswith(scope + "/")


def _is_below_any(folder: str, scopes: Iterable[str]) -> bool:
    return any(is_below(folder, scope) for scope in scopes)
