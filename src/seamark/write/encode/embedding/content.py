"""EmbeddingContent: checked copies of what add_embedding and log_embedding got, before anything is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.write.encode.arrays import as_copy
from seamark.write.encode.embedding.metadata import LabelLines, MetadataTable, metadata_table
from seamark.write.encode.embedding.thumbnails import Thumbnails, thumbnails_of


@dataclass(frozen=True)
class EmbeddingContent:
    matrix: NDArray[Any]  # [n, d]
    metadata: LabelLines | MetadataTable | None
    thumbnails: Thumbnails | None
    is_text: bool  # whether the vectors are written as TSV, as torch does

    @property
    def nbytes(self) -> int:
        return self.matrix.nbytes + (0 if self.thumbnails is None else self.thumbnails.nbytes)


def of_add_embedding(
    mat: Any, metadata: Sequence[Any] | None, label_img: Any, header: Sequence[str] | None
) -> EmbeddingContent:
    """As torch's writer takes them: labels in rows, thumbnails as [n, c, h, w]."""
    matrix = as_copy(mat)
    if matrix.ndim != 2:
        raise ValueError(f"an embedding is a matrix of [points, dimensions]: got shape {list(matrix.shape)}")
    if metadata is not None and len(metadata) != len(matrix):
        raise ValueError(f"every point needs its label: got {len(metadata)} labels for {len(matrix)} points")
    lines = None if metadata is None else LabelLines.of(metadata, header)
    return EmbeddingContent(matrix, lines, _torch_thumbnails(label_img, len(matrix)), is_text=True)


def of_log_embedding(matrix: Any, metadata: Any, images: Any) -> EmbeddingContent:
    """Raises ValueError or TypeError for arguments that do not fit. Numbers that are not finite are allowed."""
    try:
        vectors = as_copy(matrix)
    except ValueError as error:  # of NumPy, for rows of different lengths
        raise ValueError(f"an embedding is a matrix of [points, dimensions]: {error}") from error
    if vectors.ndim != 2 or 0 in vectors.shape:
        raise ValueError(
            f"an embedding is a matrix of [points, dimensions], at least one of each: got shape {list(vectors.shape)}"
        )
    if vectors.dtype.kind not in "biuf":
        raise TypeError(f"an embedding is a matrix of real numbers: got dtype {vectors.dtype}")
    points = len(vectors)
    table = None if metadata is None else metadata_table(metadata, points)
    thumbnails = None if images is None else thumbnails_of(images, points)
    return EmbeddingContent(vectors, table, thumbnails, is_text=False)


def _torch_thumbnails(label_img: Any, points: int) -> Thumbnails | None:
    if label_img is None:
        return None
    images = as_copy(label_img)
    if images.ndim != 4 or images.shape[1] not in (1, 3) or len(images) != points:
        raise ValueError(f"thumbnails have the wrong shape: got {list(images.shape)}, want [{points}, 1 or 3, h, w]")
    channels_last = images.transpose(0, 2, 3, 1)
    return Thumbnails(np.repeat(channels_last, 3, axis=3) if images.shape[1] == 1 else channels_last)
