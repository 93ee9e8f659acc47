"""Decodes the histograms of one series inside a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from seamark.kinds import DecodeError, histogram
from seamark.store.ask.answers import HistogramSeries
from seamark.store.ask.payload_bytes import MAX_WHOLE_BYTES, check_size
from seamark.store.ask.requests import HistogramRequest
from seamark.store.ask.thinning import thin, within

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from seamark.store.runs.payload_rows import PayloadRows


def decode_histograms(
    rows: PayloadRows,
    index: NDArray[np.intp],
    read: Callable[[Sequence[int]], Iterator[bytes]],
    request: HistogramRequest,
    *,
    replaced: int,
) -> HistogramSeries:
    """`index` are the rows of the requested attempts, of which a restart replaced the last `replaced`.

    `read` yields the bytes of rows.
    """
    began = float(rows.walls[index[0]]) if index.size else 0.0
    shift = began if request.axis == "relative" else 0.0
    x = rows.steps[index] if request.axis == "step" else rows.walls[index] - shift
    inside = within(x, request.start, request.stop)
    positions = thin(inside, request.limit)
    chosen = index[positions]
    payloads = read([i for i in chosen.tolist() if rows.lengths[i] <= MAX_WHOLE_BYTES])
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
