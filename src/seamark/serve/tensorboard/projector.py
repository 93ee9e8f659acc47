"""The projector: embeddings that runs keep in files, named by a config beside them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.kinds import DecodeError
from seamark.kinds.checkpoint import StoredTensor
from seamark.kinds.projector import (
    FILE_NAME,
    PLUGIN_FOLDER,
    Embedding,
    ProjectorConfig,
    assets_inside,
    decode,
)
from seamark.serve.tensorboard.projector_checkpoints import Checkpoint, Checkpoints, with_embeddings
from seamark.serve.tensorboard.projector_files import checkpoint_tensor, read_tensor, text_shape
from seamark.serve.tensorboard.question import RefusalError
from seamark.store import LogRoot, Store

MAX_CONFIG_BYTES = 1 << 20

# A file, what tells that it is unchanged (size, time), which of its tensors, and how many rows were asked for.
TensorMark = tuple[Path, int, int, str, int | None]


@dataclass(frozen=True)
class PlacedConfig:
    """A config and the folder its paths are relative to."""

    folder: Path
    config: ProjectorConfig
    checkpoint: Checkpoint | None = None
    root: Path = Path()  # the log directory, which holds the checkpoint

    def embedding(self, name: str) -> Embedding | None:
        """Tensor names may end in the number of an output, which is 0 when left out."""
        return next((e for e in self.config.embeddings if with_output(e.tensor_name) == with_output(name)), None)

    def asset(self, path: str) -> Path:
        """The file an embedding names. Nothing outside the config's folder is ever opened."""
        if not assets_inside(self.folder, path):
            raise RefusalError(f"this path leads out of the folder of the projector's config: '{path}'")
        # Links are followed before the check and not after it.
        file = (self.folder / path).resolve()
        if not is_file(file):
            raise RefusalError(f"there is no such file beside the projector's config: '{path}'")
        return file

    def stored(self, embedding: Embedding) -> tuple[StoredTensor, Path]:
        """Where a tensor lies in the checkpoint."""
        tensor = self.checkpoint.tensors.get(embedding.tensor_name) if self.checkpoint is not None else None
        if tensor is None:
            raise RefusalError(f"the tensor '{embedding.tensor_name}' is in no file and in no checkpoint")
        file = tensor.file.resolve()
        if not assets_inside(self.root, str(file)) or not is_file(file):
            raise RefusalError(f"the checkpoint has no such file in the log directory: '{tensor.file.name}'")
        return tensor, file


class Projector:
    """Reads configs and the tensors they name; the last tensor is remembered, since each is asked for several times."""

    def __init__(self, store: Store, roots: Sequence[LogRoot]) -> None:
        self._store = store
        self._roots = tuple(roots)
        self._lock = threading.Lock()
        self._checkpoints = Checkpoints()
        self._last_tensor: tuple[TensorMark, NDArray[np.float32]] | None = None

    def configs(self) -> dict[str, PlacedConfig]:
        """Run → its config, if that names a tensor to show."""
        found: dict[str, PlacedConfig] = {}
        for run, folder, root in self._folders():
            # The later of the two places wins, as it does for TensorBoard.
            for place in (folder, folder / PLUGIN_FOLDER):
                config = read_config(place)
                if config is None and place != folder:
                    continue
                placed = self._placed(place, folder, root, normalised(config or ProjectorConfig()))
                if is_shown(placed.config):
                    found[run] = placed
        return found

    def _placed(self, place: Path, folder: Path, root: Path, config: ProjectorConfig) -> PlacedConfig:
        checkpoint = self._checkpoints.find(folder, root, config.model_checkpoint_path)
        if checkpoint is not None:
            config = with_embeddings(config, checkpoint)
        return PlacedConfig(place, config, checkpoint, root)

    def config(self, run: str) -> PlacedConfig:
        found = self.configs().get(run)
        if found is None:
            raise RefusalError(f"there is no projector config for the run '{run}'")
        return found

    def with_shape(self, placed: PlacedConfig, embedding: Embedding) -> Embedding:
        """Configs may leave out the shape; the file knows."""
        if embedding.tensor_shape or not embedding.tensor_path:
            return embedding
        try:
            shape = text_shape(placed.asset(embedding.tensor_path))
        except RefusalError:
            shape = None
        return embedding if shape is None else replace(embedding, tensor_shape=shape)

    def tensor(self, placed: PlacedConfig, embedding: Embedding, *, max_rows: int | None = None) -> NDArray[np.float32]:
        stored = None
        if embedding.tensor_path:
            file = placed.asset(embedding.tensor_path)
        else:
            stored, file = placed.stored(embedding)
        status = file.stat()
        mark = (file, status.st_size, status.st_mtime_ns, embedding.tensor_name, max_rows)
        with self._lock:
            if self._last_tensor is not None and self._last_tensor[0] == mark:
                return self._last_tensor[1]
            self._last_tensor = None  # two large ones need not be held at a time
        if stored is None:
            tensor = read_tensor(file, embedding.tensor_shape, max_rows=max_rows)
        else:
            tensor = checkpoint_tensor(stored, file, max_rows=max_rows)
        with self._lock:
            self._last_tensor = mark, tensor
        return tensor

    def _folders(self) -> Iterator[tuple[str, Path, Path]]:
        """Runs, and the log directories themselves: a config may lie where no run does. Each with its log directory."""
        runs = {str(run.name): run.path for run in self._store.runs()}
        for name, folder in runs.items():
            above = (root.path for root in self._roots if folder.is_relative_to(root.path))
            yield name, folder, next(above, folder)
        for root in self._roots:
            name = root.run_name("")
            if name not in runs:
                yield name, root.path, root.path


def is_file(path: Path) -> bool:
    """Not a pipe, which would keep its reader waiting, and not a name that the system refuses."""
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
    except (OSError, DecodeError):
        return None


def is_shown(config: ProjectorConfig) -> bool:
    has_tensor = bool(config.model_checkpoint_path) or any(e.tensor_path for e in config.embeddings)
    return has_tensor and bool(config.embeddings)


def normalised(config: ProjectorConfig) -> ProjectorConfig:
    return replace(config, embeddings=tuple(named(embedding) for embedding in config.embeddings))


def named(embedding: Embedding) -> Embedding:
    """A tensor without a name is called by its file."""
    name = embedding.tensor_name or embedding.tensor_path.rpartition("/")[2]
    return replace(embedding, tensor_name=name.removesuffix(":0"))


def with_output(tensor_name: str) -> str:
    return tensor_name if ":" in tensor_name else f"{tensor_name}:0"
