"""Notices changes on disk: by the kernel's file events where they work, by looking again where they do not."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

# Together they bound the delay of an event: at most two steps, or the debounce while changes keep coming.
STEP_MS = 20
DEBOUNCE_MS = 60
NETWORK_FILE_SYSTEMS = (
    "nfs", "cifs", "smb", "9p", "afs", "beegfs", "ceph", "fuse", "glusterfs", "gpfs", "lustre", "ocfs2", "pvfs2",
    "vboxsf", "virtiofs", "wekafs", "drvfs", "prl_fs", "vmhgfs",
)  # fmt: skip
BACK_OFF = 1.5
MAX_BACK_OFF = 4.0
# Looking again takes at most this part of one processor, however many runs there are.
MAX_POLL_LOAD = 0.02


class Change(IntEnum):
    """As watchfiles counts them."""

    ADDED = 1
    MODIFIED = 2
    DELETED = 3


class TreeWatch:
    """File events below some folders. Made anew when a folder comes or goes."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._notify: object | None = None

    def watch(self, folders: Sequence[Path]) -> str | None:
        """Starts over with these folders. Returns why it does not work, or None."""
        from watchfiles._rust_notify import RustNotify

        self.close()
        if not folders:
            return None
        try:
            self._notify = RustNotify([str(f) for f in folders], False, False, 0, True, True)
        except OSError as error:
            if error.errno == errno.ENOSPC or "limit" in str(error):
                return "the limit of watched folders is reached; raise fs.inotify.max_user_watches to follow at once"
            return error.strerror or str(error)
        except Exception as error:  # the Rust side has exceptions of its own
            return str(error) or type(error).__name__
        return None

    def wait(self, timeout_secs: float) -> set[tuple[int, str]]:
        """The changes since the last call, gathered over some milliseconds; empty when time is up."""
        if self._notify is None:
            self._stop.wait(timeout_secs)
            return set()
        timeout_ms = max(1, int(timeout_secs * 1000))
        changes = self._notify.watch(DEBOUNCE_MS, STEP_MS, timeout_ms, self._stop)  # type: ignore[attr-defined]
        return changes if isinstance(changes, set) else set()

    def close(self) -> None:
        if self._notify is not None:
            self._notify.close()  # type: ignore[attr-defined]
            self._notify = None


class PollClock:
    """When to look at a folder again. Backs off while nothing happens, if `backs_off`."""

    def __init__(self, *, interval_secs: float, backs_off: bool) -> None:
        self.backs_off = backs_off
        self._interval_secs = interval_secs
        self._factor = 1.0
        self._next = 0.0

    def looked(self, now: float, *, took_secs: float, has_changed: bool) -> None:
        self._factor = 1.0 if has_changed or not self.backs_off else min(self._factor * BACK_OFF, MAX_BACK_OFF)
        self._next = now + max(self._interval_secs * self._factor, took_secs / MAX_POLL_LOAD)

    def hurry(self, when: float) -> None:
        self._next = min(self._next, when)

    def remaining_secs(self, now: float) -> float:
        return max(0.0, self._next - now)


def is_on_network(path: Path) -> bool:
    """Whether the folder lies on a file system that does not tell of changes made by other machines."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mounts = Path("/proc/mounts").read_text(errors="surrogateescape")
    except OSError:
        return False
    return _type_of(str(path.resolve()), mounts).startswith(NETWORK_FILE_SYSTEMS)


def _type_of(path: str, mounts: str) -> str:
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        # The kernel writes blanks in names as \040 and so on.
        point = fields[1].encode("latin-1", "replace").decode("unicode_escape") if "\\" in fields[1] else fields[1]
        is_inside = path == point or path.startswith(point.rstrip("/") + "/")
        if is_inside and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind


def parent_of(path: str) -> str:
    """The folder part of a relative path with "/" between its parts."""
    return path.rpartition("/")[0]


def common_folder(folders: Sequence[str]) -> str:
    """The deepest folder that holds all of them."""
    return os.path.commonpath(folders).replace(os.sep, "/") if all(folders) else ""
