"""The thread that walks the log directories: first everything, then what changes."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from seamark.store.collector import collector_paused
from seamark.store.discovery import EMPTY_RUN_SUFFIX, EVENT_FILE_MARK, Discovery, discover
from seamark.store.event_file import EventFile
from seamark.store.index.index import Index
from seamark.store.library import Changes, Library, Shelf, is_below
from seamark.store.roots import shown
from seamark.store.status import Problem, Severity
from seamark.store.watch import Change, PollClock, TreeWatch, common_folder, is_on_network, parent_of

LOG = logging.getLogger(__name__)
MISSING_ROOT_SECS = 0.5
# Until what failed is tried again.
RETRY_SECS = 1.0
MAX_WAIT_SECS = 60.0
UNKNOWN_NODE = (0, 0)  # of a root that is there and cannot be looked at
# A folder made a moment ago is looked at twice: files may come before the kernel watches it.
SETTLE_SECS = 0.3


class Listener(Protocol):
    """Who acts on what the walks find."""

    def changed(self, changes: Changes) -> None: ...
    def touched(self, file: EventFile) -> None: ...
    def listed(self) -> None: ...


@dataclass(slots=True)
class _Watched:
    """One root and when to look at it again."""

    shelf: Shelf
    index: Index | None
    clock: PollClock
    names: tuple[str, ...]  # of the root, as given and as the kernel may call it
    node: tuple[int, int] | None = None  # of the root folder: another one means that it was replaced
    walks: int = 0


class Follower:
    """Runs until `close`; with `reload_secs` 0 it ends after the first walk."""

    def __init__(
        self, library: Library, indexes: list[Index | None], listener: Listener, *, reload_secs: float
    ) -> None:
        self._library = library
        self._listener = listener
        self._reload_secs = reload_secs
        self._stop = threading.Event()
        self._tree = TreeWatch(self._stop)
        self._trouble: Problem | None = None
        self._settling: dict[int, tuple[float, str]] = {}
        self._watched = [
            _Watched(shelf, index, PollClock(interval_secs=reload_secs, backs_off=False), _names(shelf.root.path))
            for shelf, index in zip(library.shelves, indexes, strict=True)
        ]
        self._thread = threading.Thread(target=self._run, name="seamark-follower", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def problems(self) -> list[Problem]:
        missing = [_missing(item) for item in self._watched if item.walks and item.node is None]
        return missing + [trouble for trouble in (self._tree_trouble(), self._trouble) if trouble is not None]

    def _tree_trouble(self) -> Problem | None:
        if self._tree.trouble is None:
            return None
        path = shown(str(self._watched[0].shelf.root.path))
        message = f"changes are found by looking every {self._reload_secs:g} s ({self._tree.trouble}): '{path}'"
        return Problem(Severity.WARNING, message, path)

    def _run(self) -> None:
        """Whatever goes wrong on the way is told and tried again: nothing new would be seen if this thread ended."""
        try:
            with collector_paused():
                for item in self._watched:
                    self._guarded(partial(self._walk, item))
            self._listener.listed()
            if self._reload_secs > 0:
                self._follow()
        finally:
            self._listener.listed()  # nobody waits for what will not come
            self._tree.close()

    def _follow(self) -> None:
        self._guarded(self._begin_to_follow)
        while not self._stop.is_set():
            was_fine = self._guarded(self._follow_on)
            if was_fine:
                self._trouble = None
            else:
                self._stop.wait(min(RETRY_SECS, self._reload_secs))

    def _guarded(self, act: Callable[[], None]) -> bool:
        try:
            act()
        except Exception as error:
            if self._trouble is None:  # once for a trouble that lasts
                LOG.exception("following the log directories failed; it is tried again")
            message = f"changes on disk may be seen late: looking for them failed ({type(error).__name__}: {error})"
            self._trouble = Problem(Severity.ERROR, message, "")
            return False
        return True

    def _begin_to_follow(self) -> None:
        for item in self._watched:
            item.clock.backs_off = is_on_network(item.shelf.root.path)
        self._watch_trees()

    def _follow_on(self) -> None:
        now = time.monotonic()
        for item in self._watched:
            if item.clock.remaining_secs(now) == 0 and not self._stop.is_set():
                self._poll(item)
        had_trouble = self._tree.trouble is not None
        self._take_events(self._tree.wait(self._next_due_secs()))
        if self._tree.trouble is not None and not had_trouble:
            LOG.warning("file events failed, the log directories are polled: %s", self._tree.trouble)
            self._hurry()  # events may be lost
        elif self._tree.retry_in_secs() == 0:
            self._watch_trees()
        self._settle()

    def _next_due_secs(self) -> float:
        now = time.monotonic()
        waits = [item.clock.remaining_secs(now) for item in self._watched]
        settling = [max(0.0, due - now) for due, _ in self._settling.values()]
        return min([*waits, *settling, self._tree.retry_in_secs(), MAX_WAIT_SECS])

    def _watch_trees(self) -> None:
        """Watches every root that is there. What changed between the walk and this is found by looking once more."""
        local = [item for item in self._watched if item.node is not None and not item.clock.backs_off]
        self._tree.watch([item.shelf.root.path for item in local])
        self._hurry()

    def _hurry(self) -> None:
        for item in self._watched:
            item.clock.hurry(time.monotonic())

    def _poll(self, item: _Watched) -> None:
        node = item.node
        self._walk(item)
        if item.node != node:
            self._watch_trees()

    def _walk(self, item: _Watched, scope: str = "") -> None:
        root = item.shelf.root.path
        began = time.monotonic()
        opening = _opened(item.index) if item.index is not None and item.walks == 0 else None
        found = discover(root, scope)
        if opening is not None:
            opening.join()
        if not scope:
            item.node = None if found.root_missing else _node(root) or item.node or UNKNOWN_NODE
        changes = self._apply(item, scope, found)
        item.walks += 1
        self._listener.changed(changes)
        now = time.monotonic()
        if not scope:
            item.clock.looked(now, took_secs=now - began, has_changed=bool(changes))
            if found.root_missing:
                item.clock.hurry(now + min(MISSING_ROOT_SECS, self._reload_secs or MISSING_ROOT_SECS))

    def _apply(self, item: _Watched, scope: str, found: Discovery) -> Changes:
        index = item.index
        if index is None:
            return self._library.apply(item.shelf, scope, found, lambda file, item: None)
        if item.walks == 0:
            index.expect(found.files)
        changes = self._library.apply(item.shelf, scope, found, index.restore)
        if item.walks == 0 and not found.root_missing and not found.unreadable:
            index.drop_leftovers()
        return changes

    def _take_events(self, events: set[tuple[Change, str]]) -> None:
        scopes: dict[int, set[str]] = {}
        for change, path in events:
            for i, item in enumerate(self._watched):
                relative = _relative(path, item.names)
                if relative is not None:
                    scope = self._scope_of(item, change, path, relative)
                    if scope is not None:
                        scopes.setdefault(i, set()).add(scope)
        for i, folders in scopes.items():
            scope = common_folder(sorted(folders))
            self._walk_or_poll(self._watched[i], scope)
            self._settling[i] = (time.monotonic() + SETTLE_SECS, scope)

    def _walk_or_poll(self, item: _Watched, scope: str) -> None:
        if scope:
            self._walk(item, scope)
        else:
            self._poll(item)

    def _scope_of(self, item: _Watched, change: Change, path: str, relative: str) -> str | None:
        """The folder to walk because of one event; None if there is nothing to walk for."""
        folder, _, name = relative.rpartition("/")
        if EVENT_FILE_MARK in name or name.endswith(EMPTY_RUN_SUFFIX):
            run = item.shelf.runs.get(folder)
            file = run.files.get(name) if run is not None else None
            if file is not None and change == Change.MODIFIED:
                self._listener.touched(file)
                return None
            return folder
        if change == Change.ADDED:
            return relative if os.path.isdir(path) else None  # noqa: PTH112
        if change == Change.DELETED and any(is_below(known, relative) for known in item.shelf.runs):
            return parent_of(relative)
        return None

    def _settle(self) -> None:
        now = time.monotonic()
        for i, (due, scope) in list(self._settling.items()):
            if due <= now:
                del self._settling[i]
                self._walk_or_poll(self._watched[i], scope)


def _opened(index: Index) -> threading.Thread:
    """Opens the index while the walk goes on: both wait for the disk."""
    thread = threading.Thread(target=index.open, name="seamark-index-open", daemon=True)
    thread.start()
    return thread


def _names(root: Path) -> tuple[str, ...]:
    return tuple({str(root), str(root.resolve())})


def _relative(path: str, roots: tuple[str, ...]) -> str | None:
    for root in roots:
        prefix = root.rstrip(os.sep) + os.sep
        if path == root or path.startswith(prefix):
            return path[len(prefix) :].replace(os.sep, "/")
    return None


def _node(path: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)  # noqa: PTH116
    except OSError:  # it is gone, or a folder above it may not be looked into
        return None
    return stat.st_dev, stat.st_ino


def _missing(item: _Watched) -> Problem:
    path = shown(str(item.shelf.root.path))
    return Problem(Severity.WARNING, f"the log directory does not exist yet; it is shown when it does: '{path}'", path)
