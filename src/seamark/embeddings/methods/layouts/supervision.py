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

    With s = supervise / (1 - supervise): exp(-5 s) for neighbours with another label, exp(-s) if one of both has none,
    1 for the same label. Nothing changes at 0; at 1 only neighbours with the same label are left.
    """
    strength = supervise / max(1e-6, 1 - supervise)
    own, other = labels[:, None], labels[neighbours]
    factors = np.where(own == other, 1.0, np.exp(-FAR * strength))
    return np.where((own == MISSING) | (other == MISSING), np.exp(-UNKNOWN * strength), factors).astype(np.float32)
