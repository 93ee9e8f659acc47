"""All points of many series in batches, to export them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from seamark.clickhouse.client import Client
from seamark.clickhouse.live_catalogue import ShownRun
from seamark.clickhouse.points import pull_points
from seamark.format.types import RunName, Tag
from seamark.store import ScalarBatch
from seamark.store.ask.batches import Piece, batches_of
from seamark.store.ask.stored_run import StoredScalars
from seamark.store.runs.attempts import wants_all


def scalar_batches(
    client: Client,
    known: Mapping[RunName, ShownRun],
    runs: Sequence[RunName] | None,
    tags: Sequence[Tag] | None,
    *,
    attempts: str,
) -> Iterator[ScalarBatch]:
    everything = wants_all(attempts)
    chosen = [known[name] for name in (known if runs is None else runs) if name in known]
    if tags is None:
        tags = sorted({tag for run in chosen for tag in run.layout.scalar_tags})
    for tag in tags:
        for run in chosen:
            if run.layout.has_scalars(tag):
                for points in pull_points(client, tag, [run.row.run], current=not everything).values():
                    yield from batches_of(run.row.name, tag, _pieces(points, everything=everything))


def _pieces(points: StoredScalars, *, everything: bool) -> list[Piece]:
    steps, attempt = points.steps, points.attempt
    order = np.lexsort((steps, attempt)) if everything else np.argsort(steps, kind="stable")
    steps, walls, values, attempt = steps[order], points.walls[order], points.values[order], attempt[order]
    bounds = [0, *(np.flatnonzero(np.diff(attempt)) + 1).tolist(), len(steps)]
    return [
        Piece(int(attempt[start]), steps[start:stop], walls[start:stop], values[start:stop])
        for start, stop in pairwise(bounds)
        if start < stop
    ]
