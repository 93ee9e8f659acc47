"""Graphs: the operations and layers of models, level by level, with the numbers of the run painted onto them."""

from __future__ import annotations

from seamark.dashboards.graphs.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(
    name="graphs",
    title="Graphs",
    order=50,
    kinds=("graphs", "meta_graph", "graph_keras_model", "graph_run_metadata", "graph_run_metadata_graph"),
    routes=endpoints,
)
