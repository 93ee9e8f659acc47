"""RunConfig: the projector config of a run with the embeddings of its checkpoint, and the files that they name."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.checkpoints import Checkpoint, Checkpoints, with_embeddings
from seamark.kinds import DecodeError
from seamark.kinds.projector.config import (
    FILE_NAME,
    PLUGIN_FOLDER,
    Embedding,
    ProjectorConfig,
    assets_inside,
    decode,
)
from seamark.kinds.projector.stored_tensor import StoredTensor

LOG = logging.getLogger(__name__)
# Each step of an embedding adds 200 bytes.
MAX_CONFIG_BYTES = 1 << 20
OnProblem = Callable[[str, str, str], None]  # takes the run, the path in its folder, and a sentence


class ConfigFolder(NamedTuple):
    """The folder of a run, or a log directory, which may have a config, too."""

    run: str
    path: Path
    root: Path  # the log directory


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
            raise EmbeddingError(f"this path is outside of the folder of the projector's config: '{path}'")
        # Resolved before the check, so that a link cannot change between check and use.
        file = (self.folder / path).resolve()
        if not is_file(file):
            raise EmbeddingError(f"there is no such file beside the projector's config: '{path}'")
        return file

    def stored(self, embedding: Embedding) -> StoredTensor:
        """The tensor's entry in the checkpoint, with the resolved files of its numbers."""
        tensor = self.checkpoint.tensors.get(embedding.tensor_name) if self.checkpoint is not None else None
        if tensor is None:
            raise EmbeddingError(f"the tensor '{embedding.tensor_name}' is in no file and in no checkpoint")
        files = {part.file: part.file.resolve() for part in tensor.parts}
        for named, file in files.items():
            if not assets_inside(self.root, str(file)) or not is_file(file):
                raise EmbeddingError(f"the checkpoint has no such file in the log directory: '{named.name}'")
        return replace(tensor, parts=tuple(replace(part, file=files[part.file]) for part in tensor.parts))


def find_configs(
    folders: Iterable[ConfigFolder], checkpoints: Checkpoints, on_problem: OnProblem | None = None
) -> Iterator[tuple[str, RunConfig]]:
    """The configs with a tensor, by run. As in TensorBoard, the second of a run's two folders wins.

    A config that cannot be read is logged, or passed to `on_problem`.
    """
    for run, folder, root in folders:
        found: RunConfig | None = None
        for config_folder in (folder, folder / PLUGIN_FOLDER):
            config = _read_config_or_report(run, config_folder, on_problem)
            if config is None and config_folder != folder:
                continue
            config = normalised(config or ProjectorConfig())
            checkpoint = checkpoints.find(folder, root, config.model_checkpoint_path)
            if checkpoint is not None:
                config = with_embeddings(config, checkpoint)
            if has_tensor(config):
                found = RunConfig(config_folder, config, checkpoint, root)
        if found is not None:
            yield run, found


def is_file(path: Path) -> bool:
    """False for a pipe, which would block its reader, and for a name that the system rejects."""
    try:
        return path.is_file()
    except OSError:
        return False


def _read_config_or_report(run: str, folder: Path, on_problem: OnProblem | None) -> ProjectorConfig | None:
    try:
        return read_config(folder)
    except EmbeddingError as error:
        if on_problem is None:
            LOG.info("left out: %s: '%s'", error, folder / FILE_NAME)
        else:
            on_problem(run, FILE_NAME, str(error))
        return None


def read_config(folder: Path) -> ProjectorConfig | None:
    """None if there is none. Raises EmbeddingError."""
    file = folder / FILE_NAME
    if not is_file(file):
        return None
    try:
        size = file.stat().st_size
        if size > MAX_CONFIG_BYTES:
            raise EmbeddingError(
                f"the projector config is too large: it has {size:,} bytes, want at most {MAX_CONFIG_BYTES:,}"
            )
        return decode(file.read_bytes())
    except OSError as error:
        raise EmbeddingError(f"the projector config cannot be read: {error.strerror or error}") from error
    except DecodeError as error:
        raise EmbeddingError(f"the {error}") from error


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
