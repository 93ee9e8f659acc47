"""Thumbnails: one small picture per point, written as one sprite."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.write.encode.arrays import as_copy
from seamark.write.encode.pictures import grid, to_bytes

# TensorBoard rejects wider and higher sprites: they exceed the textures of many GPUs.
MAX_SPRITE_PX = 8192
CHANNELS = (1, 3, 4)


@dataclass(frozen=True)
class Thumbnails:
    images: NDArray[Any] | list[Any]  # [n, h, w, c], or pictures of PIL
    max_px: int | None = None  # limits the width and the height of the sprite

    @property
    def nbytes(self) -> int:
        if isinstance(self.images, np.ndarray):
            return self.images.nbytes
        return sum(image.width * image.height * len(image.getbands()) for image in self.images)

    @cached_property
    def size(self) -> tuple[int, int]:
        """Width and height of one thumbnail in the sprite."""
        if isinstance(self.images, np.ndarray):
            _, height, width, _ = self.images.shape
        else:
            width, height = self.images[0].size
        if self.max_px is None:
            return width, height
        share = min(1.0, self.max_px / self._columns / max(width, height))
        return max(1, int(width * share)), max(1, int(height * share))

    @property
    def _columns(self) -> int:
        return math.ceil(math.sqrt(len(self.images)))

    def sprite(self) -> NDArray[np.uint8]:
        """All thumbnails in one picture, row by row and as many in a row as in a column, as the projector expects."""
        tiles = to_bytes(grid(self._resized(), self._columns))
        square = np.zeros((max(tiles.shape[:2]), *tiles.shape[1:]), np.uint8)
        square[: tiles.shape[0]] = tiles
        return square

    def _resized(self) -> NDArray[Any]:
        width, height = self.size
        if not isinstance(self.images, np.ndarray):
            return np.stack([_pixels(image, self.size) for image in self.images])
        if self.images.shape[1:3] == (height, width):
            return self.images
        from PIL import Image

        images = np.empty((len(self.images), height, width, self.images.shape[3]), np.uint8)
        for index, image in enumerate(self.images):
            pixels = to_bytes(image)
            picture = Image.fromarray(pixels[:, :, 0] if pixels.shape[2] == 1 else pixels)
            images[index] = np.asarray(picture.resize(self.size, Image.Resampling.BOX)).reshape(images.shape[1:])
        return images


def thumbnails_of(images: Any, points: int) -> Thumbnails:
    """From [n, h, w], [n, h, w, c] or [n, c, h, w] as bytes or floats from 0 to 1, or a list of pictures of PIL."""
    if isinstance(images, list | tuple):
        if len(images) != points:
            raise ValueError(f"every point needs its image: got {len(images)} images for {points} points")
        if all(hasattr(image, "convert") and hasattr(image, "resize") for image in images):
            return Thumbnails([image.copy() for image in images], MAX_SPRITE_PX)
    pixels = as_copy(images)
    if pixels.dtype.kind not in "buif" or pixels.ndim not in (3, 4) or len(pixels) != points or 0 in pixels.shape:
        raise ValueError(
            f"images have the wrong shape or type: got {list(pixels.shape)} of {pixels.dtype}, want {points} images as "
            "[n, h, w], [n, h, w, c] or [n, c, h, w]"
        )
    if pixels.dtype.kind in "ui":
        pixels = pixels.clip(0, 255).astype(np.uint8)
    return Thumbnails(_channels_last(pixels), MAX_SPRITE_PX)


def _channels_last(pixels: NDArray[Any]) -> NDArray[Any]:
    if pixels.ndim == 3:
        return pixels[..., None]
    if pixels.shape[3] in CHANNELS:
        return pixels
    if pixels.shape[1] in CHANNELS:
        return pixels.transpose(0, 2, 3, 1)
    raise ValueError(f"images have 1, 3 or 4 channels: got shape {list(pixels.shape)}")


def _pixels(image: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    from PIL import Image

    return np.asarray(image.convert("RGB").resize(size, Image.Resampling.BOX))
