"""Graphs: the operations and layers of models, level by level, with the numbers of the run painted onto them."""

from __future__ import annotations

from seamark.plugin import Context, Dashboard, Endpoint, ErrorCase
from seamark.plugin.service_routes import routes_of

ERRORS = {404: ErrorCase("There is no such graph, or no such box."), 422: ErrorCase("The graph cannot be read.")}


def routes(context: Context) -> list[Endpoint]:
    from seamark.dashboards.graphs.service import GraphService

    return routes_of(GraphService(context.store), errors=ERRORS)


dashboard = Dashboard(
    name="graphs",
    title="Graphs",
    order=50,
    kinds=("graphs", "meta_graph", "graph_keras_model", "graph_run_metadata", "graph_run_metadata_graph"),
    routes=routes,
)
