"""Sprites: one picture with a thumbnail for each point."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from seamark.embeddings.form import EmbeddingError, Thumbnails
from seamark.kinds.image import size_of

MAX_SPRITE_BYTES = 256 << 20
# The size of a JPEG file comes after its colour profile.
HEADER_BYTES = 1 << 20


def read_sprite(path: Path, single_image_dim: Sequence[int], points: int) -> Thumbnails:
    """Raises EmbeddingError if the picture has no room for a thumbnail of each point."""
    if len(single_image_dim) != 2 or min(single_image_dim) < 1:
        raise EmbeddingError("the config does not say the width and height of a thumbnail (single_image_dim)")
    if path.stat().st_size > MAX_SPRITE_BYTES:
        raise EmbeddingError(f"the picture is too large: want at most {MAX_SPRITE_BYTES >> 20} MB")
    with path.open("rb") as stream:
        size = size_of(stream.read(HEADER_BYTES))
    if size is None:
        raise EmbeddingError(f"the file is no picture: '{path.name}'")
    width, height = single_image_dim
    columns, rows = size[0] // width, size[1] // height
    if columns * rows < points:
        raise EmbeddingError(
            f"the picture has {size[0]:,} x {size[1]:,} pixels, room for {columns * rows:,} thumbnails of "
            f"{width} x {height}, and there are {points:,} points"
        )
    return Thumbnails(path, b"", width, height, columns)
