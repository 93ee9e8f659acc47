"""Writes new rows to the index in a background thread, many files at a time."""

from __future__ import annotations

import logging
import math
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from seamark.foreground import FOREGROUND
from seamark.store.discover.roots import LogRoot
from seamark.store.index.catalogue import Entry
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.index import Index
from seamark.store.index.run_files import RunFiles
from seamark.store.read.event_file import BrokenChunkError, EventFile
from seamark.store.read.stripes import Part, merged

LOG = logging.getLogger(__name__)
MAX_STRIPE_ROWS = 8 << 20
COMMIT_BYTES = 1 << 20  # of new event data in one file
COMMIT_SECS = 10.0  # after this time less than COMMIT_BYTES is committed, too
# While the loader is busy, nothing is written until this much has been read.
FLUSH_BYTES = 256 << 20
THROTTLE_BYTES = 512 << 20
MAX_BATCH_FILES = 256  # bounds how long `close` waits for the current batch
GIVE_WAY_SECS = 1.0  # for each batch, while requests are answered
MIN_GARBAGE_BYTES = 1 << 20
CHECK_SECS = 10.0  # between two checks whether other programs changed the chunk files
MAX_CHECK_LOAD = 0.005  # of one processor


class _Batch(NamedTuple):
    """What the committer thread writes at once."""

    changed: list[EventFile]
    dropped: list[EventFile]
    run_files: dict[Index, dict[str, RunFiles]]
    is_last: bool


class Committer:
    """Any thread may call it; its own thread does all writing.

    It writes chunk files before the catalogue: a crash in between leaves bytes that no catalogue entry names.
    """

    def __init__(
        self,
        indexes: Mapping[LogRoot, Index],
        *,
        is_busy: Callable[[], bool],
        on_broken: Callable[[EventFile, str], None],
    ) -> None:
        self._indexes = indexes
        self._next_check = time.monotonic() + CHECK_SECS
        self._is_busy = is_busy  # whether the loader needs the processor
        self._on_broken = on_broken
        self._wake = threading.Condition()
        self._dirty: dict[EventFile, None] = {}
        self._dropped: list[EventFile] = []
        self._run_files: dict[Index, dict[str, RunFiles]] = {}
        self._pending_bytes = 0
        self._is_urgent = False
        self._oldest = 0.0
        self._is_closing = False
        self._deadline = math.inf
        self._thread = threading.Thread(target=self._run, name="seamark-committer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def note(self, file: EventFile, new_bytes: int, *, has_changed: bool = True) -> None:
        """Has new rows of a file written, or its new path; an unchanged file only if the index does not have it."""
        index = self._index_of(file)
        if index is None or (not has_changed and index.is_indexed(file)):
            return
        with self._wake:
            if not self._dirty:
                self._oldest = time.monotonic()
            self._dirty[file] = None
            self._pending_bytes += new_bytes
            if not index.is_indexed(file) or new_bytes >= COMMIT_BYTES or self._pending_bytes >= FLUSH_BYTES:
                self._is_urgent = True
            # While the loader is busy, only this much wakes the thread; when it becomes idle, it calls `nudge`.
            if self._pending_bytes >= FLUSH_BYTES or not self._is_busy():
                self._wake.notify_all()

    def drop(self, file: EventFile) -> None:
        """Has the rows of a removed file deleted."""
        if self._index_of(file) is None:
            return
        with self._wake:
            self._dirty.pop(file, None)
            self._dropped.append(file)
            self._wake.notify_all()

    def note_run_files(self, index: Index, files: Mapping[str, RunFiles]) -> None:
        """Has parsed files of run folders cached; they replace those that were cached for the same folders."""
        if not index.is_writable:
            return
        with self._wake:
            self._run_files.setdefault(index, {}).update(files)
            if not self._is_busy():
                self._wake.notify_all()

    def nudge(self) -> None:
        """Called when the loader becomes idle: pending rows are written now."""
        with self._wake:
            self._wake.notify_all()

    def throttle(self) -> None:
        """Blocks a loader worker while far more rows are waiting than the disk takes."""
        with self._wake:
            self._wake.wait_for(lambda: self._pending_bytes < THROTTLE_BYTES or self._is_closing)

    def close(self, timeout_secs: float | None = None) -> None:
        """Writes pending rows for up to `timeout_secs`; the rest is read again at the next start."""
        with self._wake:
            self._is_closing = True
            if timeout_secs is not None:
                self._deadline = time.monotonic() + timeout_secs
            self._wake.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        is_last = False
        while not is_last:
            self._check_chunks()
            batch = self._take_batch()
            if batch is None:
                continue
            if not batch.is_last and self._pending_bytes < FLUSH_BYTES:
                FOREGROUND.give_way(GIVE_WAY_SECS)
            self._write(batch.changed, batch.dropped)
            for index, files in batch.run_files.items():
                self._write_run_files(index, files)
            with self._wake:
                if not self._dirty:
                    self._pending_bytes = 0
                self._wake.notify_all()
            is_last = batch.is_last

    def _take_batch(self) -> _Batch | None:
        """Waits until something is to be written; returns None if it was woken early."""
        with self._wake:
            if not self._is_closing and not self._is_due():
                self._wake.wait(self._wait_secs())
            if not self._is_closing and not self._is_due():
                return None
            is_last = self._is_closing
            changed = list(self._dirty)[:MAX_BATCH_FILES]
            for file in changed:
                del self._dirty[file]
            if not self._dirty:
                self._is_urgent = False
            elif is_last and time.monotonic() > self._deadline:
                LOG.info("%d event files are not in the index yet; the next start reads them again", len(self._dirty))
            else:
                is_last = False
            batch = _Batch(changed, self._dropped, self._run_files, is_last)
            self._dropped, self._run_files = [], {}
            return batch

    def _is_due(self) -> bool:
        if self._dropped or self._pending_bytes >= FLUSH_BYTES:
            return True
        if self._run_files and not self._is_busy():
            return True
        is_old = bool(self._dirty) and time.monotonic() - self._oldest >= COMMIT_SECS
        return is_old or (self._is_urgent and not self._is_busy())

    def _wait_secs(self) -> float:
        due = min(self._next_check, self._oldest + COMMIT_SECS) if self._dirty else self._next_check
        return max(0.01, due - time.monotonic())

    def _check_chunks(self) -> None:
        """Rereads files whose chunk file was changed by another program since its checksums were verified."""
        began = time.monotonic()
        if began < self._next_check:
            return
        try:
            for index in self._indexes.values():
                for file in index.find_changed_chunks():
                    self._on_broken(file, "its chunk file was changed by another program")
        except Exception:  # loader workers would wait for ever if this thread ended
            LOG.exception("checking the chunk files failed")
        now = time.monotonic()
        self._next_check = now + max(CHECK_SECS, (now - began) / MAX_CHECK_LOAD)

    def _write(self, changed: Iterable[EventFile], dropped: Iterable[EventFile]) -> None:
        by_index: dict[Index, tuple[list[EventFile], list[EventFile]]] = {}
        for position, files in enumerate((changed, dropped)):
            for file in files:
                if (index := self._index_of(file)) is not None:
                    by_index.setdefault(index, ([], []))[position].append(file)
        for index, (index_changed, index_dropped) in by_index.items():
            try:
                self._write_index(index, index_changed, index_dropped)
            except Exception as error:  # the store works without an index
                index.fail(error)

    def _write_run_files(self, index: Index, files: Mapping[str, RunFiles]) -> None:
        if not index.is_writable:
            return
        try:
            index.commit_run_files(files)
        except Exception as error:
            index.fail(error)

    def _write_index(self, index: Index, changed: Sequence[EventFile], dropped: Sequence[EventFile]) -> None:
        entries: list[Entry] = []
        stale: list[str] = []
        for file in changed:
            try:
                entry = None if file.is_removed else persist(index, file)
            except BrokenChunkError as broken:
                self._on_broken(broken.file, broken.reason)
                continue
            if entry is not None:
                path, old_paths = index.claim(file)
                stale += old_paths
                entries.append(replace(entry, path=path))
        for file in dropped:
            stale += index.release(file)
        index.commit(entries, stale)
        # After the commit: a crash before it would leave entries that name deleted chunk files.
        for file in (*changed, *dropped):
            _delete_retired(index, file)
        for file in dropped:
            index.discard(file)

    def _index_of(self, file: EventFile) -> Index | None:
        """Returns the writable index of the file's log directory, if there is one."""
        index = self._indexes.get(file.run.root) if self._indexes else None
        return index if index is not None and index.is_writable else None


def persist(index: Index, file: EventFile) -> Entry | None:
    """Moves the parts of a file to disk. Returns None if the file was reread meanwhile: it will be noted again."""
    indexed = index.indexed(file)
    generation, state = file.content.seal()
    if indexed.generation != generation:
        indexed.retire_chunk()
        indexed.generation = generation
    chunk = indexed.chunk
    parts: Sequence[Part] = state.parts
    try:
        parts, chunk = _stored(index, file, state.parts)
    finally:
        is_current = file.content.unseal(generation, state, parts)
    if chunk is not indexed.chunk:
        indexed.retire_chunk()
        indexed.chunk = chunk
    return Entry(path="", state=replace(state, parts=tuple(parts)), chunk=chunk) if is_current else None


def _stored(index: Index, file: EventFile, parts: Sequence[Part]) -> tuple[list[Part], ChunkFile]:
    """Returns the same rows in a chunk file: the file's own, or a new one when that would be mostly garbage."""
    chunk = index.indexed(file).chunk
    try:
        parts = merged(parts, max_rows=MAX_STRIPE_ROWS)
        fresh = [part for part in parts if part.in_memory]
        live_bytes = sum(part.size for part in parts)
        total_bytes = (chunk.length if chunk else 0) + sum(part.size for part in fresh)
        if chunk is None:
            chunk = index.new_chunk()
        elif total_bytes - live_bytes > max(live_bytes, MIN_GARBAGE_BYTES):
            chunk = index.new_chunk()
            fresh = list(parts)
        data = [part.data() for part in fresh]
        if file.has_lost_parts():
            raise ValueError("the chunk file was truncated while it was read")
    except (OSError, ValueError) as error:
        raise BrokenChunkError(file, str(error)) from error
    offsets = chunk.append(data) if data else []
    offset_of = dict(zip(map(id, fresh), offsets, strict=True))
    return [_placed(part, chunk, offset_of[id(part)]) if id(part) in offset_of else part for part in parts], chunk


def _placed(part: Part, chunk: ChunkFile, offset: int) -> Part:
    return Part(size=part.size, scalar_rows=part.scalar_rows, payload_rows=part.payload_rows, home=chunk, offset=offset)


def _delete_retired(index: Index, file: EventFile) -> None:
    indexed = index.indexed(file)
    if file.is_removed:
        indexed.retire_chunk()
    chunks, indexed.retired = indexed.retired, []
    for chunk in chunks:
        chunk.unlink()
