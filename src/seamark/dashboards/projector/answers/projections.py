"""Projections as columns, and the methods that run."""

from __future__ import annotations

import numpy as np

from seamark.dashboards.projector import wire
from seamark.dashboards.projector.projector import Projector
from seamark.embeddings.methods.projected import Projected
from seamark.plugin.columns import encode_columns

AXES = ("x", "y", "z")


def projection(projector: Projector, body: wire.ProjectionBody) -> bytes:
    return encode(projector.projected(body), projector.open(body).vectors.rows)


def job(projector: Projector, body: wire.JobBody) -> wire.JobResponse:
    return wire.JobResponse(projector.act(body.key, body.action))


def encode(projected: Projected, total: int) -> bytes:
    columns = {name: projected.positions[:, axis] for axis, name in enumerate(AXES[: projected.positions.shape[1]])}
    if projected.rows is not None:
        columns["rows"] = projected.rows.astype(np.uint32)
    header = {
        "key": projected.key,
        "total": total,
        "used": projected.used or len(projected.positions),
        "epoch": projected.epoch,
        "epochs": projected.epochs,
        "state": projected.state,
        "secs_left": projected.secs_left,
        "titles": list(projected.titles),
        "variance": list(projected.variance),
        "notes": list(projected.notes),
        "error": projected.error,
    }
    return encode_columns(header, columns)
