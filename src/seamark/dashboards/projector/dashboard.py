"""Projector: embeddings as points, with their neighbours, clusters and movements."""

from __future__ import annotations

from seamark.dashboards.projector.routes import endpoints
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Whether a run has an embedding."""
    from seamark.dashboards.projector.library import EmbeddingLibrary

    return EmbeddingLibrary(context.store, context.roots).has_any()


dashboard = Dashboard(name="projector", title="Projector", order=60, has_data=has_data, routes=endpoints)
