"""Decodes single frames of a GIF for browsers that cannot."""

from __future__ import annotations

import time
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING

from seamark.dashboards.images.decoding import check_weight
from seamark.dashboards.images.image_ref import ImageRef, UnreadableImageError
from seamark.dashboards.images.thumbnails import MAX_FRAME_PIXELS, BoundedCache, find_size_fault, to_8_bit
from seamark.kinds import image
from seamark.kinds.media.image_frames import canvas_of, gif_frames
from seamark.plugin import not_found
from seamark.store import RunStore

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_FRAMES = 2000
MAX_DECODING_SECS = 10.0
# Frames before the requested one that go into the cache, too.
CACHED_FRAMES = 16
# Browsers show frames that have a shorter duration, or none, for DEFAULT_MS.
MIN_MS, DEFAULT_MS = 20, 100


class Frames:
    """The frames of a GIF. Decoding one takes decoding all before it."""

    def __init__(self, store: RunStore, cache: BoundedCache) -> None:
        self._store = store
        self._cache = cache

    def durations_ms(self, ref: ImageRef) -> list[int]:
        durations = [frame.duration_ms for frame in islice(gif_frames(self._gif(ref)), MAX_FRAMES)]
        return [duration if duration >= MIN_MS else DEFAULT_MS for duration in durations]

    def png(self, ref: ImageRef, frame: int, *, max_pixels: int | None = None) -> image.EncodedImage:
        """Raises TooHeavyError if it would have to decode more than `max_pixels`."""
        found = self._cache.get((ref, "frame", frame))
        return found or self._decoded(ref, frame, max_pixels)

    def _decoded(self, ref: ImageRef, frame: int, max_pixels: int | None) -> image.EncodedImage:
        data = self._gif(ref)
        if frame >= len(list(islice(gif_frames(data), MAX_FRAMES))):
            raise not_found(f"there is no frame {frame} in this GIF")
        width, height = canvas_of(data) or (0, 0)
        if width * height > MAX_FRAME_PIXELS:
            raise UnreadableImageError(
                f"too large to be shown frame by frame: {width:,} × {height:,} pixels, the limit "
                f"is {MAX_FRAME_PIXELS // 10**6} million; download it to view it"
            )
        check_weight(width * height * (frame + 1), max_pixels)
        try:
            for number, made in decoded_frames(data, frame):
                self._cache.put((ref, "frame", number), made)
            return made
        except Exception as error:  # Pillow raises many types of errors for a damaged picture
            raise UnreadableImageError(f"the GIF cannot be decoded: {error}") from error

    def _gif(self, ref: ImageRef) -> bytes:
        sample = ref.read(self._store)
        if sample.mime != "image/gif":
            raise UnreadableImageError(f"only GIFs have single frames here, this is {sample.mime}")
        fault = find_size_fault(sample.data)
        if fault:
            raise UnreadableImageError(fault)
        return sample.data


def decoded_frames(data: bytes, last: int) -> Iterator[tuple[int, image.EncodedImage]]:
    """The frame `last` and some before it, which are likely to be requested as well."""
    from PIL import Image

    deadline = time.monotonic() + MAX_DECODING_SECS
    with Image.open(BytesIO(data), formats=("GIF",)) as picture:
        for number in range(last + 1):
            picture.seek(number)
            if number > last - CACHED_FRAMES:
                yield number, encoded_png(picture)
            if time.monotonic() > deadline:
                raise TimeoutError(f"decoding up to frame {number:,} took more than {MAX_DECODING_SECS:g} s")


def encoded_png(picture: Image) -> image.EncodedImage:
    out = BytesIO()
    to_8_bit(picture.copy()).save(out, "PNG", compress_level=1)
    return image.EncodedImage("image/png", out.getvalue())
