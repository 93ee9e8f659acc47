"""Levels of long series: what their buckets say equals what the points say."""

from __future__ import annotations

import numpy as np

from seamark.plugin.columns import decode_columns
from seamark.publish.series_levels import WEIGHTS, PieceSizes, ascending_axes, make_levels, pieces
from seamark.store import MarkedPoints

SIZES = PieceSizes(block_rows=100, finest_rows=8, max_buckets=30)


def series(values: list[float], *, replaced: range = range(0)) -> MarkedPoints:
    rows = np.arange(len(values))
    is_replaced = np.isin(rows, list(replaced))
    attempt = (rows >= replaced.stop).astype(np.uint32)
    return MarkedPoints(rows, 1.7e9 + rows / 4, np.array(values, float), attempt, is_replaced)


def moving_average(values: np.ndarray, weight: float) -> float:
    average, finite = 0.0, values[np.isfinite(values)]
    for value in finite:
        average = average * weight + (1 - weight) * value
    return average / (1 - weight ** len(finite))


def test_buckets_describe_their_points() -> None:
    values = np.random.default_rng(3).normal(size=1000)
    values[40], values[41], values[600:616] = np.nan, np.inf, -np.inf
    points = series(values.tolist(), replaced=range(300, 505))
    starts = [0, 300, 505]
    levels = make_levels(points, starts, SIZES)
    assert len(levels) > 1
    for level in levels:
        assert set(starts) <= set(level.start.tolist()), "a bucket begins with every stretch of rows"
        assert (level.start[1:] == level.stop[:-1]).all()
        assert level.stop[-1] == 1000
        for at, (start, stop) in enumerate(zip(level.start, level.stop, strict=True)):
            own = values[start:stop]
            finite = own[np.isfinite(own)]
            assert level.finite[at] == len(finite)
            assert level.words[at].tolist() == [np.isnan(own).sum(), (own == np.inf).sum(), (own == -np.inf).sum()]
            if not len(finite):
                assert np.isnan(level.mean[at])
                continue
            assert (level.low[at], level.high[at]) == (finite.min(), finite.max())
            np.testing.assert_allclose(level.mean[at], finite.mean(), rtol=1e-9, atol=1e-12)
            wanted = [moving_average(own, weight) for weight in WEIGHTS]
            np.testing.assert_allclose(level.averages[at], wanted, rtol=1e-9, atol=1e-12)


def test_means_of_huge_values_do_not_overflow() -> None:
    (*_, level) = make_levels(series([1.7e308] * 400), [0], SIZES)
    assert (level.mean == 1.7e308).all()


def test_blocks_hold_every_point_once() -> None:
    values = np.random.default_rng(4).normal(size=450)
    blocks = {name: decode_columns(block) for name, block in pieces(series(values.tolist()), SIZES)}
    assert sum(header["count"] for name, (header, _) in blocks.items() if name.startswith("1\0")) == 450
    head, _ = blocks[""]
    assert (head["count"], head["levels"], head["ascending"]) == (450, [8, 32], ["step", "wall"])


def test_order_is_that_of_every_line() -> None:
    restarted = series([0.0] * 10, replaced=range(4, 7))
    assert ascending_axes(restarted) == ["step", "wall"]
    backwards = MarkedPoints(
        restarted.steps[::-1].copy(), restarted.walls, restarted.values, restarted.attempt, restarted.is_replaced
    )
    assert ascending_axes(backwards) == ["wall"]
    no_clock = MarkedPoints(
        restarted.steps, np.full(10, np.nan), restarted.values, restarted.attempt, restarted.is_replaced
    )
    assert ascending_axes(no_clock) == ["step"]
