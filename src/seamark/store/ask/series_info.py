"""Lists series with their counts and ranges."""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from seamark._core import SeriesView, series_stats
from seamark.format.types import RunName, Tag
from seamark.store.ask.answers import SeriesInfo
from seamark.store.runs.run import Assembly, Run

LOG = logging.getLogger(__name__)
SCALARS = "scalars"


class NamedView(NamedTuple):
    """A scalar series with its name and metadata."""

    run: RunName
    tag: Tag
    metadata: bytes
    view: SeriesView


def scalar_views(run: Run, assembly: Assembly) -> list[NamedView]:
    found = []
    for tag in assembly.scalar_tags():
        view = assembly.scalar(tag)
        if view is not None and view.count:
            found.append(NamedView(run.name, tag, assembly.scalar_entry(tag)[2], view))
    return found


def scalar_infos(series: list[NamedView]) -> list[SeriesInfo]:
    """Computes the statistics of all series in one call of the core."""
    stats = series_stats([item.view for item in series])
    rows = zip(*(column.tolist() for column in stats.values()), strict=True)
    infos = []
    for item, row in zip(series, rows, strict=True):
        plugin, display_name, description = described(item.metadata)
        infos.append(
            SeriesInfo(
                item.run, item.tag, SCALARS, plugin or SCALARS, display_name, description, item.metadata,
                **dict(zip(stats, row, strict=True)),
            )
        )  # fmt: skip
    return infos


def payload_infos(run: Run, assembly: Assembly, kind: str | None) -> list[SeriesInfo]:
    infos = []
    for key in assembly.payload_keys():
        rows = assembly.payloads(key) if kind in (None, key[0]) else None
        if rows is None or not len(rows.steps):
            continue
        metadata = assembly.payload_entry(key)[2]
        plugin, display_name, description = described(metadata)
        attempts = assembly.attempts.of_payloads(key, rows)
        chosen, _ = attempts.select(rows.steps, "latest")
        if not len(chosen):
            chosen, _ = attempts.select(rows.steps, "all")
        steps, walls = rows.steps[chosen], rows.walls[chosen]
        infos.append(
            SeriesInfo(
                run.name, key[1], key[0], plugin or key[0], display_name, description, metadata,
                count=len(rows.steps), attempts=len(np.unique(attempts.attempt)),
                first_step=int(steps[0]), last_step=int(steps[-1]),
                first_wall=float(walls[0]), last_wall=float(walls[-1]),
            )
        )  # fmt: skip
    return infos


@lru_cache(maxsize=4096)
def described(metadata: bytes) -> tuple[str, str, str]:
    """Returns plugin name, display name and description of a series."""
    if not metadata:
        return "", "", ""
    from seamark.kinds import metadata as kind
    from seamark.kinds.payload import DecodeError

    try:
        decoded = kind.decode(metadata)
    except DecodeError as error:
        LOG.info("the metadata of a series cannot be decoded: %s", error)
        return "", "", ""
    return decoded.plugin_name, decoded.display_name, decoded.description
