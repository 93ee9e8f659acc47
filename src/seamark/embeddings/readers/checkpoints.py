"""Finds the checkpoint of a run and the embeddings in it. Files outside of the log directory are never opened."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from seamark.format.budget import bytes_on_disk, reading
from seamark.kinds import DecodeError
from seamark.kinds.projector.checkpoint import (
    STATE_NAME,
    embeddings_in,
    files_to_read,
    newest_checkpoint,
)
from seamark.kinds.projector.config import Embedding, ProjectorConfig, assets_inside
from seamark.kinds.projector.stored_tensor import StoredTensor

LOG = logging.getLogger(__name__)
MAX_CACHED = 64


@dataclass(frozen=True)
class Checkpoint:
    prefix: Path
    tensors: dict[str, StoredTensor]  # by name


class Checkpoints:
    """Caches the tensors of each checkpoint until the files with their names change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # None: it cannot be read, which takes as long to find out as reading another.
        self._cached: OrderedDict[tuple[tuple[Path, int, int], ...], Checkpoint | None] = OrderedDict()

    def find(self, folder: Path, root: Path, given: str) -> Checkpoint | None:
        """The checkpoint that a config gives, else the newest in the run's folder, else in the folder above."""
        for prefix in candidates(folder, root, given):
            try:
                if all(assets_inside(root, str(file)) for file in files_to_read(prefix)):
                    # Only the folder is resolved: the prefix is not a file, and a link of that name was not checked.
                    found = self._read(prefix.parent.resolve() / prefix.name)
                    if found is not None:
                        return found
            except FileNotFoundError:
                continue
            except (OSError, DecodeError) as error:
                LOG.info("left out: a checkpoint that cannot be read: %s: '%s'", error, prefix)
        return None

    def _read(self, prefix: Path) -> Checkpoint | None:
        files = files_to_read(prefix)
        if not all(file.is_file() for file in files):
            raise FileNotFoundError(prefix)
        key = tuple((file, status.st_size, status.st_mtime_ns) for file in files if (status := file.stat()))
        with self._lock:
            if key in self._cached:
                self._cached.move_to_end(key)
                return self._cached[key]
        found: Checkpoint | None = None
        try:
            with reading(max(files, key=bytes_on_disk), DecodeError):
                found = Checkpoint(prefix, {tensor.name: tensor for tensor in embeddings_in(prefix)})
        except DecodeError as error:
            LOG.info("left out: a checkpoint that cannot be read: %s: '%s'", error, prefix)
        with self._lock:
            self._cached[key] = found
            if len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return found


def candidates(folder: Path, root: Path, given: str) -> Iterator[Path]:
    """Where the checkpoint may be. A path from another machine is also tried by its last part."""
    if given:
        yield from paths_in(folder, given)
        return
    for parent in (folder, folder.parent):
        # Resolving links is slow, and most of many runs have no checkpoint.
        file = parent / STATE_NAME
        if file.is_file() and assets_inside(root, str(file)) and (name := newest_checkpoint(parent)):
            yield from paths_in(parent, name)


def paths_in(folder: Path, path: str) -> Iterator[Path]:
    name = path.replace("\\", "/").rpartition("/")[2]
    if "\0" not in path and name:
        yield folder / path
        yield folder / name


def with_embeddings(config: ProjectorConfig, checkpoint: Checkpoint) -> ProjectorConfig:
    """The config with every embedding of the checkpoint, and with its shapes.

    An entry without a name at the beginning of a config describes all that have none of their own.
    """
    given = list(config.embeddings)
    general = given.pop(0) if given and not given[0].tensor_name else Embedding()
    named = {embedding.tensor_name.removesuffix(":0") for embedding in given}
    shown = [with_stored_shape(embedding, checkpoint) for embedding in given]
    shown += [
        replace(general, tensor_name=name, tensor_shape=tensor.shape, sprite=None)
        for name, tensor in checkpoint.tensors.items()
        if name.removesuffix(":0") not in named
    ]
    return replace(config, embeddings=tuple(shown), model_checkpoint_path=str(checkpoint.prefix))


def with_stored_shape(embedding: Embedding, checkpoint: Checkpoint) -> Embedding:
    stored = checkpoint.tensors.get(embedding.tensor_name)
    if stored is None or embedding.tensor_shape or embedding.tensor_path:
        return embedding
    return replace(embedding, tensor_shape=stored.shape)
