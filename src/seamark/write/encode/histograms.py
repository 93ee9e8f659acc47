"""Encodes histograms as torch's writers do: counts between fixed edges in a HistogramProto."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark import _core
from seamark.format.messages import HistogramProto, Summary
from seamark.write.encode.arrays import as_array

Bins = str | int | NDArray[np.float64]  # the name of a rule, a number of bins, or edges


def count_or_edges(bins: Any) -> int | NDArray[np.float64]:
    """Raises ValueError for what is neither a number of bins nor edges in order."""
    array = as_array(bins)
    if array.ndim == 0 and array.dtype.kind in "iu" and array > 0:
        return int(array)
    edges = array.astype(np.float64)
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) >= 0).all():
        raise ValueError(f"bins are a name, a number of bins, or edges in order: got {bins!r}")
    return edges


def encode(tag: str, values: NDArray[Any], bins: Bins, max_bins: int | None) -> Summary.Value:
    """Ignores NaN and infinities."""
    flat = np.ascontiguousarray(values).ravel()
    if flat.dtype != np.float32:
        flat = flat.astype(np.float64, copy=False)
    limits = _edges(flat, bins)
    counts, finite, low, high, total, squares = _core.count_between(flat, limits)
    if max_bins is not None and len(counts) > max_bins:
        counts, limits = _merged(counts, limits, max_bins)
    first, last = _support(counts)
    # Limits are right edges, so an empty bucket in front gives the left edge of the first one.
    shown = counts[first - 1 : last] if first > 0 else np.concatenate([[0], counts[:last]])
    return of_counts(tag, low, high, finite, total, squares, limits[first : last + 1], shown)


def of_counts(
    tag: str, low: float, high: float, num: float, total: float, squares: float, limits: Any, counts: Any
) -> Summary.Value:
    rights, buckets = as_array(limits).ravel(), as_array(counts).ravel()
    if len(rights) != len(buckets):
        raise ValueError(f"every bucket needs its limit: got {len(rights)} limits for {len(buckets)} counts")
    histo = HistogramProto(
        min=low,
        max=high,
        num=num,
        sum=total,
        sum_squares=squares,
        bucket_limit=rights.tolist(),
        bucket=buckets.tolist(),
    )
    return Summary.Value(tag=tag, histo=histo)


def _edges(flat: NDArray[Any], bins: Bins) -> NDArray[np.float64]:
    if isinstance(bins, str) and bins == "tensorflow":
        return tensorflow_edges()
    if isinstance(bins, str | int):
        finite = flat[np.isfinite(flat)]
        return np.histogram_bin_edges(finite.astype(np.float64), bins)
    return bins


@cache
def tensorflow_edges() -> NDArray[np.float64]:
    """From 1e-12 upward each edge is 1.1 times the one before, mirrored to the negative side, with 0 between."""
    edge, edges = 1e-12, []
    while edge < 1e20:
        edges.append(edge)
        edge *= 1.1
    return np.array([-edge for edge in reversed(edges)] + [0.0] + edges)


def _merged(counts: NDArray[Any], limits: NDArray[Any], max_bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Adds up neighbours until there are about `max_bins`."""
    group_size = len(counts) // max_bins
    starts = np.arange(0, len(counts), group_size)
    return np.add.reduceat(counts, starts), np.append(limits[starts], limits[-1])


def _support(counts: NDArray[Any]) -> tuple[int, int]:
    """The buckets from the first to the last that is not empty, as a slice."""
    filled = np.flatnonzero(counts)
    return (int(filled[0]), int(filled[-1]) + 1) if filled.size else (0, len(counts))
