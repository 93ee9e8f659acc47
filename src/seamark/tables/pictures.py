"""Pictures: the images of a table that are in memory, by the names that its image columns have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.image import png, sniff
from seamark.tables.column import MISSING, Column, TableError
from seamark.tables.limits import MAX_PICTURE_BYTES

IMAGE_CHANNELS = (1, 3, 4)
SAMPLE = 100


def is_picture(data: bytes) -> bool:
    return sniff(data).startswith("image/")


def are_pictures(values: Sequence[Any]) -> bool:
    """Whether the first values are encoded images."""
    present = [value for value in values[:SAMPLE] if value]
    return bool(present) and all(isinstance(value, bytes) and is_picture(value) for value in present)


def is_pixels(array: NDArray[Any]) -> bool:
    """Whether an array is images: [n, h, w] or [n, h, w, channels] as bytes, or as floats from 0 to 1."""
    if array.dtype != np.uint8 and array.dtype.kind != "f":
        return False
    return array.ndim == 3 or (array.ndim == 4 and array.shape[3] in IMAGE_CHANNELS)


class Pictures:
    """Collects pictures. A picture's name is its column and row."""

    def __init__(self) -> None:
        self._by_name: dict[str, bytes | NDArray[Any]] = {}
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._by_name)

    def column(self, name: str, values: Sequence[bytes | NDArray[Any] | None]) -> Column:
        """An image column. Raises TableError if all pictures together are too large."""
        codes = np.full(len(values), MISSING, np.int32)
        names: list[str] = []
        for row, value in enumerate(values):
            if value is None or not len(value):
                continue
            self._bytes += value.nbytes if isinstance(value, np.ndarray) else len(value)
            if self._bytes > MAX_PICTURE_BYTES:
                raise TableError(
                    f"the pictures are too large: want at most {MAX_PICTURE_BYTES >> 20:,} MB; put them in a folder"
                )
            codes[row] = len(names)
            names.append(f"{name}/{row}")
            self._by_name[names[-1]] = value
        return Column(name, "image", codes=codes, names=tuple(names))

    def read(self, name: str) -> bytes:
        """Raises KeyError."""
        value = self._by_name[name]
        return encode_pixels(value) if isinstance(value, np.ndarray) else value


def encode_pixels(pixels: NDArray[Any]) -> bytes:
    if pixels.dtype.kind == "f":
        pixels = (np.nan_to_num(pixels).clip(0, 1) * 255).astype(np.uint8)
    return png(np.ascontiguousarray(pixels[..., None] if pixels.ndim == 2 else pixels))
