"""Histograms: k buckets of (left edge, right edge, count)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import HistogramPluginData, HistogramProto, Summary
from seamark.kinds.payload import DecodeError, parse
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_array, numbers_of

PLUGIN_NAME = "histograms"
DEFAULT_BUCKETS = 30


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    buckets: NDArray[np.float64]  # [k, 3]
    # How many values were NaN or infinite, which only the legacy form records.
    left_out: float = 0.0

    @property
    def left(self) -> NDArray[np.float64]:
        return self.buckets[:, 0]

    @property
    def right(self) -> NDArray[np.float64]:
        return self.buckets[:, 1]

    @property
    def count(self) -> NDArray[np.float64]:
        return self.buckets[:, 2]


def encode(
    tag: str, data: ArrayLike, *, buckets: int = DEFAULT_BUCKETS, display_name: str = "", description: str = ""
) -> Summary.Value:
    """Encodes the histogram of the finite elements of `data`."""
    return encode_buckets(tag, bucketize(data, buckets), display_name=display_name, description=description)


def encode_buckets(tag: str, buckets: ArrayLike, *, display_name: str = "", description: str = "") -> Summary.Value:
    """Encodes given buckets: [k, 3] of left edge, right edge, count."""
    array = np.asarray(buckets, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 3:
        raise ValueError(f"buckets have the wrong shape: got {list(array.shape)}, want [k, 3]")
    return tensor_value(
        tag,
        from_array(array),
        plugin_name=PLUGIN_NAME,
        content=HistogramPluginData().SerializeToString(),
        display_name=display_name,
        description=description,
    )


def bucketize(data: ArrayLike, buckets: int = DEFAULT_BUCKETS) -> NDArray[np.float64]:
    """[buckets, 3] over the finite elements: equal widths, the last bucket closed on both sides."""
    if buckets < 0:
        raise ValueError(f"buckets must not be negative: got {buckets}")
    values = np.asarray(data).astype(np.float64).ravel()
    values = values[np.isfinite(values)]
    if buckets == 0 or values.size == 0:
        return np.zeros((buckets, 3))
    low, high = float(values.min()), float(values.max())
    if low == high:
        # TensorBoard marks a single value with equal edges and the count in the last bucket.
        counts = np.zeros(buckets)
        counts[-1] = values.size
        return np.column_stack([np.full(buckets, low), np.full(buckets, low), counts])
    # Halving keeps a range wider than the largest double finite.
    scale = 1.0 if np.isfinite(high - low) else 0.5
    width = (high * scale - low * scale) / buckets
    with np.errstate(divide="ignore", invalid="ignore"):  # a subnormal range may have a width of 0
        positions = np.floor((values * scale - low * scale) / width)
    indices = np.minimum(np.nan_to_num(positions, nan=0.0, posinf=buckets), buckets - 1).astype(np.intp)
    edges = np.linspace(low * scale, high * scale, buckets + 1) / scale
    return np.column_stack([edges[:-1], edges[1:], np.bincount(indices, minlength=buckets)])


def decode(data: bytes, *, allow_nan: bool = False) -> Histogram:
    """Raises DecodeError for NaN edges, which TensorFlow writes for data with NaN, unless `allow_nan`."""
    value = parse(Summary.Value, data, "histogram")
    if value.WhichOneof("value") == "histo":
        found = Histogram(_from_legacy(value.histo), _left_out(value.histo))
        return found if allow_nan else _checked(found)
    buckets = numbers_of(value, "histogram")
    if buckets.ndim != 2 or buckets.shape[1] != 3:
        raise DecodeError(f"histogram has the wrong shape: got {list(buckets.shape)}, want [k, 3]")
    return Histogram(buckets) if allow_nan else _checked(Histogram(buckets))


def _from_legacy(histo: HistogramProto) -> NDArray[np.float64]:
    """Drops empty buckets at the ends and replaces the outer edges, which may be ±DBL_MAX, by min and max."""
    counts = np.array(histo.bucket, dtype=np.float64)
    limits = np.array(histo.bucket_limit, dtype=np.float64)
    filled = np.flatnonzero(counts > 0)
    if filled.size == 0:
        return np.zeros((0, 3))
    first, last = int(filled[0]), int(filled[-1])
    if limits.size < last:
        raise DecodeError(f"histogram has too few edges: got {limits.size} for {counts.size} buckets")
    inner = limits[first:last]
    left, right = np.append(histo.min, inner), np.append(inner, histo.max)
    buckets = np.column_stack([left, right, counts[first : last + 1]])
    # Rounded to float32, as TensorBoard does, except for numbers that would overflow.
    with np.errstate(over="ignore"):
        rounded = buckets.astype(np.float32).astype(np.float64)
    return np.where(np.isinf(rounded), buckets, rounded)


def _left_out(histo: HistogramProto) -> float:
    """How many values are in no bucket: the legacy form counts all values as well."""
    missing = histo.num - float(np.sum(histo.bucket))
    # Counts are doubles and may be weighted; ignore rounding errors.
    return missing if missing > 1e-6 * abs(histo.num) else 0.0


def _checked(found: Histogram) -> Histogram:
    buckets, left_out = found.buckets, found.left_out
    is_nan = np.isnan(buckets)
    if is_nan.any():
        unclear = int(is_nan.any(axis=1).sum())
        counted = f": {left_out:,.10g} of its values were NaN or infinite" if left_out else " held NaN"
        raise DecodeError(
            f"histogram has NaN in {unclear} of {len(buckets)} buckets, want numbers; the data behind it{counted}"
        )
    return found
