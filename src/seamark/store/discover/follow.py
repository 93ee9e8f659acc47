"""The thread that walks the log directories: completely at first, then wherever something changes."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from seamark.store.discover.walk import EMPTY_RUN_SUFFIX, EVENT_FILE_MARK, Discovery, discover
from seamark.store.discover.watch import Change, PollClock, TreeWatch, common_folder, is_on_network, parent_of
from seamark.store.gc_pause import gc_paused
from seamark.store.status import Problem, Severity

LOG = logging.getLogger(__name__)
MISSING_ROOT_SECS = 0.5  # between two looks for a log directory that does not exist
RETRY_SECS = 1.0  # after an unexpected error
MAX_WAIT_SECS = 60.0
UNKNOWN_NODE = (0, 0)  # of a root that exists and cannot be read
# A changed folder is walked again after this time: files may be created before the kernel watches a new folder.
SETTLE_SECS = 0.3


class FollowedRoot(Protocol):
    """A log directory that the follower keeps up to date. All methods but `open` are called on its thread."""

    @property
    def path(self) -> Path: ...

    @property
    def shown(self) -> str:
        """What people know it by."""

    def open(self) -> None:
        """Prepares for the first `update`; called once, in a thread of its own, during the first walk."""

    def update(self, scope: str, found: Discovery) -> bool:
        """Applies the result of a walk of `scope`. Returns whether anything changed."""

    def touch(self, folder: str, name: str) -> bool:
        """Has a file read that was modified. Returns False if the file is unknown."""

    def has_runs_below(self, folder: str) -> bool: ...


class _Watched(Struct):
    """One log directory and when to walk it again. Owned by the follower thread."""

    root: FollowedRoot
    clock: PollClock
    names: tuple[str, ...]  # the root's path as given, and as the kernel may report it
    node: tuple[int, int] | None = None  # device and inode of the root; another one means that it was replaced
    is_opened: bool = False
    is_walked: bool = False

    @property
    def path(self) -> Path:
        return self.root.path


class Follower:
    """Runs until `close`; with `reload_secs` 0 it ends after the first walk.

    Its thread owns everything but `problems`, which any thread may call.
    """

    def __init__(self, roots: Sequence[FollowedRoot], *, on_listed: Callable[[], None], reload_secs: float) -> None:
        self._on_listed = on_listed
        self._reload_secs = reload_secs
        self._stop = threading.Event()
        self._tree = TreeWatch(self._stop)
        self._failure: Problem | None = None
        self._settling: dict[int, tuple[float, str]] = {}  # by root: when to walk which folder again
        self._watched = [
            _Watched(root, PollClock(interval_secs=reload_secs, backs_off=False), _names(root.path)) for root in roots
        ]
        self._thread = threading.Thread(target=self._run, name="seamark-follower", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join()

    def problems(self) -> list[Problem]:
        missing = [_missing_root(item.root.shown) for item in self._watched if item.is_walked and item.node is None]
        return missing + [problem for problem in (self._watch_problem(), self._failure) if problem is not None]

    def _watch_problem(self) -> Problem | None:
        if self._tree.failure is None:
            return None
        path = self._watched[0].root.shown
        message = f"changes are found by polling every {self._reload_secs:g} s ({self._tree.failure}): '{path}'"
        return Problem(Severity.WARNING, message, path)

    def _run(self) -> None:
        try:
            with gc_paused():
                for item in self._watched:
                    self._guard(partial(self._walk, item))
            self._on_listed()
            if self._reload_secs > 0:
                self._follow()
        finally:
            self._on_listed()  # releases callers of `wait_loaded` whatever happened
            self._tree.close()

    def _follow(self) -> None:
        self._guard(self._start_following)
        while not self._stop.is_set():
            if self._guard(self._follow_once):
                self._failure = None
            else:
                self._stop.wait(min(RETRY_SECS, self._reload_secs))

    def _guard(self, act: Callable[[], None]) -> bool:
        """Reports an unexpected error and carries on: without this thread no change would be found any more."""
        try:
            act()
        except Exception as error:
            if self._failure is None:  # once for an error that persists
                LOG.exception("following the log directories failed; retrying")
            reason = error.strerror if isinstance(error, OSError) else error  # without the file's path
            message = f"changes on disk may be shown late: looking for them failed ({type(error).__name__}: {reason})"
            self._failure = Problem(Severity.ERROR, message, "")
            return False
        return True

    def _start_following(self) -> None:
        for item in self._watched:
            item.clock.backs_off = is_on_network(item.path)
        self._watch_trees()

    def _follow_once(self) -> None:
        now = time.monotonic()
        for item in self._watched:
            if item.clock.remaining_secs(now) == 0 and not self._stop.is_set():
                self._poll(item)
        had_failed = self._tree.failure is not None
        self._handle_events(self._tree.wait(self._next_due_secs()))
        if self._tree.failure is not None and not had_failed:
            LOG.warning("file events failed, the log directories are polled: %s", self._tree.failure)
            self._poll_soon()  # events may be lost
        elif self._tree.retry_in_secs() == 0:
            self._watch_trees()
        self._walk_settled()

    def _next_due_secs(self) -> float:
        now = time.monotonic()
        polls = [item.clock.remaining_secs(now) for item in self._watched]
        settling = [max(0.0, due - now) for due, _ in self._settling.values()]
        return min([*polls, *settling, self._tree.retry_in_secs(), MAX_WAIT_SECS])

    def _watch_trees(self) -> None:
        """Watches every root that exists, and polls once for changes since the last walk."""
        local = [item for item in self._watched if item.node is not None and not item.clock.backs_off]
        self._tree.watch([item.path for item in local])
        self._poll_soon()

    def _poll_soon(self) -> None:
        for item in self._watched:
            item.clock.expedite(time.monotonic())

    def _poll(self, item: _Watched) -> None:
        node = item.node
        self._walk(item)
        if item.node != node:
            self._watch_trees()

    def _walk(self, item: _Watched, scope: str = "") -> None:
        began = time.monotonic()
        # Opening the index and walking both wait for the disk, so the first walk does them at the same time.
        opening = None if item.is_opened else _open(item.root)
        item.is_opened = True
        found = discover(item.path, scope)
        if opening is not None:
            opening.join()
        if not scope:
            item.node = None if found.root_missing else _node(item.path) or item.node or UNKNOWN_NODE
        has_changed = item.root.update(scope, found)
        item.is_walked = True
        now = time.monotonic()
        if not scope:
            item.clock.polled(now, took_secs=now - began, has_changed=has_changed)
            if found.root_missing:
                item.clock.expedite(now + min(MISSING_ROOT_SECS, self._reload_secs or MISSING_ROOT_SECS))

    def _handle_events(self, events: set[tuple[Change, str]]) -> None:
        scopes: dict[int, set[str]] = {}
        for change, path in events:
            for i, item in enumerate(self._watched):
                relative = _relative(path, item.names)
                if relative is not None:
                    scope = _scope_of(item.root, change, path, relative)
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

    def _walk_settled(self) -> None:
        now = time.monotonic()
        for i, (due, scope) in list(self._settling.items()):
            if due <= now:
                del self._settling[i]
                self._walk_or_poll(self._watched[i], scope)


def _scope_of(root: FollowedRoot, change: Change, path: str, relative: str) -> str | None:
    """Returns the folder to walk because of one event, or None if there is nothing to walk."""
    folder, _, name = relative.rpartition("/")
    if EVENT_FILE_MARK in name or name.endswith(EMPTY_RUN_SUFFIX):
        is_handled = change == Change.MODIFIED and root.touch(folder, name)
        return None if is_handled else folder
    if change == Change.ADDED:
        return relative if os.path.isdir(path) else None  # noqa: PTH112
    if change == Change.DELETED and root.has_runs_below(relative):
        return parent_of(relative)
    return None


def _open(root: FollowedRoot) -> threading.Thread:
    thread = threading.Thread(target=root.open, name="seamark-index-open", daemon=True)
    thread.start()
    return thread


def _names(root: Path) -> tuple[str, ...]:
    return tuple({str(root), str(root.resolve())})


def _relative(path: str, roots: tuple[str, ...]) -> str | None:
    for root in roots:
        prefix = root.rstrip("/") + "/"
        if path == root or path.startswith(prefix):
            return path[len(prefix) :]
    return None


def _node(path: Path) -> tuple[int, int] | None:
    try:
        stat = os.stat(path)  # noqa: PTH116
    except OSError:  # it does not exist, or a folder above it cannot be read
        return None
    return stat.st_dev, stat.st_ino


def _missing_root(path: str) -> Problem:
    return Problem(Severity.WARNING, f"the log directory does not exist yet; it is shown when it does: '{path}'", path)
