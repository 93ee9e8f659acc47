"""LayoutProjections: t-SNE and UMAP of an embedding's rows, as they are while they run."""

from __future__ import annotations

from typing import Literal, Protocol

import numpy as np

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.jobs import LayoutInput, LayoutJobs, LayoutSnapshot
from seamark.dashboards.projector.row_scope import RowScope
from seamark.embeddings import align
from seamark.embeddings.form import Embedding, EmbeddingError, FloatMatrix, RowColumn
from seamark.embeddings.methods.layouts.layout import LabelCodes, LayoutSettings
from seamark.embeddings.methods.projected import Projected, State
from seamark.embeddings.prepare import Prepared
from seamark.plugin import not_found
from seamark.plugin.recently_used import RecentlyUsed

Action = Literal["pause", "resume", "restart"]
TITLES = {"tsne": "t-SNE", "umap": "UMAP"}
WAIT_SECS = 1.0
MAX_SCOPES = 32


class Embeddings(Protocol):
    """What layouts take from the Projector."""

    def open(self, body: wire.ProjectionBody) -> Embedding: ...

    def prepared(self, body: wire.ProjectionBody) -> Prepared: ...

    def reference(self, body: wire.ProjectionBody) -> wire.ProjectionBody: ...

    def projected(self, body: wire.ProjectionBody) -> Projected: ...


class LayoutProjections:
    """For any thread."""

    def __init__(self, projector: Embeddings, jobs: LayoutJobs) -> None:
        self._projector, self._jobs = projector, jobs
        self._scopes: RecentlyUsed[RowScope] = RecentlyUsed(MAX_SCOPES)

    def projected(self, key: str, body: wire.ProjectionBody) -> Projected:
        """Waits for a later epoch than `body.after`, a second at most."""
        snapshot = self._jobs.projected(key, lambda: self._input(key, body))
        if body.after >= 0:
            snapshot = self._jobs.wait(key, body.after, WAIT_SECS) or snapshot
        rows = self._rows(key, body)
        notes = self._scope(key, body).notes
        title = TITLES[body.method.method]
        return Projected(
            key,
            self._positions(snapshot, rows, body),
            None if len(rows) == self._projector.open(body).vectors.rows else rows,
            notes=tuple(f"{title} of {note}" for note in notes),
            state=snapshot.state,
            epoch=max(0, snapshot.epoch),
            epochs=snapshot.epochs,
            secs_left=snapshot.secs_left,
            error=snapshot.error,
        )

    def act(self, key: str, action: Action) -> State:
        act = {"pause": self._jobs.pause, "resume": self._jobs.resume, "restart": self._jobs.restart}[action]
        snapshot = act(key)
        if snapshot is None:
            raise not_found("this method does not run any more; choose it again")
        return snapshot.state

    # Rows

    def _scope(self, key: str, body: wire.ProjectionBody) -> RowScope:
        method, embedding = body.method, self._projector.open(body)
        return self._scopes.get(
            key, lambda: RowScope.of(embedding, method.query, max_rows=method.max_rows, seed=method.seed)
        )

    def _rows(self, key: str, body: wire.ProjectionBody) -> RowColumn:
        rows = self._scope(key, body).rows
        return np.arange(self._projector.open(body).vectors.rows) if rows is None else rows

    # What a layout begins with

    def _input(self, key: str, body: wire.ProjectionBody) -> LayoutInput:
        method, rows = body.method, self._rows(key, body)
        if method.method not in ("tsne", "umap"):
            raise ValueError(f"not a layout: {method.method}")
        settings = LayoutSettings(
            method=method.method,
            dims=method.dims,
            perplexity=method.perplexity,
            neighbours=method.neighbours,
            min_distance=method.min_distance,
            learning_rate=method.learning_rate,
            metric=method.metric,
            epochs=method.epochs,
            supervise=method.supervise,
            seed=method.seed,
        )
        labels = labels_of(self._projector.open(body), method, rows)
        return self._projector.prepared(body).take(rows), settings, labels, self._start(rows, body)

    def _start(self, rows: RowColumn, body: wire.ProjectionBody) -> FloatMatrix | None:
        """The positions of the step that this one is aligned with, or of the picture before."""
        if body.align_to:
            reference = self._reference(body)
            while reference.state == "running":
                reference = self._projector.projected(self._after(body, reference.epoch))
            return positions_of(rows, reference, body.method.dims)
        earlier = self._jobs.snapshot(body.start) if body.start else None
        if earlier is None or earlier.positions is None or earlier.positions.shape != (len(rows), body.method.dims):
            return None
        return earlier.positions

    # Alignment

    def _positions(self, snapshot: LayoutSnapshot, rows: RowColumn, body: wire.ProjectionBody) -> FloatMatrix:
        """Turned so that as little as possible moves from one step to another."""
        positions = snapshot.positions
        if positions is None:
            return np.full((len(rows), body.method.dims), np.nan, np.float32)
        target = positions_of(rows, self._reference(body), body.method.dims) if body.align_to else None
        if target is None or snapshot.epoch < 0:
            return positions
        return align.align_rows(positions, target, shift=True).apply(positions)

    def _reference(self, body: wire.ProjectionBody) -> Projected:
        return self._projector.projected(self._after(body, -1))

    def _after(self, body: wire.ProjectionBody, epoch: int) -> wire.ProjectionBody:
        reference = self._projector.reference(body)
        reference.after = epoch
        return reference


def labels_of(embedding: Embedding, method: wire.MethodBody, rows: RowColumn) -> LabelCodes | None:
    if method.supervise == 0:
        return None
    column = embedding.metadata.by_name.get(method.supervise_by)
    if column is None or column.codes is None:
        raise EmbeddingError(f"labels are a column of names: got '{method.supervise_by}'")
    return column.codes[rows]


def positions_of(rows: RowColumn, projected: Projected, dims: int) -> FloatMatrix | None:
    """The positions of these rows in another picture, in the same order; None if it does not have them all."""
    if projected.positions.shape != (len(rows), dims):
        return None
    if projected.rows is not None and not np.array_equal(projected.rows, rows):
        return None
    return projected.positions
