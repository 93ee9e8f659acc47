"""Scalars: a chart for every tag, over all runs."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="scalars", title="Scalars", order=20, kinds=("scalars",))
