"""Small data for the libraries that learn from tables."""

from __future__ import annotations

import numpy as np


def two_classes(count: int = 80) -> tuple[np.ndarray, np.ndarray]:
    """Points in a cube; the class is which side of a plane they are on, with some noise."""
    rng = np.random.default_rng(0)
    x = rng.random((count, 3))
    return x, (x @ [1.0, 2.0, 0.0] + 0.2 * rng.standard_normal(count) > 1.5).astype(int)
