"""Entropy of a distribution."""

from __future__ import annotations

import numpy as np

from seamark.tables.column import Numbers


def entropy(shares: Numbers) -> float:
    """In bits."""
    positive = shares[shares > 0]
    return float(-(positive * np.log2(positive)).sum())
