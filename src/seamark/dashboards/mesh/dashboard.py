"""Mesh: logged meshes and point clouds step by step, and 3-D files in the runs' folders."""

from __future__ import annotations

from seamark.dashboards.mesh.routes import endpoints
from seamark.plugin import Dashboard

dashboard = Dashboard(name="mesh", title="Mesh", order=80, kinds=("mesh",), routes=endpoints)
