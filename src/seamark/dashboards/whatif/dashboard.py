"""What-If: edit examples and ask the model again; performance, fairness, slices and features."""

from __future__ import annotations

from seamark.dashboards.whatif.routes import endpoints
from seamark.plugin import Context, Dashboard


def has_data(context: Context) -> bool:
    """Whether a run has a set of examples."""
    from seamark.dashboards.whatif.library import ExampleLibrary

    return ExampleLibrary(context.store, context.roots).has_any()


dashboard = Dashboard(name="whatif", title="What-If", order=140, has_data=has_data, routes=endpoints)
