"""Writes embeddings as the files that the projector reads: tensors.tsv, metadata.tsv, sprite.png and the config."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.image import png
from seamark.kinds.projector import config as projector
from seamark.kinds.projector.config import Embedding, ProjectorConfig, Sprite
from seamark.write.encode.arrays import as_copy
from seamark.write.encode.pictures import grid, to_bytes


class Vectors(NamedTuple):
    matrix: NDArray[Any]  # [n, d]
    labels: list[str] | None  # lines of metadata.tsv, including the header
    images: NDArray[Any] | None  # [n, h, w, 3]

    @property
    def nbytes(self) -> int:
        return self.matrix.nbytes + (0 if self.images is None else self.images.nbytes)


def check(mat: Any, metadata: Sequence[Any] | None, label_img: Any, header: Sequence[str] | None) -> Vectors:
    matrix = as_copy(mat)
    if matrix.ndim != 2:
        raise ValueError(f"an embedding is a matrix of [points, dimensions]: got shape {list(matrix.shape)}")
    if metadata is not None and len(metadata) != len(matrix):
        raise ValueError(f"every point needs its label: got {len(metadata)} labels for {len(matrix)} points")
    return Vectors(matrix, _label_lines(metadata, header), _thumbnails(label_img, len(matrix)))


def config_entry(vectors: Vectors, *, step: int, tag: str) -> Embedding:
    folder = f"{step:05d}/{_encoded(tag)}"
    sprite = None
    if vectors.images is not None:
        _, height, width, _ = vectors.images.shape
        sprite = Sprite(f"{folder}/sprite.png", (width, height))
    return Embedding(
        tensor_name=f"{tag}:{step:05d}",
        tensor_path=f"{folder}/tensors.tsv",
        metadata_path="" if vectors.labels is None else f"{folder}/metadata.tsv",
        sprite=sprite,
    )


def write(log_dir: str, vectors: Vectors, entry: Embedding, entries: Sequence[Embedding]) -> None:
    """Writes the files of one embedding, and the config of all embeddings of the run."""
    root = Path(log_dir)
    (root / entry.tensor_path).parent.mkdir(parents=True, exist_ok=True)
    with (root / entry.tensor_path).open("w", encoding="utf-8") as file:
        file.writelines("\t".join(map(str, row)) + "\n" for row in vectors.matrix.tolist())
    if vectors.labels is not None:
        (root / entry.metadata_path).write_text("\n".join(vectors.labels) + "\n", encoding="utf-8")
    if entry.sprite is not None and vectors.images is not None:
        (root / entry.sprite.image_path).write_bytes(png(sprite_of(vectors.images)))
    # The config is replaced last and atomically, because viewers may read it at any time.
    config = root / projector.FILE_NAME
    temporary = config.with_name(f"{config.name}.{os.getpid()}.new")
    temporary.write_text(projector.encode(ProjectorConfig(tuple(entries))), encoding="utf-8")
    temporary.replace(config)


def sprite_of(images: NDArray[Any]) -> NDArray[np.uint8]:
    """All thumbnails in one square picture, row by row, as the projector expects."""
    columns = math.ceil(math.sqrt(len(images)))
    tiles = to_bytes(grid(images, columns))
    square = np.zeros((max(tiles.shape[:2]), tiles.shape[1], 3), np.uint8)
    square[: tiles.shape[0]] = tiles
    return square


def _label_lines(metadata: Sequence[Any] | None, header: Sequence[str] | None) -> list[str] | None:
    if metadata is None:
        return None
    if not header:
        return [str(label) for label in metadata]
    rows = [header, *metadata]
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"every label needs a value per column: got {len(row)}, want {len(header)}: {row!r}")
    return ["\t".join(str(cell) for cell in row) for row in rows]


def _thumbnails(label_img: Any, points: int) -> NDArray[Any] | None:
    if label_img is None:
        return None
    images = as_copy(label_img)
    if images.ndim != 4 or images.shape[1] not in (1, 3) or len(images) != points:
        raise ValueError(f"thumbnails have the wrong shape: got {list(images.shape)}, want [{points}, 1 or 3, h, w]")
    channels_last = images.transpose(0, 2, 3, 1)
    return np.repeat(channels_last, 3, axis=3) if images.shape[1] == 1 else channels_last


def _encoded(tag: str) -> str:
    """A tag as the name of a folder."""
    for character in "%/\\":
        tag = tag.replace(character, f"%{ord(character):02x}")
    return tag
