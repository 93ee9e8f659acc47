"""EmbeddingFiles: the embeddings that one writer has written into a run's folder, and their configuration."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.format.replace_file import replace_file
from seamark.format.surrogates import replace_surrogates
from seamark.kinds.image import png
from seamark.kinds.payload import DecodeError
from seamark.kinds.projector import config as projector
from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite
from seamark.write.encode.embedding.content import EmbeddingContent
from seamark.write.queue.recorder import Recorder

MAX_NAME_BYTES = 200


class EmbeddingFiles:
    """The recorder's thread writes the files, in the order of the calls."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._config: ProjectorConfig | None = None
        self._written: dict[str, str] = {}  # path of a metadata file or sprite by the digest of its content

    def add(self, recorder: Recorder | None, name: str, content: EmbeddingContent, *, step: int) -> None:
        """Returns at once. Without a recorder nothing is written."""
        if recorder is not None:
            recorder.add_task(lambda: self._write(name, content, step), content.nbytes)

    def _write(self, name: str, content: EmbeddingContent, step: int) -> None:
        """Writes the files of one embedding, and then the configuration of all of the run."""
        name = replace_surrogates(name)
        folder = f"{step:05d}/{folder_name(name)}"
        (self._folder / folder).mkdir(parents=True, exist_ok=True)
        entry = Embedding(tensor_name=f"{name}:{step:05d}")
        entry = self._write_vectors(entry, folder, content)
        if content.metadata is not None:
            text = "\n".join(content.metadata.lines()) + "\n"
            path = self._write_once(f"{folder}/metadata.tsv", text.encode(errors="replace"), content)
            entry = replace(entry, metadata_path=path)
        if content.thumbnails is not None:
            path = self._write_once(f"{folder}/sprite.png", png(content.thumbnails.sprite()), content)
            entry = replace(entry, sprite=Sprite(path, content.thumbnails.size))
        self._write_config(entry)

    def _write_vectors(self, entry: Embedding, folder: str, content: EmbeddingContent) -> Embedding:
        if not content.is_text:
            matrix = np.ascontiguousarray(content.matrix, "<f4")
            if _is_read_as_bytes(matrix):
                path = f"{folder}/tensors.bytes"
                (self._folder / path).write_bytes(matrix.data)
                return replace(entry, tensor_path=path, tensor_shape=matrix.shape)
            content = replace(content, matrix=matrix)
        path = f"{folder}/tensors.tsv"
        with (self._folder / path).open("w", encoding="utf-8") as file:
            file.writelines("\t".join(map(str, row)) + "\n" for row in content.matrix.tolist())
        return replace(entry, tensor_path=path)

    def _write_once(self, path: str, data: bytes, content: EmbeddingContent) -> str:
        """Returns the path of the file. Steps with the same metadata or thumbnails share one; torch's do not."""
        digest = hashlib.sha256(data).hexdigest()
        earlier = None if content.is_text else self._written.get(digest)
        if earlier is not None:
            return earlier
        (self._folder / path).write_bytes(data)
        self._written = {known: file for known, file in self._written.items() if file != path} | {digest: path}
        return path

    def _write_config(self, entry: Embedding) -> None:
        """Replaces the configuration atomically and last, because viewers may read it at any time."""
        file = self._folder / projector.FILE_NAME
        known = self._config or _earlier_config(file)
        others = (one for one in known.embeddings if one.tensor_name != entry.tensor_name)
        self._config = replace(known, embeddings=(*others, entry))
        replace_file(file, projector.encode(self._config).encode())


def folder_name(name: str) -> str:
    """An embedding's name as the name of a folder: as torch forms it, unless that cannot be one."""
    safe = name
    for character in "%/\\\0":
        safe = safe.replace(character, f"%{ord(character):02x}")
    if set(safe) <= {"."}:
        safe = safe.replace(".", "%2e")
    encoded = safe.encode()
    if len(encoded) > MAX_NAME_BYTES:
        digest = hashlib.sha256(encoded).hexdigest()[:8]
        return f"{encoded[:MAX_NAME_BYTES].decode(errors='ignore')}-{digest}"
    return safe


def _is_read_as_bytes(matrix: NDArray[np.float32]) -> bool:
    """TensorBoard reads the first line as text, and the file as numbers only if that is not UTF-8."""
    first_line = matrix.tobytes() if matrix.size < 1024 else matrix.reshape(-1)[:65536].tobytes()
    try:
        first_line.partition(b"\n")[0].decode()
    except UnicodeDecodeError:
        return True
    return False


def _earlier_config(file: Path) -> ProjectorConfig:
    """What an earlier process of a resumed run has written."""
    try:
        return projector.decode(file.read_bytes())
    except (OSError, DecodeError):
        return ProjectorConfig()
