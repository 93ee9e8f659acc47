"""Projector: opened embeddings and their projections, each made once."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.embedding_ref import EmbeddingRef
from seamark.dashboards.projector.library import EmbeddingLibrary
from seamark.embeddings.form import Embedding
from seamark.embeddings.methods import linear
from seamark.embeddings.methods.projected import Projected
from seamark.embeddings.prepare import Preparation, Prepared
from seamark.plugin.recently_used import RecentlyUsed

MAX_PREPARED = 8
MAX_PROJECTED = 32


class Projector:
    def __init__(self, library: EmbeddingLibrary, cache_dir: Path | None) -> None:
        self.library = library
        self._cache_dir = cache_dir
        self._prepared: RecentlyUsed[Prepared] = RecentlyUsed(MAX_PREPARED)
        self._projected: RecentlyUsed[Projected] = RecentlyUsed(MAX_PROJECTED)

    def open(self, body: wire.ProjectionBody | wire.EmbeddingParameters) -> Embedding:
        return self.library.open(EmbeddingRef(body.run, body.name))

    def prepared(self, body: wire.ProjectionBody) -> Prepared:
        embedding = self.open(body)
        preparation = Preparation(body.normalize, body.center, body.sphereize)
        key = (embedding.vectors.content_id, preparation)
        return self._prepared.get(key, lambda: Prepared(embedding.vectors, preparation))

    def key_of(self, body: wire.ProjectionBody) -> str:
        """Identifies a projection by content: equal vectors and parameters have equal keys, in any run."""
        content_id = self.open(body).vectors.content_id
        parameters = msgspec.json.encode([body.method, body.normalize, body.center, body.sphereize, body.sample])
        return hashlib.sha256(content_id.encode() + parameters).hexdigest()[:32]

    def projected(self, body: wire.ProjectionBody) -> Projected:
        """The projection as it is now: one that runs has the positions of its last epoch."""
        key = self.key_of(body)
        return self._projected.get(key, lambda: self._linear(key, body))

    def _linear(self, key: str, body: wire.ProjectionBody) -> Projected:
        prepared = self.prepared(body)
        shown = linear.fit_pca(prepared)
        positions = linear.project(prepared, shown)[:, : body.method.dims]
        return Projected(key, positions, prepared.vectors.finite, titles=shown.titles, variance=shown.variance)
