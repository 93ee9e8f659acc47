"""Computes how much memory a decoder would allocate for an image, from its structure."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from seamark.kinds.image import jpeg_sizes, size_of, sniff

GIF_HEAD = struct.Struct("<6sHHBBB")
GIF_FRAME = struct.Struct("<HHHHB")
EXTENSION, FRAME, GRAPHIC_CONTROL = 0x21, 0x2C, 0xF9


@dataclass(frozen=True, slots=True)
class GifFrame:
    """The position of a frame on the canvas, and its duration as written."""

    right: int
    bottom: int
    duration_ms: int


def gif_frames(data: bytes) -> Iterator[GifFrame]:
    """The frames of a GIF, up to its end or to the first damage."""
    if len(data) < GIF_HEAD.size or sniff(data) != "image/gif":
        return
    at = GIF_HEAD.size + color_table_bytes(data[10])
    duration_ms = 0
    while at + GIF_FRAME.size < len(data):
        if data[at] == EXTENSION:
            if data[at + 1] == GRAPHIC_CONTROL:
                duration_ms = 10 * int.from_bytes(data[at + 4 : at + 6], "little")
            at = end_of_blocks(data, at + 2)
        elif data[at] == FRAME:
            left, top, width, height, flags = GIF_FRAME.unpack_from(data, at + 1)
            yield GifFrame(left + width, top + height, duration_ms)
            # The blocks are preceded by a byte with the size of the first code.
            at = end_of_blocks(data, at + 1 + GIF_FRAME.size + color_table_bytes(flags) + 1)
            duration_ms = 0
        else:
            return


def color_table_bytes(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def end_of_blocks(data: bytes, at: int) -> int:
    """The position after a chain of blocks. Each begins with its length; a length of 0 ends the chain."""
    while at < len(data) and data[at]:
        at += data[at] + 1
    return at + 1


def canvas_of(data: bytes) -> tuple[int, int] | None:
    """The width and height that decoding allocates, which may exceed the header's. None if unknown."""
    size = size_of(data)
    match sniff(data):
        case "image/gif" if size is not None:
            # Frames may extend beyond the screen; decoders enlarge it.
            width, height = size
            for frame in gif_frames(data):
                width, height = max(width, frame.right), max(height, frame.bottom)
            return width, height
        case "image/png" if data[12:16] != b"IHDR":
            return None  # the size would come from another chunk
        case "image/jpeg":
            return max(jpeg_sizes(data), key=lambda found: found[0] * found[1], default=None)
    return size


def bytes_per_pixel(data: bytes) -> int:
    """The memory that a decoder takes for each pixel, as measured."""
    match sniff(data):
        case "image/webp":
            return 16  # the canvas, the previous frame, the picture and a copy
        case "image/jpeg":
            # With several scans the decoder keeps the coefficients of all components.
            is_baseline = data.count(b"\xff\xda") == 1 and b"\xff\xc2" not in data
            return 4 if is_baseline else 8
    return 4


def is_animated(data: bytes) -> bool:
    return len(list(islice(gif_frames(data), 2))) == 2
