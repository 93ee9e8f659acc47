"""How points move from step to step."""

from __future__ import annotations

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.projector import Projector


def movement(projector: Projector, body: wire.MovementBody) -> bytes:
    raise NotImplementedError
