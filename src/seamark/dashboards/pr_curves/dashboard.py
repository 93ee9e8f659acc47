"""PR curves: precision and recall at every threshold, over runs and steps."""

from __future__ import annotations

from seamark.dashboards.pr_curves.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="pr_curves", title="PR curves", order=75, kinds=("pr_curves",), routes=endpoints)
