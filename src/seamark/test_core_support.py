"""Event files, stripes and windows for the tests of the bindings."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark import _core

Rows = list[tuple[bytes, int, float, float]]


def event_file(rows: Rows) -> bytes:
    parts = [_core.encode_file_version(1.0)]
    parts += [_core.encode_scalar(tag, value, step, wall) for tag, step, wall, value in rows]
    return b"".join(parts)


def scanned(data: bytes) -> tuple[_core.Scanner, _core.Stripe]:
    scanner = _core.Scanner()
    assert scanner.scan(data, 0).consumed == len(data)
    stripe = scanner.take_stripe()
    assert stripe is not None
    return scanner, _core.Stripe(stripe, verify=True)


def view_of(steps: list[int], values: list[float] | None = None, walls: list[float] | None = None) -> _core.SeriesView:
    count = len(steps)
    data = _core.encode_scalars(
        [b"x"],
        np.zeros(count, np.uint32),
        np.array(steps, np.int64),
        np.arange(count, dtype=np.float64) if walls is None else np.array(walls),
        np.arange(count, dtype=np.float64) if values is None else np.array(values),
    )
    return _core.SeriesView([(scanned(data)[1], 0)])


def ask(series: list[_core.SeriesView], **changes: Any) -> dict[str, NDArray[Any]]:
    query: dict[str, Any] = {
        "axis": _core.AXIS_STEP,
        "start": None,
        "stop": None,
        "max_points": 0,
        "smoothing": 0.0,
        "attempts": _core.ATTEMPTS_LATEST,
        "edges": False,
    }
    return _core.window(series, **(query | changes))
