"""Draws a confusion matrix without a plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

CELL_PX, LEFT_PX, TOP_PX, LABEL_CHARS = 56, 92, 52, 13
# Numbers do not fit into smaller cells.
MAX_NUMBERED, SMALL_CELL_PX = 20, 12
PAPER, INK, DARK_END = (255, 255, 255), (32, 33, 36), (26, 82, 158)


def confusion_picture(counts: npt.NDArray[Any], labels: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Rows are true classes, columns predicted ones, shaded by their share of the row. Returns [h, w, 3]."""
    from PIL import Image, ImageDraw

    size = len(labels)
    is_numbered = size <= MAX_NUMBERED
    cell = CELL_PX if is_numbered else SMALL_CELL_PX
    left, top = (LEFT_PX, TOP_PX) if is_numbered else (0, 0)
    image = Image.new("RGB", (left + size * cell + 1, top + size * cell + 1), PAPER)
    draw = ImageDraw.Draw(image)
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    for row, column in np.ndindex(size, size):
        share = float(shares[row, column])
        box = (left + column * cell, top + row * cell, left + (column + 1) * cell, top + (row + 1) * cell)
        draw.rectangle(box, fill=shade(share), outline=(218, 220, 224) if is_numbered else None)
        if is_numbered:
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            draw.text(middle, f"{counts[row, column]:g}", fill=PAPER if share > 0.5 else INK, anchor="mm")
    if is_numbered:
        label_axes(draw, labels)
    return np.asarray(image)


def label_axes(draw: Any, labels: Sequence[str]) -> None:
    draw.text((LEFT_PX + len(labels) * CELL_PX / 2, 14), "predicted", fill=INK, anchor="mm")
    draw.text((LEFT_PX - 8, TOP_PX - 8), "actual", fill=INK, anchor="rb")
    for number, label in enumerate(labels):
        text, offset = printable(label), (number + 0.5) * CELL_PX
        draw.text((LEFT_PX - 8, TOP_PX + offset), text, fill=INK, anchor="rm")
        draw.text((LEFT_PX + offset, TOP_PX - 8), text[: CELL_PX // 7], fill=INK, anchor="mb")


def printable(label: str) -> str:
    """The built-in font has plain Latin letters only; other characters become question marks."""
    text = "".join(letter if letter.isprintable() else " " for letter in str(label))
    text = text.encode("ascii", "replace").decode()
    return text if len(text) <= LABEL_CHARS else f"{text[: LABEL_CHARS - 2]}.."


def shade(share: float) -> tuple[int, int, int]:
    red, green, blue = (round(light + (dark - light) * share) for light, dark in zip(PAPER, DARK_END, strict=True))
    return red, green, blue
