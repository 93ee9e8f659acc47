"""Projector: embeddings as points, with their neighbours, clusters and movements."""

from __future__ import annotations

from seamark.plugin import Context, Dashboard, Endpoint, ErrorCase
from seamark.plugin.service_routes import routes_of

ERRORS = {
    404: ErrorCase("There is no such embedding, column or row."),
    422: ErrorCase("The embedding cannot be read or projected."),
}


def has_data(context: Context) -> bool:
    """Whether a run has an embedding."""
    from seamark.dashboards.projector.library import EmbeddingLibrary

    return EmbeddingLibrary(context.store, context.roots).has_any()


def routes(context: Context) -> list[Endpoint]:
    from seamark.dashboards.projector.service import ProjectorService

    return routes_of(ProjectorService(context), errors=ERRORS)


dashboard = Dashboard(name="projector", title="Projector", order=60, has_data=has_data, routes=routes)
