"""Images: what runs logged at each step, in cards, in grids and side by side."""

from __future__ import annotations

from seamark.dashboards.images.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="images", title="Images", order=30, kinds=("images",), routes=endpoints)
