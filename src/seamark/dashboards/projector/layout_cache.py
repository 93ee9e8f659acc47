"""LayoutCache: the positions of finished layouts, as files in a folder of the index."""

from __future__ import annotations

import io
import logging
from pathlib import Path

import numpy as np

from seamark.embeddings.form import FloatMatrix
from seamark.format.file_cache import FileCache

LOG = logging.getLogger(__name__)
MAX_BYTES = 256 << 20


class LayoutCache:
    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        self._files = FileCache(folder, suffix=".npy", max_bytes=max_bytes)

    def load(self, key: str) -> FloatMatrix | None:
        data = self._files.load(key)
        if data is None:
            return None
        try:
            positions: FloatMatrix = np.load(io.BytesIO(data), allow_pickle=False)
        except (ValueError, EOFError) as error:
            LOG.warning("cannot read cached positions: %s", error)
            return None
        return positions if positions.ndim == 2 and positions.dtype == np.float32 else None

    def store(self, key: str, positions: FloatMatrix) -> None:
        file = io.BytesIO()
        np.save(file, positions, allow_pickle=False)
        self._files.store(key, file.getvalue())
