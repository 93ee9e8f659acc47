"""Projector: opened embeddings and their projections, each made once."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import msgspec

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.answers.errors import embedding_errors
from seamark.dashboards.projector.custom_axes import axis_rows
from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.jobs import LayoutJobs
from seamark.dashboards.projector.layout_projections import Action, LayoutProjections
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.dashboards.projector.projection_key import is_layout, metadata_id, parameters_of, uses_metadata
from seamark.dashboards.projector.row_scope import RowScope
from seamark.embeddings import align
from seamark.embeddings.form import Embedding, EmbeddingError
from seamark.embeddings.methods import linear
from seamark.embeddings.methods.projected import Projected, State
from seamark.embeddings.prepare import Preparation, Prepared
from seamark.plugin.recently_used import RecentlyUsed

LAYOUTS_FOLDER = "layouts"
MAX_PREPARED = 8
MAX_MAPS = 32
MAX_PROJECTED = 16


class Projector:
    """For any thread."""

    def __init__(self, library: EmbeddingLibrary, cache_dir: Path | None) -> None:
        self.library = library
        self._prepared: RecentlyUsed[Prepared] = RecentlyUsed(MAX_PREPARED)
        self._maps: RecentlyUsed[linear.LinearMap] = RecentlyUsed(MAX_MAPS)
        self._projected: RecentlyUsed[Projected] = RecentlyUsed(MAX_PROJECTED)
        self._layouts = LayoutProjections(self, LayoutJobs(None if cache_dir is None else cache_dir / LAYOUTS_FOLDER))

    def open(self, body: wire.ProjectionBody | wire.EmbeddingParameters) -> Embedding:
        return self.library.open(EmbeddingRef(body.run, body.name))

    def prepared(self, body: wire.ProjectionBody) -> Prepared:
        return self._prepare(self.open(body), body)

    def key_of(self, body: wire.ProjectionBody) -> str:
        """Identifies a projection by content: equal vectors and parameters have equal keys, in any run."""
        embedding = self.open(body)
        parts = [
            embedding.vectors.content_id,
            self._reference(body).vectors.content_id if body.align_to else "",
            metadata_id(embedding) if uses_metadata(body.method) else "",
            parameters_of(body.method),
            [body.normalize, body.center, body.sphereize],
            0 if is_layout(body) else body.sample,
        ]
        return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()[:32]

    def projected(self, body: wire.ProjectionBody) -> Projected:
        """The projection as it is now: one that runs has the positions of its last epoch."""
        with embedding_errors():
            key = self.key_of(body)
            if is_layout(body):
                return self._layouts.projected(key, body)
            return self._projected.get(key, lambda: self._linear(key, body))

    def act(self, key: str, action: Action) -> State:
        """Pauses, resumes or restarts a method that runs."""
        return self._layouts.act(key, action)

    # Linear methods

    def _linear(self, key: str, body: wire.ProjectionBody) -> Projected:
        embedding, prepared = self.open(body), self.prepared(body)
        scope = RowScope.of(embedding, body.method.query, max_rows=body.sample, seed=body.method.seed)
        shown, notes = self._map(embedding, prepared, body, scope)
        return Projected(
            key,
            linear.project(prepared, shown, scope.rows),
            scope.rows,
            titles=shown.titles,
            variance=shown.variance,
            notes=(*scope.notes, *shown.notes, *notes),
        )

    def _map(
        self, embedding: Embedding, prepared: Prepared, body: wire.ProjectionBody, scope: RowScope
    ) -> tuple[linear.LinearMap, tuple[str, ...]]:
        if not body.align_to:
            return self._own_map(embedding, prepared, body, scope), ()
        reference = self._reference(body)
        target = self._prepare(reference, body)
        try:
            rotation = align.alignment(prepared, target)
        except EmbeddingError as error:
            return self._own_map(embedding, prepared, body, scope), (f"not aligned: {error}",)
        if body.method.method != "pca":
            shown = self._own_map(reference, target, body, scope)
            return replace(shown, matrix=rotation.before(shown.matrix)), ()
        fitted = self._fitted(target, body, scope)
        matrix = rotation.before(fitted.matrix)
        # Along the same directions the vectors of this step vary otherwise.
        turned = replace(fitted, matrix=matrix, variance=linear.variance_shares(prepared, matrix, scope.rows))
        return with_axes(turned, chosen_axes(body.method)), ()

    def _own_map(
        self, embedding: Embedding, prepared: Prepared, body: wire.ProjectionBody, scope: RowScope
    ) -> linear.LinearMap:
        method = body.method
        if method.method == "raw":
            return linear.raw_map(prepared, chosen_axes(method))
        if method.method == "random":
            return linear.random_map(prepared, method.dims, method.seed)
        if method.method == "axes":
            ends, titles = axis_rows(embedding, method)
            components = self._fitted(prepared, body, scope) if None in ends else None
            return linear.axes_map(prepared, ends, titles, components)
        return with_axes(self._fitted(prepared, body, scope), chosen_axes(method))

    def _fitted(self, prepared: Prepared, body: wire.ProjectionBody, scope: RowScope) -> linear.LinearMap:
        key = (prepared, body.method.query, body.sample)
        return self._maps.get(key, lambda: linear.fit_pca(prepared, scope.rows, seed=body.method.seed))

    # Embeddings

    def reference(self, body: wire.ProjectionBody) -> wire.ProjectionBody:
        """The same projection of the embedding that this one is aligned with."""
        return msgspec.structs.replace(body, name=body.align_to, align_to="")

    def _reference(self, body: wire.ProjectionBody) -> Embedding:
        return self.library.open(EmbeddingRef(body.run, body.align_to))

    def _prepare(self, embedding: Embedding, body: wire.ProjectionBody) -> Prepared:
        preparation = Preparation(body.normalize, body.center, body.sphereize)
        key = (embedding.vectors.content_id, preparation)
        return self._prepared.get(key, lambda: Prepared(embedding.vectors, preparation))


def chosen_axes(method: wire.MethodBody) -> list[int]:
    """The components or dimensions to show: one for each axis of the picture."""
    chosen = method.components or list(range(method.dims))
    if len(chosen) < method.dims:
        raise EmbeddingError(f"a picture of {method.dims} axes needs as many components: got {len(chosen)}")
    return chosen[: method.dims]


def with_axes(fitted: linear.LinearMap, axes: list[int]) -> linear.LinearMap:
    """Some of the axes; the shares of variance are those of all."""
    count = fitted.matrix.shape[1]
    for axis in axes:
        if axis >= count:
            raise EmbeddingError(f"there is no component {axis + 1}: want 1 to {count}")
    return replace(fitted, matrix=fitted.matrix[:, axes], titles=tuple(fitted.titles[axis] for axis in axes))
