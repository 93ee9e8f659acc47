"""LayoutCache: the positions of finished layouts, as files in a folder of the index."""

from __future__ import annotations

import logging
from pathlib import Path

import numpy as np

from seamark.embeddings.form import FloatMatrix
from seamark.format.cache_folder import mark_used, remove_least_used, replacing

LOG = logging.getLogger(__name__)
MAX_BYTES = 256 << 20
SUFFIX = ".npy"


class LayoutCache:
    """For any thread. Without a folder, or if the disk fails, it is empty. Keys are names of files."""

    def __init__(self, folder: Path | None, *, max_bytes: int = MAX_BYTES) -> None:
        self._folder, self._max_bytes = folder, max_bytes

    def load(self, key: str) -> FloatMatrix | None:
        if self._folder is None:
            return None
        path = self._folder / (key + SUFFIX)
        try:
            positions: FloatMatrix = np.load(path, allow_pickle=False)
            mark_used(path)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, EOFError) as error:
            LOG.warning("cannot read a cached layout (%s): '%s'", error, path)
            return None
        return positions if positions.ndim == 2 and positions.dtype == np.float32 else None

    def store(self, key: str, positions: FloatMatrix) -> None:
        if self._folder is None:
            return
        path = self._folder / (key + SUFFIX)
        try:
            with replacing(path) as file:
                np.save(file, positions, allow_pickle=False)
            remove_least_used(path.parent, (SUFFIX,), self._max_bytes)
        except OSError as error:
            LOG.warning("cannot cache a layout (%s): '%s'", error, path)
