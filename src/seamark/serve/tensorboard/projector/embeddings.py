"""Reads the projector configs of runs, and the tensors that they name, for TensorBoard's routes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.readers.checkpoints import Checkpoints
from seamark.embeddings.readers.run_config import ConfigFolder, RunConfig, find_configs
from seamark.kinds.projector.config import Embedding
from seamark.plugin import RequestError
from seamark.plugin.run_folder import config_folders
from seamark.serve.tensorboard.projector.files import checkpoint_tensor, read_tensor, reading, text_shape
from seamark.store import LogRoot, RunStore

# Identifies a tensor in the cache: file, size, modification time, tensor name, number of rows.
TensorKey = tuple[Path, int, int, str, int | None]


class Projector:
    """Reads configs and tensors. Caches the last tensor, since the page requests each one several times."""

    def __init__(self, store: RunStore, roots: Sequence[LogRoot]) -> None:
        self._store = store
        self._roots = tuple(roots)
        self._lock = threading.Lock()
        self._checkpoints = Checkpoints()
        self._last_tensor: tuple[TensorKey, NDArray[np.float32]] | None = None

    def configs(self) -> dict[str, RunConfig]:
        """By run; configs without a tensor are left out."""
        folders = config_folders(self._store.runs(), self._roots)
        return dict(find_configs((ConfigFolder(*folder) for folder in folders), self._checkpoints))

    def config(self, run: str) -> RunConfig:
        found = self.configs().get(run)
        if found is None:
            raise RequestError(f"there is no projector config for the run '{run}'")
        return found

    def with_shape(self, found: RunConfig, embedding: Embedding) -> Embedding:
        """The embedding with the shape of its file, if the config leaves it out."""
        if embedding.tensor_shape or not embedding.tensor_path:
            return embedding
        try:
            with reading(embedding.tensor_path):
                shape = text_shape(found.asset(embedding.tensor_path))
        except RequestError:
            shape = None
        return embedding if shape is None else replace(embedding, tensor_shape=shape)

    def tensor(self, found: RunConfig, embedding: Embedding, *, max_rows: int | None = None) -> NDArray[np.float32]:
        with reading(embedding.tensor_path or embedding.tensor_name):
            stored = None
            if embedding.tensor_path:
                file = found.asset(embedding.tensor_path)
            else:
                stored = found.stored(embedding)
                file = stored.parts[0].file
            status = file.stat()
            key = (file, status.st_size, status.st_mtime_ns, embedding.tensor_name, max_rows)
            with self._lock:
                if self._last_tensor is not None and self._last_tensor[0] == key:
                    return self._last_tensor[1]
                self._last_tensor = None  # frees its memory before the next one is read
            if stored is None:
                tensor = read_tensor(file, embedding.tensor_shape, max_rows=max_rows)
            else:
                tensor = checkpoint_tensor(stored, max_rows=max_rows)
        with self._lock:
            self._last_tensor = key, tensor
        return tensor
