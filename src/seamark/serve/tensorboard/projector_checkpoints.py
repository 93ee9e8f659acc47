"""The checkpoint that belongs to a run, and the embeddings in it. No file outside the run's log directory is opened."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from seamark.kinds import DecodeError
from seamark.kinds.checkpoint import (
    INDEX_SUFFIX,
    STATE_NAME,
    StoredTensor,
    embeddings_in,
    newest_checkpoint,
)
from seamark.kinds.projector import Embedding, ProjectorConfig, assets_inside

MAX_CACHED = 64


@dataclass(frozen=True)
class Checkpoint:
    prefix: Path
    tensors: dict[str, StoredTensor]  # by name


class Checkpoints:
    """Caches what is in a checkpoint as long as its index file is unchanged."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cached: OrderedDict[tuple[Path, int, int], Checkpoint] = OrderedDict()

    def find(self, folder: Path, root: Path, given: str) -> Checkpoint | None:
        """The checkpoint that a config gives, else the newest in the run's folder, else in the folder above."""
        for prefix in candidates(folder, root, given):
            if assets_inside(root, f"{prefix}{INDEX_SUFFIX}"):
                try:
                    # Not resolved itself: the prefix is no file, and a link of that name was not looked at.
                    return self._read(prefix.parent.resolve() / prefix.name)
                except (OSError, DecodeError):
                    continue
        return None

    def _read(self, prefix: Path) -> Checkpoint:
        index = Path(f"{prefix}{INDEX_SUFFIX}")
        if not index.is_file():
            raise FileNotFoundError(index)
        status = index.stat()
        mark = (index, status.st_size, status.st_mtime_ns)
        with self._lock:
            if mark in self._cached:
                self._cached.move_to_end(mark)
                return self._cached[mark]
        found = Checkpoint(prefix, {tensor.name: tensor for tensor in embeddings_in(prefix)})
        with self._lock:
            self._cached[mark] = found
            if len(self._cached) > MAX_CACHED:
                self._cached.popitem(last=False)
        return found


def candidates(folder: Path, root: Path, given: str) -> Iterator[Path]:
    """Where the checkpoint may lie. Of a path from another machine the last part counts."""
    if given:
        yield from placed(folder, given)
        return
    for place in (folder, folder.parent):
        if assets_inside(root, str(place / STATE_NAME)) and (name := newest_checkpoint(place)):
            yield from placed(place, name)


def placed(folder: Path, path: str) -> Iterator[Path]:
    name = path.replace("\\", "/").rpartition("/")[2]
    if "\0" not in path and name:
        yield folder / path
        yield folder / name


def with_embeddings(config: ProjectorConfig, checkpoint: Checkpoint) -> ProjectorConfig:
    """The config with every embedding of the checkpoint, and with the shapes that the checkpoint knows.

    An entry without a name at the beginning of a config describes all that have none of their own.
    """
    given = list(config.embeddings)
    general = given.pop(0) if given and not given[0].tensor_name else Embedding()
    named = {embedding.tensor_name.removesuffix(":0") for embedding in given}
    shown = [described(embedding, checkpoint) for embedding in given]
    shown += [
        replace(general, tensor_name=name, tensor_shape=tensor.shape, sprite=None)
        for name, tensor in checkpoint.tensors.items()
        if name.removesuffix(":0") not in named
    ]
    return replace(config, embeddings=tuple(shown), model_checkpoint_path=str(checkpoint.prefix))


def described(embedding: Embedding, checkpoint: Checkpoint) -> Embedding:
    stored = checkpoint.tensors.get(embedding.tensor_name)
    if stored is None or embedding.tensor_shape or embedding.tensor_path:
        return embedding
    return replace(embedding, tensor_shape=stored.shape)
