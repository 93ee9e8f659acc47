"""Encodes pixels with any order of dimensions as one image value, as torch's writers do."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import Summary

GRID_COLUMNS = 8
BOX_COLOUR, LABEL_COLOUR, BOX_WIDTH = "Red", "black", 2


def check_format(shape: Sequence[int], dataformats: str) -> str:
    """Returns the names of the dimensions in capitals. Raises ValueError if they do not fit the shape."""
    names = dataformats.upper()
    if len(set(names)) != len(names) or set(names) not in ({*"HW"}, {*"CHW"}, {*"NCHW"}):
        raise ValueError(f"dataformats must have H and W, and optionally C and N, once each: got {dataformats!r}")
    if len(names) != len(shape):
        raise ValueError(f"the image does not fit dataformats={dataformats!r}: got shape {list(shape)}")
    if 0 in shape:
        raise ValueError(f"the image is empty: got shape {list(shape)}")
    channels = shape[names.index("C")] if "C" in names else 1
    if channels not in (1, 3, 4):
        raise ValueError(f"an image has 1, 3 or 4 channels: got {channels} in shape {list(shape)} as {dataformats!r}")
    return names


def to_hwc(array: NDArray[Any], names: str) -> NDArray[np.uint8]:
    """One picture as bytes: grey becomes RGB, a batch becomes a grid. All types but uint8 range from 0 to 1."""
    if "C" not in names:
        array, names = array[..., None], names + "C"
    if "N" not in names:
        array, names = array[None], "N" + names
    batch = array.transpose([names.index(name) for name in "NHWC"])
    if batch.shape[3] == 1:
        batch = np.repeat(batch, 3, axis=3)
    return to_bytes(batch[0] if len(batch) == 1 else grid(batch, GRID_COLUMNS))


def grid(batch: NDArray[Any], columns: int) -> NDArray[Any]:
    """[n, h, w, c] side by side, in rows of `columns`; the rest of the last row is black."""
    count, height, width, channels = batch.shape
    columns = max(1, min(count, columns))
    rows = math.ceil(count / columns)
    whole = np.zeros((rows * columns, height, width, channels), batch.dtype)
    whole[:count] = batch
    tiles = whole.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return tiles.reshape(rows * height, columns * width, channels)


def to_bytes(pixels: NDArray[Any]) -> NDArray[np.uint8]:
    if pixels.dtype == np.uint8:
        return pixels
    with np.errstate(invalid="ignore"):
        scaled = np.nan_to_num(pixels.astype(np.float32) * np.float32(255), nan=0.0)
    clipped: NDArray[np.uint8] = scaled.clip(0, 255).astype(np.uint8)
    return clipped


def encode(
    tag: str,
    pixels: NDArray[np.uint8],
    *,
    rescale: float = 1,
    boxes: NDArray[Any] | None = None,
    labels: Sequence[str] | None = None,
) -> Summary.Value:
    """Encodes [h, w, c] as PNG. Boxes are [n, 4] of left, top, right, bottom."""
    from PIL import Image

    picture = Image.fromarray(np.ascontiguousarray(pixels))
    if boxes is not None:
        for number, box in enumerate(boxes):
            draw_box(picture, box.tolist(), None if labels is None else str(labels[number]))
    if rescale != 1:
        size = (max(1, int(picture.width * rescale)), max(1, int(picture.height * rescale)))
        picture = picture.resize(size, Image.Resampling.LANCZOS)
    out = BytesIO()
    picture.save(out, format="PNG")
    return value_of(tag, out.getvalue(), picture.width, picture.height, pixels.shape[2])


def value_of(tag: str, encoded: bytes, width: int, height: int, channels: int) -> Summary.Value:
    return Summary.Value(
        tag=tag, image=Summary.Image(height=height, width=width, colorspace=channels, encoded_image_string=encoded)
    )


def draw_box(picture: Any, box: Sequence[float], label: str | None) -> None:
    """Draws a red frame with its label inside at the lower left."""
    from PIL import ImageDraw, ImageFont

    left, top, right, bottom = box
    draw = ImageDraw.Draw(picture)
    corners = [(left, top), (left, bottom), (right, bottom), (right, top), (left, top)]
    draw.line(corners, width=BOX_WIDTH, fill=BOX_COLOUR)
    if not label:
        return
    font = ImageFont.load_default()
    x0, y0, x1, y1 = font.getbbox(label)
    width, height = x1 - x0, y1 - y0
    margin = math.ceil(0.05 * height)
    draw.rectangle([(left, bottom - height - 2 * margin), (left + width, bottom)], fill=BOX_COLOUR)
    draw.text((left + margin, bottom - height - margin), label, fill=LABEL_COLOUR, font=font)


def of_figure(figure: Any, *, close: bool) -> NDArray[np.uint8]:
    """A matplotlib figure as [h, w, 3]. Call it in the caller's thread: matplotlib is not thread-safe."""
    canvas = import_module("matplotlib.backends.backend_agg").FigureCanvasAgg(figure)
    canvas.draw()
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3].copy()
    if close:
        import_module("matplotlib.pyplot").close(figure)
    return pixels
