"""How points move from step to step."""

from __future__ import annotations

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.answers.errors import embedding_errors
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.movement import Movement
from seamark.embeddings.movement import movement as find_movement
from seamark.plugin.columns import encode_columns
from seamark.plugin.recently_used import RecentlyUsed

# By content: equal vectors have equal movements, in any run.
_movements: RecentlyUsed[Movement] = RecentlyUsed(16)


def movement(projector: Projector, body: wire.MovementBody) -> bytes:
    bodies = [
        wire.ProjectionBody(
            run=body.run, name=name, normalize=body.normalize, center=body.center, sphereize=body.sphereize
        )
        for name in body.names
    ]
    key = (*(projector.open(one).vectors.content_id for one in bodies), body.normalize, body.center, body.sphereize)
    with embedding_errors():
        found = _movements.get(key, lambda: find_movement(projector.prepared(one) for one in bodies))
    return encode_columns({"means": list(found.means)}, {"moved": found.moved})
