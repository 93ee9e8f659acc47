"""Time series: every kind in one scroll. Scalars is the same page with the other kinds off."""

from __future__ import annotations

from seamark.plugin import Dashboard

dashboard = Dashboard(name="timeseries", title="Time series", order=10, kinds=("scalars", "histograms", "images"))
