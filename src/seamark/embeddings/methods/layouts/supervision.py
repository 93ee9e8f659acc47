"""Supervision: labels weaken the ties between neighbours that do not have the same one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import MISSING
from seamark.embeddings.methods.layouts.layout import LabelCodes

# So strong is a supervision of 0.5: ties across labels have e^-5 of their weight, as in umap-learn.
FAR, UNKNOWN = 5.0, 1.0


def label_factors(neighbours: NDArray[np.int32], labels: LabelCodes, supervise: float) -> NDArray[np.float32]:
    """What each weight of a neighbour table is multiplied with.

    With s = supervise / (1 - supervise): 1 for the same label, exp(-s) if one of both has none, exp(-5 s) for another
    label; relative to the largest of the row, so that a row without a neighbour of its label keeps its neighbours.
    Nothing changes at 0; at 1 only neighbours with the same label are left.
    """
    strength = supervise / max(1e-3, 1 - supervise)
    own, other = labels[:, None], labels[neighbours]
    logarithms = np.where(own == other, 0, -FAR * strength)
    logarithms = np.where((own == MISSING) | (other == MISSING), -UNKNOWN * strength, logarithms)
    factors: NDArray[np.float32] = np.exp(logarithms - logarithms.max(axis=1, keepdims=True)).astype(np.float32)
    return factors
