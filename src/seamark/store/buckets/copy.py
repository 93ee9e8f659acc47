"""BucketCopy: keeps a local copy of a bucket's run folders up to date, so that the store reads it like any folder.

Only what is new is fetched: an object that grew, by the range behind what is here. Object stores cannot append, so a
grown object is a new version; the end of what is here is compared with it first. The copy stays when the bucket is
away.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from seamark.backoff import Backoff
from seamark.format.site_address import is_site
from seamark.store.buckets.bring import PARTIAL_SUFFIX, Bringer
from seamark.store.buckets.listing import ListingPlan
from seamark.store.buckets.locks import CopyLocks
from seamark.store.buckets.manifest import FILE_NAME, Manifest
from seamark.store.buckets.objects import BucketError, ObjectInfo, ObjectReader, Objects, RefusedError
from seamark.store.buckets.ranges import CopiedRanges
from seamark.store.buckets.site_objects import SiteObjects
from seamark.store.discover.walk import EVENT_FILE_MARK, TRASH
from seamark.store.status import Problem, Severity

LOG = logging.getLogger(__name__)
# Event files are copied whatever their size; other files, as checkpoints, only up to this one.
MAX_OTHER_BYTES = 256 << 20
WORKERS = 16
# The pause between two attempts while the bucket does not answer grows up to this one.
MAX_AWAY_SECS = 30.0


class StoppedError(Exception):
    """The copy was closed while it listed the bucket."""


class BucketCopy:
    """`start` returns at once; without following, `update` copies once on the caller's thread."""

    def __init__(
        self,
        address: str,
        folder: Path,
        *,
        reload_secs: float,
        is_read: Callable[[str, str, int], bool] = lambda folder, name, size: False,
    ) -> None:
        self.address = address
        self._folder = folder
        self._reload_secs = reload_secs
        self._is_read = is_read
        self._locks = CopyLocks(folder)
        self._ranges = CopiedRanges(address, folder, self._locks)
        self.fetch = self._ranges.fetch
        self._plan = ListingPlan()
        self._backoff = Backoff(max_secs=MAX_AWAY_SECS)
        self._stop = threading.Event()
        self._problems: list[Problem] = []
        self._listed_at: float | None = None
        self.is_complete = threading.Event()  # the first listing was copied, or the bucket is away
        self._thread = threading.Thread(target=self._follow, name="seamark-bucket", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        self.is_complete.set()
        if self._thread.is_alive():
            self._thread.join()

    def problems(self) -> list[Problem]:
        return self._problems

    def _follow(self) -> None:
        while not self._stop.is_set():
            pause_secs = self._reload_secs
            if self.update(self._plan.folders(self._ranges.known.values())):
                self._backoff.succeeded()
            else:
                pause_secs = max(pause_secs, self._backoff.failed())
            self._stop.wait(pause_secs)

    def update(self, folders: Iterable[str] | None = None) -> bool:
        """Lists the bucket, or only these folders, and copies what changed. False if the bucket is away: a problem."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            with self._locks.changing(self._stop) as is_locked:
                if is_locked:
                    self._problems = self._update(folders)
            self._listed_at = time.time()
        except StoppedError:
            pass
        except BucketError as error:
            self._away(str(error))
            return False
        except OSError as error:
            self._away(f"the local copy cannot be written ({error.strerror}): '{self._folder}'")
            return False
        finally:
            self.is_complete.set()
        return True

    def _away(self, reason: str) -> None:
        shown = "nothing of it was read before"
        if self._listed_at is not None:
            shown = f"shown is what it had at {time.strftime('%H:%M:%S', time.localtime(self._listed_at))}"
        elif self._ranges.known:
            shown = "shown is what was read earlier"
        problem = Problem(Severity.ERROR, f"{reason}; {shown}", self.address)
        if self._problems != [problem]:
            LOG.warning("%s", problem.message)
        self._problems = [problem]

    def _update(self, folders: Iterable[str] | None) -> list[Problem]:
        manifest = Manifest(self._folder)
        try:
            # Read again: another program may have changed the copy.
            known = self._ranges.known = manifest.read()
            if self._ranges.objects is None:
                self._ranges.objects = open_objects(self.address)
            listed, problems = self._list(self._ranges.objects, folders)
            self._remove(manifest, [key for key in known if key not in listed and is_below_any(key, folders)])
            problems += self._copy(self._ranges.objects, manifest, listed)
            self._ranges.shrink(self._is_read)
        finally:
            manifest.close()
        return problems

    def _remove(self, manifest: Manifest, keys: list[str]) -> None:
        for key in keys:
            (self._folder / key).unlink(missing_ok=True)
            del self._ranges.known[key]
        manifest.remove(keys)

    def _copy(self, objects: ObjectReader, manifest: Manifest, listed: dict[str, ObjectInfo]) -> list[Problem]:
        known = self._ranges.known
        changed = [info for info in listed.values() if not self._is_here(info, known.get(info.key))]
        changed.sort(key=lambda info: -info.modified)  # what is trained now comes first
        refused: dict[str, str] = {}
        bringer = Bringer(objects, self._folder, growing=self._ranges.growing, should_stop=self._stop.is_set)

        def bring(info: ObjectInfo) -> bool:
            try:
                return bringer.bring(info, known.get(info.key))
            except RefusedError as error:
                refused[info.key] = str(error)
                return False

        with ThreadPoolExecutor(WORKERS, thread_name_prefix="seamark-bucket") as pool:
            for info, is_copied in zip(changed, pool.map(bring, changed), strict=True):
                if is_copied:
                    manifest.put(info)
                    known[info.key] = info
        return self._refusals(refused)

    def _refusals(self, refused: dict[str, str]) -> list[Problem]:
        """One problem for all objects that the bucket does not give out."""
        if not refused:
            return []
        key, reason = next(iter(refused.items()))
        what = "an object cannot" if len(refused) == 1 else f"{len(refused):,} objects cannot"
        return [Problem(Severity.WARNING, f"{what} be read ({reason}): '{key[:200]}'", self.address)]

    def _list(
        self, objects: ObjectReader, folders: Iterable[str] | None
    ) -> tuple[dict[str, ObjectInfo], list[Problem]]:
        listed: dict[str, ObjectInfo] = {}
        problems = []
        requests = 0
        for page in self._pages(objects, folders):
            requests += 1
            for info in page:
                if not is_safe(info.key):
                    message = f"an object has a name that cannot be a file, and is not shown: '{info.key[:200]}'"
                    problems.append(Problem(Severity.WARNING, message, self.address))
                elif EVENT_FILE_MARK in info.key.rpartition("/")[2] or info.size <= MAX_OTHER_BYTES:
                    listed[info.key] = info
        if folders is None:
            self._plan.listed_whole(requests)
        return listed, problems

    def _pages(self, objects: ObjectReader, folders: Iterable[str] | None) -> Iterator[list[ObjectInfo]]:
        for folder in [""] if folders is None else folders:
            for page in objects.pages(folder):
                if self._stop.is_set():
                    raise StoppedError
                yield page

    def _is_here(self, info: ObjectInfo, known: ObjectInfo | None) -> bool:
        if known is None or known.version != info.version:
            return False
        try:
            return os.stat(f"{self._folder}/{info.key}").st_size == info.size  # noqa: PTH116
        except OSError:
            return False


def open_objects(address: str) -> ObjectReader:
    return SiteObjects(address) if is_site(address) else Objects(address)


def is_below_any(key: str, folders: Iterable[str] | None) -> bool:
    """Whether a listing of these folders has the key; None lists all."""
    return folders is None or any(key.startswith(f"{folder}/") for folder in folders)


def is_safe(key: str) -> bool:
    """Whether a key can be a path below the copy's folder."""
    parts = key.split("/")
    return (
        "\0" not in key
        and len(key.encode()) < 1000
        and all(part not in ("", ".", "..") and len(part.encode()) <= 255 for part in parts)
        and TRASH not in parts
        and not parts[-1].startswith(FILE_NAME)
        and not parts[-1].endswith(PARTIAL_SUFFIX)
    )
