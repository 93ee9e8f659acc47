"""A small dashboard that uses every part of the contract: the curves of a tag, and how many points each run has."""

from __future__ import annotations

from seamark.dashboards.skeleton.routes import endpoints
from seamark.plugin import Dashboard

# The name is the name of this folder. The dashboard gets a tab as soon as a run has one of these kinds.
dashboard = Dashboard(name="skeleton", title="Skeleton", order=900, kinds=("scalars",), routes=endpoints)
