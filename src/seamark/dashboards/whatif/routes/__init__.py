"""Routes of What-If: sets and their rows, points, and analyses of many rows."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from seamark.dashboards.whatif.routes import analyses, points, sets
from seamark.plugin import Context, Endpoint

if TYPE_CHECKING:
    from seamark.dashboards.whatif.service import WhatIfService


def endpoints(context: Context) -> list[Endpoint]:
    @cache
    def service() -> WhatIfService:
        from seamark.dashboards.whatif.service import WhatIfService  # not before it is needed: it loads much

        return WhatIfService(context)

    return [*sets.endpoints(service), *points.endpoints(service), *analyses.endpoints(service)]
