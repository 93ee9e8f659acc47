"""Small pictures of large ones, made on demand and kept in a bounded cache.

Encoded images come from anywhere, and a few kilobytes can claim gigabytes of pixels: sizes are read from the header
and checked before anything is decoded, and only the formats we name are tried.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from io import BytesIO
from typing import TYPE_CHECKING

from seamark.dashboards.images.asking import UnreadableImageError
from seamark.dashboards.images.decoding import check_weight
from seamark.kinds import image
from seamark.kinds.image_faults import fault_of
from seamark.kinds.image_frames import bytes_per_pixel, canvas_of

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
# What decoding one picture may take: 60 million pixels in most formats, fewer where a decoder needs more for each.
MAX_DECODED_BYTES = 240_000_000
# Of an animation several frames are held; a frame of 4K has 8.3 million pixels.
MAX_FRAME_PIXELS = 9_000_000
STRIP_PIXELS = 1_000_000
# A larger animation is shown by its first picture until somebody opens it.
MAX_ANIMATION_BYTES = 8 * 1024 * 1024
CACHE_BYTES = 32 * 1024 * 1024
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

    def get(
        self, key: Hashable, read: Callable[[], image.EncodedImage], *, side: int, max_pixels: int | None = None
    ) -> image.EncodedImage:
        """Raises TooHeavyError where more than `max_pixels` would have to be decoded."""
        found = self.cache.get((key, side))
        if found is not None:
            return found
        original = read()
        size = checked_size(original)
        if max(size) <= side or is_shown_moving(original, size):
            return original
        check_weight(size[0] * size[1], max_pixels)
        made = shrink(original.data, side)
        self.cache.put((key, side), made)
        return made


def size_fault(data: bytes) -> str:
    """Why an image is not decoded; "" when it is."""
    size = canvas_of(data)
    if size is None:
        return "the image does not say how large it is"
    width, height = size
    if width * height == 0:
        return f"the image has no pixels: it says that it is {width:,} × {height:,}"
    limit = MAX_DECODED_BYTES // bytes_per_pixel(data)
    if width * height > limit:
        return (
            f"too large to be drawn: {width:,} × {height:,} pixels, at most {limit // 10**6} million are in this "
            "format; download it to look at it"
        )
    return ""


def checked_size(original: image.EncodedImage) -> tuple[int, int]:
    fault = size_fault(original.data)
    size = canvas_of(original.data)
    if fault or size is None:
        raise UnreadableImageError(fault if original.mime.startswith("image/") else fault_of(original.data) or fault)
    return size


def is_shown_moving(original: image.EncodedImage, size: tuple[int, int]) -> bool:
    is_light = len(original.data) <= MAX_ANIMATION_BYTES and size[0] * size[1] <= MAX_FRAME_PIXELS
    return original.mime == "image/gif" and is_light


def shrink(data: bytes, side: int) -> image.EncodedImage:
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            # What the header said was checked. Pillow may have read another size from a later part of the file.
            if picture.width * picture.height * bytes_per_pixel(data) > MAX_DECODED_BYTES:
                raise ValueError(f"it says that it is {picture.width:,} × {picture.height:,} pixels after all")
            picture.draft("RGB", (side, side))  # a JPEG is decoded at a fraction of its size
            return encoded(reduced(picture, side))
    except Exception as error:  # whatever Pillow raises, and that is a lot, it is the picture's fault
        raise UnreadableImageError(fault_of(data) or f"the image cannot be decoded: {error}") from error


def reduced(picture: Image, side: int) -> Image:
    """At most `side` pixels a side. Converted strip by strip: a second copy of a large picture is never made."""
    from PIL import Image

    factor = max(1, max(picture.size) // (2 * side))
    if factor > 1:
        picture.load()
        rows = factor * max(1, STRIP_PIXELS // (picture.width * factor))
        tops = range(0, picture.height, rows)
        strips = (picture.crop((0, top, picture.width, min(top + rows, picture.height))) for top in tops)
        small = [as_plain(strip).reduce(factor) for strip in strips]
        joined = Image.new(small[0].mode, (small[0].width, sum(strip.height for strip in small)))
        for number, strip in enumerate(small):
            joined.paste(strip, (0, number * small[0].height))
    else:
        joined = as_plain(picture)
    joined.thumbnail((side, side), Image.Resampling.BOX)
    return joined


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
