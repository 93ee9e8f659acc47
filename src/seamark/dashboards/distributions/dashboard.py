"""Distributions: the percentiles of a tensor at each step, computed from its histograms."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="distributions", title="Distributions", order=45, kinds=("histograms",))
