"""The content of one event file as far as it was read: appended to by the loader, moved to disk by the committer."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from msgspec.structs import replace

from seamark.store.read.file_state import EMPTY_STATE, FileState
from seamark.store.read.series_table import SeriesEntry, series_table
from seamark.store.read.stripes import Part, merged

# Larger stripes no longer fit into the processor's cache while they are filled, which costs a third more time.
STRIPE_ROWS = 1 << 17


class FileContent:
    """Shared by the loader's worker that reads the file and by the committer; both change it under its lock.

    `state` is immutable and replaced as a whole, so any thread may read it without the lock.
    """

    __slots__ = ("_lock", "_sealed", "generation", "state")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sealed = 0  # the first parts that the committer is working on: they must not be merged
        self.generation = 0  # counts how often the file was reread from its start
        self.state = EMPTY_STATE

    def restore(self, state: FileState) -> None:
        """Sets the state that the index has of the file, before any thread reads the file."""
        self.state = state

    def snapshot(self) -> tuple[int, FileState]:
        with self._lock:
            return self.generation, self.state

    def forget(self, seed: tuple[SeriesEntry, ...] = ()) -> None:
        """Discards everything, so that the next visit reads the file from its start, with the metadata in `seed`."""
        with self._lock:
            self.generation += 1
            self._sealed = 0
            self.state = FileState(table=series_table(seed), seeded=len(seed))

    def publish(self, generation: int, state: FileState, fresh: list[Part]) -> bool:
        """Sets a new state and appends its fresh parts. Returns False if the content was discarded meanwhile."""
        with self._lock:
            if self.generation != generation:
                return False
            # The committer may have moved parts to disk since `state` was made: the current parts are the valid ones.
            parts = list(self.state.parts)
            kept = self._sealed
            while kept < len(parts) and not parts[kept].in_memory:
                kept += 1
            tail = merged([*parts[kept:], *fresh], max_rows=STRIPE_ROWS)
            self.state = replace(state, parts=(*parts[:kept], *tail))
            return True

    def seal(self) -> tuple[int, FileState]:
        """Returns the state to write to the index; its parts stay as they are until `unseal`."""
        with self._lock:
            self._sealed = len(self.state.parts)
            return self.generation, self.state

    def unseal(self, generation: int, sealed: FileState, parts: Sequence[Part]) -> bool:
        """Replaces the sealed parts by `parts`. Returns False if the content was discarded meanwhile."""
        with self._lock:
            if self.generation != generation:
                return False
            self.state = replace(self.state, parts=(*parts, *self.state.parts[len(sealed.parts) :]))
            self._sealed = 0
            return True
