"""Encodes videos as GIF, or as MP4 or WebM with PyAV. The videos of a batch are side by side."""

from __future__ import annotations

import math
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from seamark.format.messages import Summary
from seamark.write.encode.pictures import to_bytes, value_of

FORMATS = ("gif", "mp4", "webm")
_CODECS = {"mp4": "libx264", "webm": "libvpx-vp9"}


def check(shape: tuple[int, ...], dataformats: str, video_format: str) -> str:
    names = dataformats.upper()
    if sorted(names) != sorted("NTCHW"):
        raise ValueError(f"dataformats of a video names N, T, C, H and W: got {dataformats!r}")
    if len(shape) != 5 or shape[names.index("C")] not in (1, 3, 4):
        raise ValueError(f"a video has 5 dimensions and 1, 3 or 4 channels: got shape {list(shape)} as {dataformats!r}")
    if 0 in shape:
        raise ValueError(f"the video is empty: got shape {list(shape)}")
    if video_format not in FORMATS:
        raise ValueError(f"unknown video format: got {video_format!r}, want one of {', '.join(FORMATS)}")
    return names


def encode(tag: str, array: NDArray[Any], names: str, *, fps: float, video_format: str) -> Summary.Value:
    frames = to_frames(to_bytes(array.transpose([names.index(name) for name in "NTHWC"])))
    encoded = gif(frames, fps) if video_format == "gif" else with_av(frames, fps, video_format)
    _, height, width, channels = frames.shape
    return value_of(tag, encoded, width, height, channels)


def to_frames(batch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """[n, t, h, w, c] to [t, H, W, c]: the videos of the batch in a grid, padded with black to a power of two."""
    count, length, height, width, channels = batch.shape
    cells = 1 << (count - 1).bit_length()
    whole = np.zeros((cells, length, height, width, channels), np.uint8)
    whole[:count] = batch
    rows = 2 ** ((count.bit_length() - 1) // 2)
    tiles = whole.reshape(rows, cells // rows, length, height, width, channels).transpose(2, 0, 3, 1, 4, 5)
    return tiles.reshape(length, rows * height, cells // rows * width, channels)


def gif(frames: NDArray[np.uint8], fps: float) -> bytes:
    from PIL import Image

    pictures = [Image.fromarray(frame[:, :, 0] if frame.shape[2] == 1 else frame) for frame in frames]
    out = BytesIO()
    # GIF counts in hundredths of a second, and viewers slow down frames of less than two.
    duration_ms = max(20, 10 * round(100 / fps))
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=duration_ms, loop=0)
    return out.getvalue()


def with_av(frames: NDArray[np.uint8], fps: float, video_format: str) -> bytes:
    av = import_module("av")  # optional, so its types may be missing

    rgb = np.repeat(frames, 3, axis=3) if frames.shape[3] == 1 else frames[..., :3]
    # The usual chroma subsampling needs even sides.
    height, width = (2 * math.ceil(side / 2) for side in rgb.shape[1:3])
    padded = np.pad(rgb, ((0, 0), (0, height - rgb.shape[1]), (0, width - rgb.shape[2]), (0, 0)), mode="edge")
    out = BytesIO()
    with av.open(out, "w", format=video_format) as container:
        stream = container.add_stream(_CODECS[video_format], rate=Fraction(fps).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        for picture in padded:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")))
        container.mux(stream.encode())
    return out.getvalue()


def has_av() -> bool:
    return find_spec("av") is not None
