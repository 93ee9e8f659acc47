"""Finds changes on disk: by the kernel's file events, or by polling where those do not work."""

from __future__ import annotations

import errno
import math
import os
import sys
import threading
import time
from collections.abc import Generator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

# They bound the delay of an event: two steps, or the debounce while changes keep coming.
STEP_MS = 20
DEBOUNCE_MS = 60
# How long one call of watchfiles waits without a change; `wait` may exceed its timeout by this.
CALL_TIMEOUT_MS = 50
# After a failure of the watch; doubled with each further failure.
RETRY_SECS = 5.0
MAX_RETRY_SECS = 300.0
NETWORK_FILE_SYSTEMS = (
    "nfs", "cifs", "smb", "9p", "afs", "beegfs", "ceph", "fuse", "glusterfs", "gpfs", "lustre", "ocfs2", "pvfs2",
    "vboxsf", "virtiofs", "wekafs", "drvfs", "prl_fs", "vmhgfs",
)  # fmt: skip
BACK_OFF = 1.5
MAX_BACK_OFF = 4.0
# Polling takes at most this share of one processor, however many runs there are.
MAX_POLL_LOAD = 0.02


class Change(IntEnum):
    """The numbers of watchfiles.Change, which compare equal."""

    ADDED = 1
    MODIFIED = 2
    DELETED = 3


class TreeWatch:
    """File events below some folders. Owned by the follower thread.

    The watch may fail at any time, e.g. because watchfiles cannot report a name that is not UTF-8. `failure` is then
    the reason, and `wait` only waits until the next `watch`.
    """

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._changes: Generator[Any, None, None] | None = None  # of sets of changes
        self._waiting: set[tuple[Change, str]] = set()
        self._failures = 0
        self._retry_at = 0.0
        self.failure: str | None = None

    def watch(self, folders: Sequence[Path]) -> None:
        """Watches these folders instead of the previous ones."""
        from watchfiles import watch

        self.close()
        self.failure = None
        if not folders:
            return
        self._changes = watch(
            *folders,
            watch_filter=None,
            debounce=DEBOUNCE_MS,
            step=STEP_MS,
            stop_event=self._stop,
            rust_timeout=CALL_TIMEOUT_MS,
            yield_on_timeout=True,
            raise_interrupt=False,
            force_polling=False,
            recursive=True,
            ignore_permission_denied=True,
        )
        self._waiting = self._next()  # from here on the kernel reports changes

    def wait(self, timeout_secs: float) -> set[tuple[Change, str]]:
        """Returns the changes since the last call; none after `timeout_secs` or a failure."""
        until = time.monotonic() + timeout_secs
        changes, self._waiting = self._waiting, set()
        while not changes and self._changes is not None and time.monotonic() < until:
            changes = self._next()
            if self.failure is not None:
                return changes
        if not changes and self._changes is None:
            self._stop.wait(max(0.0, until - time.monotonic()))
        return changes

    def _next(self) -> set[tuple[Change, str]]:
        """Returns the changes of one call of watchfiles."""
        assert self._changes is not None
        try:
            changes = next(self._changes, None)
            if changes is None:  # the stop event was set
                self._changes = None
            return changes or set()
        except Exception as error:  # watchfiles raises exception types of its own
            self.failure = _reason(error)
            self._failures += 1
            delay_secs = min(RETRY_SECS * 2 ** (self._failures - 1), MAX_RETRY_SECS)
            self._retry_at = time.monotonic() + delay_secs
            self._changes = None
            return set()

    def retry_in_secs(self) -> float:
        """Returns how long to wait before `watch` is retried after a failure; infinite without one."""
        return max(0.0, self._retry_at - time.monotonic()) if self.failure is not None else math.inf

    def close(self) -> None:
        if self._changes is not None:
            self._changes.close()
            self._changes = None
        self._waiting = set()


def _reason(error: Exception) -> str:
    if getattr(error, "errno", None) == errno.ENOSPC or "limit" in str(error):
        return "the limit of watched folders is reached; raise fs.inotify.max_user_watches to see changes at once"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


class PollClock:
    """When to poll a folder again. With `backs_off` the interval grows while nothing changes."""

    def __init__(self, *, interval_secs: float, backs_off: bool) -> None:
        self.backs_off = backs_off
        self._interval_secs = interval_secs
        self._factor = 1.0
        self._next = 0.0

    def polled(self, now: float, *, took_secs: float, has_changed: bool) -> None:
        self._factor = 1.0 if has_changed or not self.backs_off else min(self._factor * BACK_OFF, MAX_BACK_OFF)
        self._next = now + max(self._interval_secs * self._factor, took_secs / MAX_POLL_LOAD)

    def expedite(self, when: float) -> None:
        """Polls at `when` at the latest."""
        self._next = min(self._next, when)

    def remaining_secs(self, now: float) -> float:
        return max(0.0, self._next - now)


def is_on_network(path: Path) -> bool:
    """Whether the folder is on a file system that does not report changes made by other machines."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mounts = Path("/proc/mounts").read_text(errors="surrogateescape")
    except OSError:
        return False
    return _type_of(str(path.resolve()), mounts).startswith(NETWORK_FILE_SYSTEMS)


def _type_of(path: str, mounts: str) -> str:
    mount_point, file_system = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        # The kernel writes a blank in a name as \040.
        point = fields[1].encode("latin-1", "replace").decode("unicode_escape") if "\\" in fields[1] else fields[1]
        is_inside = path == point or path.startswith(point.rstrip("/") + "/")
        if is_inside and len(point) >= len(mount_point):
            mount_point, file_system = point, fields[2]
    return file_system


def parent_of(path: str) -> str:
    """Returns the folder part of a relative path."""
    return path.rpartition("/")[0]


def common_folder(folders: Sequence[str]) -> str:
    """Returns the deepest folder that contains all of them."""
    return os.path.commonpath(folders) if all(folders) else ""
