"""Custom scalars: charts of several tags, with a layout that a run logged or a user edited."""

from __future__ import annotations

from seamark.dashboards.custom_scalars.routes import endpoints
from seamark.plugin import Dashboard

# Also for runs without a logged layout: the page can make one from any scalars.
dashboard = Dashboard(
    name="custom_scalars", title="Custom scalars", order=85, kinds=("custom_scalars", "scalars"), routes=endpoints
)
