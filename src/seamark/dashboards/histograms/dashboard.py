"""Histograms: how the values of a tensor lie, step by step.

The data comes from /api/histograms; the rules behind its hints from here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from seamark.plugin import Context, Dashboard


def routes(_: Context) -> Sequence[Route]:
    def rules(_: Request) -> Response:
        """The rules behind health hints, as docs/health.md has them."""
        from seamark.kinds.health import RULES  # loads protobuf

        return JSONResponse([asdict(rule) for rule in RULES])

    return [Route("/rules", rules)]


dashboard = Dashboard(name="histograms", title="Histograms", order=60, kinds=("histograms",), routes=routes)
