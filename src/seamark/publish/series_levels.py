"""A long series in pieces: blocks of points, and levels that describe buckets of points at growing sizes.

The page reads the head of a series, which has the coarsest level, and then only the buckets or points of the part that
it draws (web/src/data/site/series/levels.ts). Buckets begin anew at every stretch of rows that are alike, so that an
attempt of a restarted run is a sequence of whole buckets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.plugin.columns import encode_columns
from seamark.publish.series_points import byte_planes, differences, encode_points, equal_strides, is_narrow, spans_of
from seamark.store import MarkedPoints

# A shorter series is one blob.
MAX_WHOLE_ROWS = 32_768
FACTOR = 4
# Smoothed values at other weights are interpolated between these, the last value (weight 0) and the mean (weight 1).
WEIGHTS = (0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.99, 0.999)
SAFE_SCALE = 2.0**-80

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PieceSizes:
    block_rows: int = 16_384
    finest_rows: int = 64
    # Of the coarsest level, which is in the head, and of a blob of any other level.
    max_buckets: int = 8_192


DEFAULT_SIZES = PieceSizes()


@dataclass(frozen=True, slots=True)
class Level:
    """Buckets in order of their rows. Numbers are over finite values; NaN if a bucket has none."""

    start: Rows  # the first row of each bucket
    stop: Rows
    low: Floats
    high: Floats
    mean: Floats
    finite: Rows
    words: NDArray[np.int64]  # columns: NaN, +∞, -∞
    averages: Floats  # one column per weight: the debiased moving average of the bucket alone, at its end


def pieces(points: MarkedPoints, sizes: PieceSizes = DEFAULT_SIZES) -> Iterator[tuple[str, bytes]]:
    """The name of each blob of a long series, "" for the head, and its content."""
    spans = spans_of(points)
    levels = make_levels(points, [span[0] for span in spans], sizes)
    bucket_rows = [sizes.finest_rows * FACTOR**at for at in range(len(levels))]
    block, length = sizes.block_rows, sizes.max_buckets
    head: dict[str, object] = {
        "count": len(points.steps),
        "spans": spans,
        "blockRows": block,
        "blockBuckets": length,
        "levels": bucket_rows,
        "weights": WEIGHTS,
        "ascending": ascending_axes(points),
        "steps": equal_strides(points.steps),
    }
    yield "", encode_level(levels[-1], points, head)
    for size, level in zip(bucket_rows[:-1], levels[:-1], strict=True):
        for at in range(0, len(level.start), length):
            part = level_part(level, slice(at, at + length))
            yield f"{size}\0{at // length}", encode_level(part, points, {"steps": head["steps"]})
    for at in range(0, len(points.steps), block):
        yield f"1\0{at // block}", encode_points(points_part(points, slice(at, at + block)))


def points_part(points: MarkedPoints, rows: slice) -> MarkedPoints:
    return MarkedPoints(
        points.steps[rows], points.walls[rows], points.values[rows], points.attempt[rows], points.is_replaced[rows]
    )


def level_part(level: Level, buckets: slice) -> Level:
    return replace(level, **{name: getattr(level, name)[buckets] for name in Level.__slots__})


def ascending_axes(points: MarkedPoints) -> list[str]:
    """The axes along which every line that the page may draw of this series is in order of arrival."""
    current = np.flatnonzero(~points.is_replaced)
    lines = [current, *(np.flatnonzero(points.attempt == attempt) for attempt in np.unique(points.attempt))]
    found = []
    for axis, key in (("step", points.steps), ("wall", points.walls)):
        if np.isfinite(key).all() and all((np.diff(key[rows]) >= 0).all() for rows in lines):
            found.append(axis)
    return found


def make_levels(points: MarkedPoints, span_starts: list[int], sizes: PieceSizes = DEFAULT_SIZES) -> list[Level]:
    """From the finest to the first that fits into a head."""
    bounds = np.array([*span_starts, len(points.steps)])
    levels = [finest_level(points.values, bounds, sizes.finest_rows)]
    while len(levels[-1].start) > sizes.max_buckets:
        coarser = merged(levels[-1], bounds, sizes.finest_rows * FACTOR ** len(levels))
        if len(coarser.start) == len(levels[-1].start):  # every stretch of rows is one bucket
            break
        levels.append(coarser)
    return levels


def bucket_bounds(bounds: Rows, size: int) -> tuple[Rows, Rows]:
    starts = [np.arange(start, stop, size) for start, stop in pairwise(bounds)]
    start = np.concatenate(starts)
    return start, np.append(start[1:], bounds[-1])


def finest_level(values: Floats, bounds: Rows, size: int) -> Level:
    start, stop = bucket_bounds(bounds, size)
    is_finite = np.isfinite(values)
    words = np.stack(
        [np.add.reduceat(is_word, start, dtype=np.int64) for is_word in
         (np.isnan(values), values == np.inf, values == -np.inf)], axis=1
    )  # fmt: skip
    finite = stop - start - words.sum(axis=1)
    known = np.where(is_finite, values, np.nan)
    low, high = np.fmin.reduceat(known, start), np.fmax.reduceat(known, start)
    summed = np.where(is_finite, values, 0.0)
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        mean = np.add.reduceat(summed, start) / finite
        scaled = np.add.reduceat(summed * SAFE_SCALE, start) / finite / SAFE_SCALE
    mean = np.clip(np.where(np.isfinite(mean), mean, scaled), low, high)
    return Level(start, stop, low, high, mean, finite, words, moving_averages(summed, is_finite, start, finite, mean))


def moving_averages(values: Floats, is_finite: NDArray[np.bool_], start: Rows, finite: Rows, mean: Floats) -> Floats:
    """Of each bucket alone. `values` has zeros in place of non-finite ones."""
    # How many finite values of its bucket come after a value.
    through = np.cumsum(is_finite)
    bucket = np.repeat(np.arange(len(start)), np.diff(np.append(start, len(values))))
    before = np.append(0, through[start[1:] - 1])
    after = np.where(is_finite, (before + finite)[bucket] - through, 0)
    columns = []
    for weight in WEIGHTS:
        powers = weight ** np.arange(finite.max() + 1)
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            sums = np.add.reduceat(values * powers[after], start)
            average = sums * (1 - weight) / (1 - powers[finite])
        columns.append(np.where(np.isfinite(average), average, mean))
    return np.stack(columns, axis=1)


def merged(finer: Level, bounds: Rows, size: int) -> Level:
    """Each bucket of the result is up to FACTOR buckets of the finer level."""
    start, stop = bucket_bounds(bounds, size)
    first = np.searchsorted(finer.start, start)
    finite = np.add.reduceat(finer.finite, first)
    weight_of = finer.finite / np.repeat(np.maximum(finite, 1), np.diff(np.append(first, len(finer.start))))
    with np.errstate(invalid="ignore"):
        mean = np.add.reduceat(np.where(finer.finite > 0, finer.mean, 0.0) * weight_of, first)
    low, high = np.fmin.reduceat(finer.low, first), np.fmax.reduceat(finer.high, first)
    mean = np.clip(np.where(finite > 0, mean, np.nan), low, high)
    words = np.add.reduceat(finer.words, first, axis=0)
    return Level(start, stop, low, high, mean, finite, words, merged_averages(finer, first, finite, mean))


def merged_averages(finer: Level, first: Rows, finite: Rows, mean: Floats) -> Floats:
    last = np.append(first[1:], len(finer.start))
    weights = np.array(WEIGHTS)
    sums = np.zeros((len(first), len(WEIGHTS)))
    for offset in range(FACTOR):
        child = np.minimum(first + offset, len(finer.start) - 1)
        points = np.where(first + offset < last, finer.finite[child], 0)[:, None]
        decay = weights**points
        sums = sums * decay + (1 - decay) * np.where(points > 0, finer.averages[child], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        averages = sums / (1 - weights ** finite[:, None])
    return np.where(np.isfinite(averages), averages, mean[:, None])


def encode_level(level: Level, points: MarkedPoints, header: dict[str, object]) -> bytes:
    last = level.stop - 1
    values = {
        "first": points.values[level.start],
        "last": points.values[last],
        "min": level.low,
        "max": level.high,
        "mean": level.mean,
        **{f"average{at}": column for at, column in enumerate(level.averages.T)},
    }
    # Means and averages are for pictures; the others are points of the series.
    narrow = all(is_narrow(values[name]) for name in ("first", "last", "min", "max"))
    columns: dict[str, NDArray[Any]] = {
        "wall": byte_planes(differences(points.walls[level.start].view(np.int64))),
        "wallLast": byte_planes(differences(points.walls[last].view(np.int64))),
        **{name: byte_planes(column.astype(np.float32) if narrow else column) for name, column in values.items()},
    }
    if header["steps"] is None:
        columns["step"] = byte_planes(differences(points.steps[level.start]))
        columns["stepLast"] = byte_planes(differences(points.steps[last]))
    if level.words.any():
        for at, name in enumerate(("nan", "posinf", "neginf")):
            columns[name] = level.words[:, at].astype(np.uint32)
    return encode_columns({**header, "buckets": len(level.start), "narrow": narrow}, columns)
