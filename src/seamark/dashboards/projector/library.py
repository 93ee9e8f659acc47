"""EmbeddingLibrary: finds the embeddings of all runs, reads the requested ones and caches them."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

import numpy as np

from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.embeddings.form import Embedding, Metadata, Vectors
from seamark.plugin import not_found
from seamark.plugin.recently_used import RecentlyUsed
from seamark.plugin.run_folder import file_in_run, files_in_runs
from seamark.store import LogRoot, Store

SUFFIXES = (".npy",)
MAX_OPEN = 8


class EmbeddingListing(NamedTuple):
    ref: EmbeddingRef  # the last step
    title: str
    steps: list[tuple[int, str]]  # step and the name of its embedding, in ascending order


class EmbeddingLibrary:
    def __init__(self, store: Store, roots: tuple[LogRoot, ...]) -> None:
        self._store, self._roots = store, roots
        self._open: RecentlyUsed[Embedding] = RecentlyUsed(MAX_OPEN)

    def has_any(self) -> bool:
        return bool(self.listings()[0])

    def listings(self) -> tuple[list[EmbeddingListing], bool]:
        """The embeddings, and whether more files lie in the folders than are listed."""
        files, has_more = files_in_runs(self._store.runs(), SUFFIXES)
        return [EmbeddingListing(EmbeddingRef(f.run, f"file:{f.path}"), f.path, []) for f in files], has_more

    def open(self, ref: EmbeddingRef) -> Embedding:
        """Reads the embedding, or returns it from the cache. Raises RequestError."""
        return self._open.get(ref, lambda: self._read(ref))

    def _read(self, ref: EmbeddingRef) -> Embedding:
        path = file_in_run(self._store.runs(), ref.run, ref.name.removeprefix("file:"), SUFFIXES)
        if path is None:
            raise not_found(f"the run '{ref.run}' has no embedding '{ref.name}'")
        values = np.load(path, mmap_mode="r")
        vectors = Vectors(values, str(values.dtype), None, hashlib.sha256(values.tobytes()).hexdigest()[:16])
        return Embedding(vectors, Metadata(len(values)))
