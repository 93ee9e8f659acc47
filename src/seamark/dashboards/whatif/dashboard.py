"""What-If: edit examples and ask the model again; performance, fairness, slices and features."""

from __future__ import annotations

from seamark.plugin import Context, Dashboard, Endpoint
from seamark.plugin.service_routes import routes_of


def has_data(context: Context) -> bool:
    """Whether a run has a set of examples."""
    from seamark.dashboards.whatif.library import ExampleLibrary

    return ExampleLibrary(context.store, context.roots).has_any()


def routes(context: Context) -> list[Endpoint]:
    from seamark.dashboards.whatif.answers.errors import example_errors
    from seamark.dashboards.whatif.service import ERRORS, WhatIfService

    service = WhatIfService(context)
    return routes_of(service, service.analyses, errors=ERRORS, within=example_errors)


dashboard = Dashboard(name="whatif", title="What-If", order=140, has_data=has_data, routes=routes)
