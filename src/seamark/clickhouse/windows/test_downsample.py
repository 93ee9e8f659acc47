"""Rows of points that were pulled from the engine equal those of the embedded store. Needs no server."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from seamark.clickhouse.windows.downsample import downsample
from seamark.clickhouse.windows.lines import Lines
from seamark.clickhouse.windows.query import LineName, WindowQuery
from seamark.store import LogRoot, Smoothing, Store
from seamark.store.ask.requests import ScalarRequest
from seamark.store.test_support import LOSS, TIMEOUT_SECS, A, B, append, file_start, scalar_bytes

CURVES = {A: [(step, math.sin(step / 9)) for step in range(0, 600, 3)], B: [(step, step % 7) for step in range(19)]}


@pytest.mark.parametrize("max_points", [0, 40])
@pytest.mark.parametrize(
    "smoothing", [Smoothing(0.6), Smoothing(1.0), Smoothing(0.02, "adaptive"), Smoothing(0.1, "adaptive", 90)], ids=str
)
def test_smoothed_rows_and_weights_are_those_of_the_store(
    smoothing: Smoothing, max_points: int, tmp_path: Path
) -> None:
    for run, curve in CURVES.items():
        append(tmp_path / run / "events.out.tfevents.1", file_start() + scalar_bytes(LOSS, curve))
    with Store([LogRoot("", tmp_path)], index_dir=None, follow=False) as store:
        assert store.wait_loaded(TIMEOUT_SECS)
        want = store.scalars([A, B], LOSS, max_points=max_points, smoothing=smoothing)
    steps, values = np.array([point for curve in CURVES.values() for point in curve]).T
    ends = np.cumsum([len(curve) for curve in CURVES.values()])
    names = [LineName(at, 0, False) for at in range(len(CURVES))]
    lines = Lines(names, ends, steps, steps.astype(np.int64), steps, values.astype(np.float32).astype(float))
    query = WindowQuery.of(ScalarRequest("step", None, None, max_points, smoothing, "latest", False, None))
    got = downsample(lines, lines.range, query)
    assert want.weight is not None and want.smoothed is not None
    np.testing.assert_array_equal(got.weights, want.weight)
    assert got.weights[1] == 0, "fewer points than are smoothed"
    np.testing.assert_array_equal(got.rows["step"], want.step)
    np.testing.assert_allclose(got.rows["smoothed"], want.smoothed, rtol=1e-12, atol=1e-12)
