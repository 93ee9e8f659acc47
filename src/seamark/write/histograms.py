"""Histograms in the form torch's writers give them: counts between fixed edges, in a HistogramProto."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import HistogramProto, Summary


def encode(tag: str, values: NDArray[Any], bins: Any, max_bins: int | None) -> Summary.Value:
    flat = values.astype(np.float64).ravel()
    edges = tensorflow_edges() if isinstance(bins, str) and bins == "tensorflow" else bins
    counts, limits = np.histogram(flat, bins=edges)
    if max_bins is not None and len(counts) > max_bins:
        counts, limits = _merged(counts, limits, max_bins)
    first, last = _support(counts)
    # Limits are right edges: an empty bucket before the first one tells where that begins.
    shown = counts[first - 1 : last] if first > 0 else np.concatenate([[0], counts[:last]])
    histo = HistogramProto(
        min=flat.min(),
        max=flat.max(),
        num=len(flat),
        sum=flat.sum(),
        sum_squares=flat.dot(flat),
        bucket_limit=limits[first : last + 1].tolist(),
        bucket=shown.tolist(),
    )
    return Summary.Value(tag=tag, histo=histo)


@cache
def tensorflow_edges() -> NDArray[np.float64]:
    """From 1e-12 upward each edge is 1.1 times the one before, mirrored to the negative side, with 0 between."""
    edge, edges = 1e-12, []
    while edge < 1e20:
        edges.append(edge)
        edge *= 1.1
    return np.array([-edge for edge in reversed(edges)] + [0.0] + edges)


def _merged(counts: NDArray[Any], limits: NDArray[Any], max_bins: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Neighbours are added up until there are about `max_bins`."""
    together = len(counts) // max_bins
    starts = np.arange(0, len(counts), together)
    return np.add.reduceat(counts, starts), np.append(limits[starts], limits[-1])


def _support(counts: NDArray[Any]) -> tuple[int, int]:
    """The buckets from the first to the last that is not empty, as a slice."""
    filled = np.flatnonzero(counts)
    return (int(filled[0]), int(filled[-1]) + 1) if filled.size else (0, len(counts))
