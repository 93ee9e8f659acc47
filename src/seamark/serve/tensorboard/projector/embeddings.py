"""Finds the projector configs of runs, and reads the tensors that they name."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.kinds import DecodeError
from seamark.kinds.projector.checkpoint import StoredTensor
from seamark.kinds.projector.config import (
    FILE_NAME,
    PLUGIN_FOLDER,
    Embedding,
    ProjectorConfig,
    assets_inside,
    decode,
)
from seamark.plugin import RequestError
from seamark.serve.tensorboard.projector.checkpoints import Checkpoint, Checkpoints, with_embeddings
from seamark.serve.tensorboard.projector.files import checkpoint_tensor, errors_as_not_found, read_tensor, text_shape
from seamark.store import LogRoot, Store

LOG = logging.getLogger(__name__)
MAX_CONFIG_BYTES = 1 << 20

# Identifies a tensor in the cache: file, size, modification time, tensor name, number of rows.
TensorKey = tuple[Path, int, int, str, int | None]


@dataclass(frozen=True)
class RunConfig:
    """The config of a run, and the folder that its paths are relative to."""

    folder: Path
    config: ProjectorConfig
    checkpoint: Checkpoint | None = None
    root: Path = Path()  # the log directory of the checkpoint

    def embedding(self, name: str) -> Embedding | None:
        """Tensor names may end in the number of an output, by default 0."""
        return next((e for e in self.config.embeddings if with_output(e.tensor_name) == with_output(name)), None)

    def asset(self, path: str) -> Path:
        """The file that an embedding names. Files outside of the config's folder are never opened."""
        if not assets_inside(self.folder, path):
            raise RequestError(f"this path is outside of the folder of the projector's config: '{path}'")
        # Resolved before the check, so that a link cannot change between check and use.
        file = (self.folder / path).resolve()
        if not is_file(file):
            raise RequestError(f"there is no such file beside the projector's config: '{path}'")
        return file

    def stored(self, embedding: Embedding) -> tuple[StoredTensor, Path]:
        """The tensor's entry in the checkpoint, and the file with its numbers."""
        tensor = self.checkpoint.tensors.get(embedding.tensor_name) if self.checkpoint is not None else None
        if tensor is None:
            raise RequestError(f"the tensor '{embedding.tensor_name}' is in no file and in no checkpoint")
        file = tensor.file.resolve()
        if not assets_inside(self.root, str(file)) or not is_file(file):
            raise RequestError(f"the checkpoint has no such file in the log directory: '{tensor.file.name}'")
        return tensor, file


class Projector:
    """Reads configs and tensors. Caches the last tensor, since the page requests each one several times."""

    def __init__(self, store: Store, roots: Sequence[LogRoot]) -> None:
        self._store = store
        self._roots = tuple(roots)
        self._lock = threading.Lock()
        self._checkpoints = Checkpoints()
        self._last_tensor: tuple[TensorKey, NDArray[np.float32]] | None = None

    def configs(self) -> dict[str, RunConfig]:
        """By run; configs without a tensor are left out."""
        found: dict[str, RunConfig] = {}
        for run, folder, root in self._folders():
            # As in TensorBoard, the second of the two folders wins.
            for config_folder in (folder, folder / PLUGIN_FOLDER):
                config = read_config(config_folder)
                if config is None and config_folder != folder:
                    continue
                run_config = self._run_config(config_folder, folder, root, normalised(config or ProjectorConfig()))
                if has_tensor(run_config.config):
                    found[run] = run_config
        return found

    def _run_config(self, config_folder: Path, folder: Path, root: Path, config: ProjectorConfig) -> RunConfig:
        checkpoint = self._checkpoints.find(folder, root, config.model_checkpoint_path)
        if checkpoint is not None:
            config = with_embeddings(config, checkpoint)
        return RunConfig(config_folder, config, checkpoint, root)

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
            file = found.asset(embedding.tensor_path)
            with errors_as_not_found(file):
                shape = text_shape(file)
        except RequestError:
            shape = None
        return embedding if shape is None else replace(embedding, tensor_shape=shape)

    def tensor(self, found: RunConfig, embedding: Embedding, *, max_rows: int | None = None) -> NDArray[np.float32]:
        stored = None
        if embedding.tensor_path:
            file = found.asset(embedding.tensor_path)
        else:
            stored, file = found.stored(embedding)
        with errors_as_not_found(file):
            status = file.stat()
            key = (file, status.st_size, status.st_mtime_ns, embedding.tensor_name, max_rows)
            with self._lock:
                if self._last_tensor is not None and self._last_tensor[0] == key:
                    return self._last_tensor[1]
                self._last_tensor = None  # frees its memory before the next one is read
            if stored is None:
                tensor = read_tensor(file, embedding.tensor_shape, max_rows=max_rows)
            else:
                tensor = checkpoint_tensor(stored, file, max_rows=max_rows)
        with self._lock:
            self._last_tensor = key, tensor
        return tensor

    def _folders(self) -> Iterator[tuple[str, Path, Path]]:
        """The folders of runs and of the log directories, which may have a config, too; each with its log directory."""
        runs = {str(run.name): run.path for run in self._store.runs()}
        for name, folder in runs.items():
            above = (root.path for root in self._roots if folder.is_relative_to(root.path))
            yield name, folder, next(above, folder)
        for root in self._roots:
            name = root.run_name("")
            if name not in runs:
                yield name, root.path, root.path


def is_file(path: Path) -> bool:
    """False for a pipe, which would block its reader, and for a name that the system rejects."""
    try:
        return path.is_file()
    except OSError:
        return False


def read_config(folder: Path) -> ProjectorConfig | None:
    file = folder / FILE_NAME
    try:
        if not is_file(file) or file.stat().st_size > MAX_CONFIG_BYTES:
            return None
        return decode(file.read_bytes())
    except (OSError, DecodeError) as error:
        LOG.info("left out: a projector config that cannot be read: %s: '%s'", error, file)
        return None


def has_tensor(config: ProjectorConfig) -> bool:
    names_tensor = bool(config.model_checkpoint_path) or any(e.tensor_path for e in config.embeddings)
    return names_tensor and bool(config.embeddings)


def normalised(config: ProjectorConfig) -> ProjectorConfig:
    return replace(config, embeddings=tuple(with_name(embedding) for embedding in config.embeddings))


def with_name(embedding: Embedding) -> Embedding:
    """A tensor without a name gets that of its file."""
    name = embedding.tensor_name or embedding.tensor_path.rpartition("/")[2]
    return replace(embedding, tensor_name=name.removesuffix(":0"))


def with_output(tensor_name: str) -> str:
    return tensor_name if ":" in tensor_name else f"{tensor_name}:0"
