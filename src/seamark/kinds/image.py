"""Images: encoded pictures of one size, several per step. The encoding is recognised from the bytes.

A video is stored as an image: as an animated GIF, MP4 or WebM file.
"""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from numpy.typing import ArrayLike, NDArray

from seamark.format.messages import ImagePluginData, Summary
from seamark.kinds.payload import DecodeError, parse_value
from seamark.kinds.summary import tensor_value
from seamark.kinds.tensor import from_strings, strings_of

PLUGIN_NAME = "images"
UNKNOWN_MIME = "application/octet-stream"
# Still pictures that use the same container as MP4.
STILL_BRANDS = (b"avif", b"avis", b"heic", b"heix", b"mif1", b"msf1")


@dataclass(frozen=True, slots=True)
class EncodedImage:
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Images:
    width: int
    height: int
    images: tuple[EncodedImage, ...]


def encode(tag: str, pixels: ArrayLike, *, display_name: str = "", description: str = "") -> Summary.Value:
    """Encodes PNG images from [h, w], [h, w, c] or [n, h, w, c] with 1, 3 or 4 channels; floats range from 0 to 1."""
    batch = _as_batch(np.asarray(pixels))
    _, height, width, _ = batch.shape
    encoded = [png(image) for image in batch]
    return _value(tag, width, height, encoded, display_name=display_name, description=description)


def encode_files(
    tag: str,
    files: Sequence[bytes],
    *,
    width: int | None = None,
    height: int | None = None,
    display_name: str = "",
    description: str = "",
) -> Summary.Value:
    """Wraps encoded PNG, JPEG, GIF, WebP or BMP images. The size defaults to that of the first image."""
    if width is None or height is None:
        size = size_of(files[0]) if files else (0, 0)
        if size is None:
            raise ValueError(f"image size is unknown: got {sniff(files[0])}; pass width and height")
        width, height = size
    return _value(tag, width, height, files, display_name=display_name, description=description)


def decode(data: bytes) -> Images:
    value = parse_value(data, "image")
    if value.WhichOneof("value") == "image":
        legacy = value.image
        return Images(legacy.width, legacy.height, (_encoded(legacy.encoded_image_string),))
    strings = strings_of(value, "image")
    if strings.ndim != 1 or strings.size < 2:
        raise DecodeError(f"image tensor has the wrong shape: got {list(strings.shape)}, want [2 + images]")
    return Images(
        _dimension(strings[0], "width"),
        _dimension(strings[1], "height"),
        tuple(_encoded(image) for image in strings[2:]),
    )


def sniff(data: bytes) -> str:
    """The MIME type, from the first bytes."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith(b"BM"):
        return "image/bmp"
    if data[4:8] == b"ftyp" and data[8:12] not in STILL_BRANDS:
        return "video/mp4"
    if data.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm"
    return UNKNOWN_MIME


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height as the encoded image states them; None when it does not."""
    try:
        match sniff(data):
            case "image/png":
                return struct.unpack_from(">II", data, 16)
            case "image/gif":
                return struct.unpack_from("<HH", data, 6)
            case "image/bmp":
                width, height = struct.unpack_from("<ii", data, 18)
                return width, abs(height)  # negative if rows run from top to bottom
            case "image/jpeg":
                return next(jpeg_sizes(data), None)
            case "image/webp":
                return _webp_size(data)
    except struct.error:
        pass
    return None


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Encodes one [h, w, c] image as PNG."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("encoding pixels needs Pillow: pip install pillow, or pass encoded files") from error

    squeezed = pixels[:, :, 0] if pixels.shape[2] == 1 else pixels
    out = BytesIO()
    Image.fromarray(np.ascontiguousarray(squeezed)).save(out, format="PNG")
    return out.getvalue()


def _value(
    tag: str, width: int, height: int, encoded: Sequence[bytes], *, display_name: str, description: str
) -> Summary.Value:
    strings: list[str | bytes] = [str(width), str(height), *encoded]
    return tensor_value(
        tag,
        from_strings(strings, shape=[len(strings)]),
        plugin_name=PLUGIN_NAME,
        content=ImagePluginData().SerializeToString(),
        display_name=display_name,
        description=description,
    )


def _as_batch(pixels: NDArray[np.generic]) -> NDArray[np.uint8]:
    if pixels.ndim == 2:
        pixels = pixels[:, :, None]
    if pixels.ndim == 3:
        pixels = pixels[None]
    if pixels.ndim != 4 or pixels.shape[3] not in (1, 3, 4):
        raise ValueError(
            f"image has the wrong shape: got {list(pixels.shape)}, "
            "want [h, w], [h, w, c] or [n, h, w, c] with c = 1, 3, 4"
        )
    return _as_bytes(pixels)


def _as_bytes(pixels: NDArray[np.generic]) -> NDArray[np.uint8]:
    if pixels.dtype == np.uint8:
        return pixels.astype(np.uint8, copy=False)
    if pixels.dtype == np.bool_:
        return pixels.astype(np.uint8) * np.uint8(255)
    if pixels.dtype.kind == "f":
        # As TensorFlow does: with 255.5, truncation spreads 0..1 evenly over the 256 values.
        scaled = np.nan_to_num(pixels.astype(np.float32) * np.float32(255.5), nan=0.0)
        clipped: NDArray[np.uint8] = np.clip(scaled, 0, 255).astype(np.uint8)
        return clipped
    raise ValueError(f"image has the wrong dtype: got {pixels.dtype}, want uint8, bool or float")


def _encoded(data: bytes) -> EncodedImage:
    return EncodedImage(sniff(data), data)


def _dimension(text: bytes, name: str) -> int:
    if not text.isdigit() or len(text) > 10:
        raise DecodeError(f"image {name} is not a number: got {text[:20]!r}")
    return int(text)


def jpeg_sizes(data: bytes) -> Iterator[tuple[int, int]]:
    """The sizes in the frame headers; a valid file has one."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # padding
            at += 1
            continue
        # C0..CF are frame headers, except the Huffman (C4), JPG (C8) and arithmetic (CC) tables.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            yield width, height
        if marker == 0xDA:  # start of the pixels
            return
        at += 2 + struct.unpack_from(">H", data, at + 2)[0]


def _webp_size(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8 ":
            width, height = struct.unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case b"VP8L":
            (bits,) = struct.unpack_from("<I", data, 21)
            return (bits & 0x3FFF) + 1, ((bits >> 14) & 0x3FFF) + 1
        case b"VP8X":
            low, middle, high = struct.unpack_from("<HHH", data, 24)
            return (low | (middle & 0xFF) << 16) + 1, (middle >> 8 | high << 8) + 1
    return None
