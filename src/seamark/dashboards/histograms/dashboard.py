"""Histograms: the distribution of a tensor's values at each step. Their data is at /api/histograms."""

from __future__ import annotations

from seamark.dashboards.histograms.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="histograms", title="Histograms", order=40, kinds=("histograms",), routes=endpoints)
