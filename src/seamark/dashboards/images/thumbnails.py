"""Small pictures of large ones, made on demand and kept in a bounded cache.

Encoded images come from anywhere, and a few kilobytes can claim gigabytes of pixels: sizes are read from the header
and checked before anything is decoded, only the formats we name are tried, and few images are decoded at a time.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from io import BytesIO
from typing import TYPE_CHECKING

from seamark.dashboards.images.asking import UnreadableImageError
from seamark.kinds import image
from seamark.kinds.image_faults import fault_of

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
# Decoded, this many pixels take 256 MB.
MAX_PIXELS = 64 * 1024 * 1024
# A larger animation is shown by its first picture until somebody opens it.
MAX_ANIMATION_BYTES = 8 * 1024 * 1024
CACHE_BYTES = 32 * 1024 * 1024
AT_ONCE = 2
JPEG_QUALITY = 88


class BoundedCache:
    """The most recently used encoded pictures, up to a number of bytes. Safe to use from many threads."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._held: OrderedDict[Hashable, image.EncodedImage] = OrderedDict()
        self._lock = threading.Lock()
        self.size_bytes = 0

    def get(self, key: Hashable) -> image.EncodedImage | None:
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
            return found

    def put(self, key: Hashable, picture: image.EncodedImage) -> None:
        if len(picture.data) > self._limit_bytes:
            return
        with self._lock:
            before = self._held.pop(key, None)
            self.size_bytes += len(picture.data) - (len(before.data) if before else 0)
            self._held[key] = picture
            while self.size_bytes > self._limit_bytes:
                _, dropped = self._held.popitem(last=False)
                self.size_bytes -= len(dropped.data)


class Thumbnails:
    """Pictures of at most so many pixels a side. What is small enough goes out as it was logged."""

    def __init__(self, cache: BoundedCache | None = None) -> None:
        self.cache = cache or BoundedCache()
        self._turn = threading.BoundedSemaphore(AT_ONCE)

    def get(self, key: Hashable, read: Callable[[], image.EncodedImage], *, side: int) -> image.EncodedImage:
        found = self.cache.get((key, side))
        if found is not None:
            return found
        with self._turn:
            original = read()
            if is_small_enough(original, side):
                return original
            made = shrink(original.data, side)
        self.cache.put((key, side), made)
        return made


def size_fault(size: tuple[int, int] | None) -> str:
    """Why an image of this size is not decoded; "" when it is."""
    if size is None:
        return "the image does not say how large it is"
    width, height = size
    if width * height == 0:
        return f"the image has no pixels: it says that it is {width:,} × {height:,}"
    if width * height > MAX_PIXELS:
        return (
            f"too large to be drawn: {width:,} × {height:,} pixels, at most {MAX_PIXELS // 10**6} million are; "
            "download it to look at it"
        )
    return ""


def is_small_enough(original: image.EncodedImage, side: int) -> bool:
    size = image.size_of(original.data)
    fault = size_fault(size)
    if fault or size is None:
        raise UnreadableImageError(fault if original.mime.startswith("image/") else fault_of(original.data) or fault)
    is_animation = original.mime == "image/gif" and len(original.data) <= MAX_ANIMATION_BYTES
    return max(size) <= side or is_animation


def shrink(data: bytes, side: int) -> image.EncodedImage:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            picture.draft("RGB", (side, side))  # a JPEG is decoded at a fraction of its size
            plain = as_plain(picture)
            plain.thumbnail((side, side), Image.Resampling.BOX, reducing_gap=2.0)
            return encoded(plain)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise UnreadableImageError(fault_of(data) or f"the image cannot be decoded: {error}") from error


def as_plain(picture: Image) -> Image:
    """Eight bits a channel: grey, RGB or RGBA."""
    if picture.mode in ("L", "RGB", "RGBA"):
        return picture
    if picture.mode.startswith("I;16") or picture.mode == "I":
        # Pillow cuts off what is above 255; a browser shows the upper eight of sixteen bits.
        return picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if picture.mode in ("1", "F"):
        return picture.convert("L")
    has_alpha = picture.mode in ("LA", "PA", "La", "RGBa") or "transparency" in picture.info
    return picture.convert("RGBA" if has_alpha else "RGB")


def encoded(picture: Image) -> image.EncodedImage:
    out = BytesIO()
    if picture.mode == "RGBA":
        picture.save(out, "PNG", compress_level=1)
        return image.EncodedImage("image/png", out.getvalue())
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return image.EncodedImage("image/jpeg", out.getvalue())
