"""Text: logged texts, rendered or as they are, and a search over all of them."""

from __future__ import annotations

from seamark.dashboards.text.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="text", title="Text", order=65, kinds=("text",), routes=endpoints)
