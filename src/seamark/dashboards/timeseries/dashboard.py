"""Time series: scalars, histograms and images on one page. Scalars is the same page with scalars only."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="timeseries", title="Time series", order=10, kinds=("scalars", "histograms", "images"))
