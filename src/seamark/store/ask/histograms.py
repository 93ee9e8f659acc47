"""Decodes the histograms of one series inside a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from seamark.kinds import DecodeError, histogram
from seamark.store.ask.answers import HistogramSeries
from seamark.store.ask.payload_bytes import MAX_WHOLE_BYTES, check_size, read_payloads
from seamark.store.ask.thinning import thin, within
from seamark.store.runs.run import Assembly

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seamark.store.runs.payload_rows import PayloadRows


def decode_histograms(
    assembly: Assembly,
    rows: PayloadRows,
    index: NDArray[np.intp],
    *,
    replaced: int,
    axis: str,
    start: float | None,
    stop: float | None,
    limit: int,
) -> HistogramSeries:
    """`index` are the rows of the requested attempts, of which a restart replaced the last `replaced`."""
    began = float(rows.walls[index[0]]) if index.size else 0.0
    x = rows.steps[index] if axis == "step" else rows.walls[index] - (began if axis == "relative" else 0.0)
    inside = within(x, start, stop)
    positions = thin(inside, limit)
    chosen = index[positions]
    payloads = read_payloads(assembly, rows, [i for i in chosen.tolist() if rows.lengths[i] <= MAX_WHOLE_BYTES])
    decoded: list[histogram.Histogram | None] = []
    problems: dict[int, str] = {}
    for position in chosen.tolist():
        try:
            check_size(rows, position)
            decoded.append(histogram.decode(next(payloads)))
        except DecodeError as error:
            problems[len(decoded)] = str(error)
            decoded.append(None)
    return HistogramSeries(
        rows.steps[chosen],
        rows.walls[chosen],
        decoded,
        problems,
        len(inside),
        len(index),
        began,
        int((positions >= len(index) - replaced).sum()),
    )
