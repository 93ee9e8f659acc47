"""Statistics of a torch tensor, computed on its device, with one small transfer per tensor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKETS = 64


@dataclass(frozen=True, slots=True)
class Stats:
    """Mean, std and norm use the finite elements; NaN and infinities are counted separately."""

    count: int
    norm: float
    mean: float
    std: float
    zeros: float  # fraction of all elements; after a ReLU, the dead units
    nan: int
    inf: int


def stats_of(tensor: Any) -> Stats | None:
    """None for a tensor without elements or without numbers."""
    import torch

    flat = _flat(tensor)
    if flat is None:
        return None
    finite = torch.isfinite(flat)
    clean = torch.where(finite, flat, torch.zeros_like(flat))
    good = finite.sum()
    mean = clean.sum() / good
    # From the mean, not from the sum of squares: in float32 the difference of two large sums is noise.
    deviation = torch.where(finite, flat - mean, torch.zeros_like(flat))
    row = [good, mean, (clean * clean).sum(), (deviation * deviation).sum() / good, (flat == 0).sum()]
    row.append(torch.isnan(flat).sum())
    known = torch.stack([value.to(torch.float64) for value in row]).tolist()
    finite_count, average, squares, variance, zeros, nan = known
    count = flat.numel()
    infinite = count - finite_count - nan
    return Stats(count, squares**0.5, average, variance**0.5, zeros / count, int(nan), int(infinite))


def buckets_of(tensor: Any) -> NDArray[Any] | None:
    """[k, 3] of left edge, right edge and count of the finite elements; None if there are none."""
    import numpy as np
    import torch

    flat = _flat(tensor)
    if flat is None:
        return None
    flat = flat[torch.isfinite(flat)]
    if not flat.numel():
        return None
    low, high = (float(edge) for edge in torch.stack(list(torch.aminmax(flat))).tolist())
    if low == high or not np.isfinite(high - low):
        # TensorBoard's form for a single value: equal edges, and the count in the last bucket.
        counts = np.zeros(BUCKETS)
        counts[-1] = flat.numel()
        return np.column_stack([np.full(BUCKETS, low), np.full(BUCKETS, high), counts])
    counts = torch.histc(flat, bins=BUCKETS, min=low, max=high).cpu().numpy().astype(np.float64)
    edges = np.linspace(low, high, BUCKETS + 1)
    return np.column_stack([edges[:-1], edges[1:], counts])


def _flat(tensor: Any) -> Any:
    import torch

    plain = tensor.detach()
    if plain.is_sparse:
        plain = plain.coalesce().values()
    if plain.is_complex():
        plain = plain.abs()
    if not plain.numel() or plain.is_quantized or plain.is_meta:
        return None
    # Half precision overflows in sums of squares, and histc does not support it.
    return plain.reshape(-1).to(torch.float64 if plain.dtype == torch.float64 else torch.float32)
