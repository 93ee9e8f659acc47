"""RowScope: the rows that a method takes: those with finite numbers, those that match a query, or a sample of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from seamark.dashboards.projector.metadata_query import matching_rows
from seamark.embeddings.form import Embedding, EmbeddingError, RowColumn


class RowScope(NamedTuple):
    rows: RowColumn | None  # in ascending order; None: all of the embedding
    notes: tuple[str, ...]

    @classmethod
    def of(cls, embedding: Embedding, query: str, *, max_rows: int, seed: int) -> RowScope:
        """`max_rows` 0: no limit. A sample is drawn at random, and the same for the same seed."""
        rows = embedding.vectors.finite
        notes: list[str] = []
        if query:
            matching = matching_rows(embedding.metadata, query)
            rows = matching if rows is None else np.intersect1d(rows, matching, assume_unique=True)
            notes.append(f"{len(rows):,} rows that match the filter")
        count = embedding.vectors.rows if rows is None else len(rows)
        if count == 0:
            raise EmbeddingError("no row matches the filter" if query else "no row has finite numbers only")
        if 0 < max_rows < count:
            rows = sample_of(rows, count, max_rows, seed)
            notes.append(f"{max_rows:,} of {count:,} rows, drawn at random, seed {seed}")
        return cls(rows, tuple(notes))


def sample_of(rows: RowColumn | None, count: int, size: int, seed: int) -> RowColumn:
    drawn = np.sort(np.random.default_rng(seed).choice(count, size, replace=False, shuffle=False))
    return drawn if rows is None else rows[drawn]
