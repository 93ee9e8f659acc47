"""Makes thumbnails on demand, with a bounded cache.

A few kilobytes of an encoded image can claim gigabytes of pixels. Sizes are read from the header and checked before
anything is decoded, and only the formats listed here are tried.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from io import BytesIO
from typing import TYPE_CHECKING

from seamark.dashboards.images.decoding import check_weight
from seamark.dashboards.images.image_ref import UnreadableImageError
from seamark.kinds import image
from seamark.kinds.media.image_faults import fault_of
from seamark.kinds.media.image_frames import bytes_per_pixel, canvas_of

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
# Memory for decoding one picture: 60 million pixels in most formats, fewer where a decoder needs more for each.
MAX_DECODED_BYTES = 240_000_000
# Several frames of an animation are in memory at a time; a 4K frame has 8.3 million pixels.
MAX_FRAME_PIXELS = 9_000_000
STRIP_PIXELS = 1_000_000
# A larger animation gets a still thumbnail.
MAX_ANIMATION_BYTES = 8 * 1024 * 1024
CACHE_BYTES = 32 * 1024 * 1024
JPEG_QUALITY = 88


class BoundedCache:
    """The most recently used encoded pictures, up to a number of bytes. Safe to use from many threads."""

    def __init__(self, limit_bytes: int = CACHE_BYTES) -> None:
        self._limit_bytes = limit_bytes
        self._pictures: OrderedDict[Hashable, image.EncodedImage] = OrderedDict()
        self._lock = threading.Lock()
        self.size_bytes = 0

    def get(self, key: Hashable) -> image.EncodedImage | None:
        with self._lock:
            found = self._pictures.get(key)
            if found is not None:
                self._pictures.move_to_end(key)
            return found

    def put(self, key: Hashable, picture: image.EncodedImage) -> None:
        if len(picture.data) > self._limit_bytes:
            return
        with self._lock:
            before = self._pictures.pop(key, None)
            self.size_bytes += len(picture.data) - (len(before.data) if before else 0)
            self._pictures[key] = picture
            while self.size_bytes > self._limit_bytes:
                _, dropped = self._pictures.popitem(last=False)
                self.size_bytes -= len(dropped.data)


class Thumbnails:
    """Pictures of at most `side` pixels a side. Small enough ones are returned as they were logged."""

    def __init__(self, cache: BoundedCache | None = None) -> None:
        self.cache = cache or BoundedCache()

    def get(
        self, key: Hashable, read: Callable[[], image.EncodedImage], *, side: int, max_pixels: int | None = None
    ) -> image.EncodedImage:
        """Raises TooHeavyError if it would have to decode more than `max_pixels`."""
        found = self.cache.get((key, side))
        if found is not None:
            return found
        original = read()
        size = check_size(original)
        if max(size) <= side or stays_animated(original, size):
            return original
        check_weight(size[0] * size[1], max_pixels)
        made = shrink(original.data, side)
        self.cache.put((key, side), made)
        return made


def find_size_fault(data: bytes) -> str:
    """Why an image of this size is not decoded, or ""."""
    size = canvas_of(data)
    if size is None:
        return "the image does not say how large it is"
    width, height = size
    if width * height == 0:
        return f"the image has no pixels: it has {width:,} × {height:,}"
    limit = MAX_DECODED_BYTES // bytes_per_pixel(data)
    if width * height > limit:
        return (
            f"too large to be drawn: {width:,} × {height:,} pixels, the limit for this format is {limit // 10**6} "
            "million; download it to view it"
        )
    return ""


def check_size(original: image.EncodedImage) -> tuple[int, int]:
    fault = find_size_fault(original.data)
    size = canvas_of(original.data)
    if fault or size is None:
        raise UnreadableImageError(fault if original.mime.startswith("image/") else fault_of(original.data) or fault)
    return size


def stays_animated(original: image.EncodedImage, size: tuple[int, int]) -> bool:
    is_light = len(original.data) <= MAX_ANIMATION_BYTES and size[0] * size[1] <= MAX_FRAME_PIXELS
    return original.mime == "image/gif" and is_light


def shrink(data: bytes, side: int) -> image.EncodedImage:
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=FORMATS) as picture:
            # The size in the header was checked; Pillow may have read another one later in the file.
            if picture.width * picture.height * bytes_per_pixel(data) > MAX_DECODED_BYTES:
                raise ValueError(f"it has {picture.width:,} × {picture.height:,} pixels after all")
            picture.draft("RGB", (side, side))  # a JPEG is decoded at a fraction of its size
            return encode(reduce_picture(picture, side))
    except Exception as error:  # Pillow raises many types of errors for a damaged picture
        raise UnreadableImageError(fault_of(data) or f"the image cannot be decoded: {error}") from error


def reduce_picture(picture: Image, side: int) -> Image:
    """At most `side` pixels a side. Converts strip by strip, to avoid a second copy of a large picture."""
    from PIL import Image

    factor = max(1, max(picture.size) // (2 * side))
    if factor > 1:
        picture.load()
        rows = factor * max(1, STRIP_PIXELS // (picture.width * factor))
        tops = range(0, picture.height, rows)
        strips = (picture.crop((0, top, picture.width, min(top + rows, picture.height))) for top in tops)
        small = [to_8_bit(strip).reduce(factor) for strip in strips]
        joined = Image.new(small[0].mode, (small[0].width, sum(strip.height for strip in small)))
        for number, strip in enumerate(small):
            joined.paste(strip, (0, number * small[0].height))
    else:
        joined = to_8_bit(picture)
    joined.thumbnail((side, side), Image.Resampling.BOX)
    return joined


def to_8_bit(picture: Image) -> Image:
    """Eight bits a channel: grey, RGB or RGBA."""
    if picture.mode in ("L", "RGB", "RGBA"):
        return picture
    if picture.mode.startswith("I;16") or picture.mode == "I":
        # Pillow clips at 255; browsers show the upper eight of sixteen bits.
        return picture.convert("I").point(lambda value: value * (1 / 256)).convert("L")
    if picture.mode in ("1", "F"):
        return picture.convert("L")
    has_alpha = picture.mode in ("LA", "PA", "La", "RGBa") or "transparency" in picture.info
    return picture.convert("RGBA" if has_alpha else "RGB")


def encode(picture: Image) -> image.EncodedImage:
    out = BytesIO()
    if picture.mode == "RGBA":
        picture.save(out, "PNG", compress_level=1)
        return image.EncodedImage("image/png", out.getvalue())
    picture.save(out, "JPEG", quality=JPEG_QUALITY)
    return image.EncodedImage("image/jpeg", out.getvalue())
