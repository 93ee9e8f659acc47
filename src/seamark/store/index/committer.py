"""Writes what was read to the index, in the background and many files at a time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from seamark.store.event_file import BrokenChunkError, EventFile
from seamark.store.index.catalogue import Entry
from seamark.store.index.chunk_file import ChunkFile
from seamark.store.index.index import Index
from seamark.store.stripes import Part, merged

MAX_STRIPE_ROWS = 8 << 20
COMMIT_BYTES = 1 << 20  # of new event data in one file
COMMIT_SECS = 10.0  # after which less than that is committed, too
# While the first load runs, what is read is answered first and written later, unless it is this much.
FLUSH_BYTES = 256 << 20
THROTTLE_BYTES = 512 << 20
MAX_BATCH_FILES = 256  # so that closing waits for little
MIN_GARBAGE_BYTES = 1 << 20
CHECK_SECS = 10.0  # between two looks at what others did to the chunk files
MAX_CHECK_LOAD = 0.005  # of one processor


class Committer:
    """Chunk first, then catalogue: a crash in between leaves bytes that no row names."""

    def __init__(
        self,
        indexes: Sequence[Index | None],
        *,
        is_busy: Callable[[], bool],
        on_broken: Callable[[EventFile, str], None],
    ) -> None:
        self._indexes = [index for index in indexes if index is not None]
        self._next_check = time.monotonic() + CHECK_SECS
        self._is_busy = is_busy  # whether the loader has something better to do with the processor
        self._on_broken = on_broken
        self._wake = threading.Condition()
        self._dirty: dict[EventFile, None] = {}
        self._dropped: list[EventFile] = []
        self._pending_bytes = 0
        self._is_urgent = False
        self._oldest = 0.0
        self._is_closing = False
        self._deadline = math.inf
        self._thread = threading.Thread(target=self._run, name="seamark-committer", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def note(self, file: EventFile, new_bytes: int) -> None:
        """The file has news for the index."""
        if file.index is None or not file.index.is_writable:
            return
        with self._wake:
            if not self._dirty:
                self._oldest = time.monotonic()
            self._dirty[file] = None
            self._pending_bytes += new_bytes
            is_new = file.indexed_as is None
            if is_new or new_bytes >= COMMIT_BYTES or self._pending_bytes >= FLUSH_BYTES:
                self._is_urgent = True
            # While the loader is busy only this much is a reason to wake; when it is idle, it nudges.
            if self._pending_bytes >= FLUSH_BYTES or not self._is_busy():
                self._wake.notify_all()

    def drop(self, file: EventFile) -> None:
        """The file is gone."""
        if file.index is None or not file.index.is_writable:
            return
        with self._wake:
            self._dirty.pop(file, None)
            self._dropped.append(file)
            self._wake.notify_all()

    def nudge(self) -> None:
        """The loader has nothing to do."""
        with self._wake:
            self._wake.notify_all()

    def throttle(self) -> None:
        """Holds up a worker while far more is read than the disk takes."""
        with self._wake:
            self._wake.wait_for(lambda: self._pending_bytes < THROTTLE_BYTES or self._is_closing)

    def close(self, patience_secs: float | None = None) -> None:
        """Writes what there is and ends; what is not written in time is read again at the next start."""
        with self._wake:
            self._is_closing = True
            if patience_secs is not None:
                self._deadline = time.monotonic() + patience_secs
            self._wake.notify_all()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        while True:
            self._check_chunks()
            with self._wake:
                if not self._is_closing and not self._is_due():
                    self._wake.wait(self._patience_secs())
                if not self._is_closing and not self._is_due():
                    continue
                is_last = self._is_closing
                batch = list(self._dirty)[:MAX_BATCH_FILES]
                for file in batch:
                    del self._dirty[file]
                dropped, self._dropped = self._dropped, []
                is_last = is_last and (not self._dirty or time.monotonic() > self._deadline)
                if not self._dirty:
                    self._is_urgent = False
            self._write(batch, dropped)
            with self._wake:
                if not self._dirty:
                    self._pending_bytes = 0
                self._wake.notify_all()
            if is_last:
                return

    def _is_due(self) -> bool:
        if self._dropped or self._pending_bytes >= FLUSH_BYTES:
            return True
        is_old = bool(self._dirty) and time.monotonic() - self._oldest >= COMMIT_SECS
        return is_old or (self._is_urgent and not self._is_busy())

    def _patience_secs(self) -> float:
        due = min(self._next_check, self._oldest + COMMIT_SECS) if self._dirty else self._next_check
        return max(0.01, due - time.monotonic())

    def _check_chunks(self) -> None:
        """What was checked when it was opened may be damaged later: any change from outside makes it void."""
        began = time.monotonic()
        if began < self._next_check:
            return
        for index in self._indexes:
            for file in index.changed_behind_us():
                self._on_broken(file, "its chunk file was changed by another program")
        now = time.monotonic()
        self._next_check = now + max(CHECK_SECS, (now - began) / MAX_CHECK_LOAD)

    def _write(self, changed: Iterable[EventFile], dropped: Iterable[EventFile]) -> None:
        by_index: dict[Index, tuple[list[EventFile], list[EventFile]]] = {}
        for position, files in enumerate((changed, dropped)):
            for file in files:
                if file.index is not None and file.index.is_writable:
                    by_index.setdefault(file.index, ([], []))[position].append(file)
        for index, (index_changed, index_dropped) in by_index.items():
            try:
                self._write_index(index, index_changed, index_dropped)
            except Exception as error:  # whatever it is, what is shown must not suffer
                index.fail(error)

    def _write_index(self, index: Index, changed: Sequence[EventFile], dropped: Sequence[EventFile]) -> None:
        entries: list[Entry] = []
        stale: list[str] = []
        for file in changed:
            try:
                entry = None if file.is_dropped else persist(index, file)
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
        for file in (*changed, *dropped):
            _delete_retired(file)


def persist(index: Index, file: EventFile) -> Entry | None:
    """Moves the parts of a file to disk. None if it was read anew meanwhile: then it will be noted again."""
    generation, state = file.seal()
    chunk = file.chunk
    parts: Sequence[Part] = state.parts
    try:
        parts, chunk = _stored(index, file, chunk, state.parts)
    finally:
        is_current = file.unseal(generation, state, parts, chunk)
    if not is_current:
        return None
    return Entry(path="", state=replace(state, parts=tuple(parts)), chunk=chunk)


def _stored(
    index: Index, file: EventFile, chunk: ChunkFile | None, parts: Sequence[Part]
) -> tuple[list[Part], ChunkFile]:
    """The same rows, all of them in a chunk file: the one given, or a new one when that would be mostly garbage."""
    try:
        parts = merged(parts, max_rows=MAX_STRIPE_ROWS)
        fresh = [part for part in parts if part.in_memory]
        live_bytes = sum(part.size for part in parts)
        total_bytes = (chunk.length if chunk else 0) + sum(part.size for part in fresh)
        if chunk is None:
            chunk = index.new_chunk()
        elif total_bytes - live_bytes > max(live_bytes, MIN_GARBAGE_BYTES):
            file.retired.append(chunk)
            chunk = index.new_chunk()
            fresh = list(parts)
        data = [part.data() for part in fresh]
        if file.has_lost_parts():
            raise ValueError("the chunk file was cut short while it was read")
    except (OSError, ValueError) as error:
        raise BrokenChunkError(file, str(error)) from error
    offsets = chunk.append(data) if data else []
    places = dict(zip(map(id, fresh), offsets, strict=True))
    return [_placed(part, chunk, places[id(part)]) if id(part) in places else part for part in parts], chunk


def _placed(part: Part, chunk: ChunkFile, offset: int) -> Part:
    return Part(size=part.size, scalar_rows=part.scalar_rows, payload_rows=part.payload_rows, home=chunk, offset=offset)


def _delete_retired(file: EventFile) -> None:
    """After the commit, or a crash would leave rows that name files which are no more."""
    chunks, file.retired = file.retired, []
    if file.is_dropped and file.chunk is not None:
        chunks.append(file.chunk)
        file.chunk = None
    for chunk in chunks:
        chunk.unlink()
