"""How many points each run has, by tag: small enough to be copied, whole enough to show every part of the contract."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from seamark.plugin import Context, Dashboard, as_json


def routes(context: Context) -> Sequence[Route]:
    def counts(request: Request) -> Response:
        """The number of points of one tag in every run that has it."""
        tag = request.query_params.get("tag", "")
        series = context.store.series(kind="scalars")
        return as_json({info.run: info.count for info in series if info.tag == tag})

    return [Route("/counts", counts)]


# The name is the name of this folder. It has a tab of its own as soon as a run has one of these kinds.
dashboard = Dashboard(name="skeleton", title="Skeleton", order=900, kinds=("scalars",), routes=routes)
