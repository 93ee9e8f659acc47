"""Distributions: the percentiles of a tensor along the steps, from the same data as histograms."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="distributions", title="Distributions", order=70, kinds=("histograms",))
