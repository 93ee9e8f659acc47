"""Every point of every scalar series, with levels of long ones; the page computes windows of them."""

from __future__ import annotations

from collections.abc import Callable

from seamark.plugin.columns import MEDIA_TYPE
from seamark.publish.gather.selection import Selection
from seamark.publish.series_levels import MAX_WHOLE_ROWS, pieces
from seamark.publish.series_points import encode_points

LABEL = "scalars"


def series_key(tag: str, run: str) -> str:
    """As in web/src/data/site/series/series_points.ts."""
    return f"series\0{tag}\0{run}"


def gather_series(selection: Selection, progress: Callable[[int, int], None]) -> None:
    wanted = selection.tags("scalars")
    for at, (run, tag) in enumerate(wanted):
        points = selection.store.marked_points(run, tag)
        is_whole = len(points.steps) <= MAX_WHOLE_ROWS
        for name, content in [("", encode_points(points))] if is_whole else pieces(points):
            key = f"{series_key(tag, run)}\0{name}" if name else series_key(tag, run)
            # What every chart begins with lies together.
            order = ("pieces" if name else "", tag)
            selection.recorder.spool.add(key, content, label=LABEL, owner=run, media=MEDIA_TYPE, order=order)
        progress(at + 1, len(wanted))
