"""Graphs: the operations and layers of models, level by level, with the numbers of the run painted onto them."""

from __future__ import annotations

from seamark.dashboards.graphs.library import has_graphs
from seamark.dashboards.graphs.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="graphs", title="Graphs", order=75, has_data=has_graphs, routes=endpoints)
