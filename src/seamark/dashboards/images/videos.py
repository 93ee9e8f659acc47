"""Finds tags whose images are videos, and decodes single frames of a GIF for browsers that cannot."""

from __future__ import annotations

import logging
import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from seamark.dashboards.images.decoding import check_weight
from seamark.dashboards.images.image_ref import KIND, ImageRef, UnreadableImageError
from seamark.dashboards.images.thumbnails import MAX_FRAME_PIXELS, BoundedCache, find_size_fault, to_8_bit
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.media.image_frames import canvas_of, gif_frames
from seamark.kinds.payload import DecodeError
from seamark.plugin import ResponseStruct, not_found
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

if TYPE_CHECKING:
    from PIL.Image import Image

LOG = logging.getLogger(__name__)
# Long enough for the tag, the description and the first bytes of the first image.
HEAD_BYTES = 16 * 1024
MARKS = (b"GIF8", b"ftyp", b"\x1aE\xdf\xa3")
MAX_FRAMES = 2000
MAX_DECODING_SECS = 10.0
# Frames before the requested one that go into the cache, too.
CACHED_FRAMES = 16
# Browsers show frames that have a shorter duration, or none, for DEFAULT_MS.
MIN_MS, DEFAULT_MS = 20, 100


class VideoTag(ResponseStruct):
    """A tag and the runs in which it is a video."""

    tag: Tag
    runs: list[RunName]


@dataclass
class VideoTags:
    """The tags whose first payload is a video. Results are cached: a tag does not change its type."""

    store: Store
    _cached: dict[tuple[RunName, Tag, float], str] = field(default_factory=dict)

    def find_all(self) -> list[VideoTag]:
        """Every tag that is a video in some runs, with those runs."""
        found: dict[Tag, list[RunName]] = {}
        for run, by_kind in self.store.tags(KIND).items():
            for tag in by_kind.get(KIND, ()):
                if self.mime_of(run, tag):
                    found.setdefault(tag, []).append(run)
        return [VideoTag(tag, runs) for tag, runs in sorted(found.items())]

    def has_any(self) -> bool:
        by_run = self.store.tags(KIND).items()
        return any(self.mime_of(run, tag) for run, by_kind in by_run for tag in by_kind.get(KIND, ()))

    def mime_of(self, run: RunName, tag: Tag) -> str:
        """The media type of the first payload if it is a video, else ""."""
        try:
            listed = self.store.payloads(run, tag, KIND, attempts="all")
            if len(listed) == 0:
                return ""
            key = (run, tag, float(listed.walls[0]))
            if key not in self._cached:
                self._cached[key] = self._read_mime(run, tag, int(listed.index[0]))
            return self._cached[key]
        except (UnknownSeriesError, PayloadGoneError):
            return ""

    def _read_mime(self, run: RunName, tag: Tag, index: int) -> str:
        head = self.store.payload_part(run, tag, KIND, index, start=0, size=HEAD_BYTES)
        if not any(mark in head for mark in MARKS):
            return ""  # avoids reading large images whole
        try:
            samples = image.decode(self.store.payload(run, tag, KIND, index)).images
        except DecodeError as error:
            LOG.info("not a video: '%s' in '%s': %s", tag, run, error)
            return ""
        return next((sample.mime for sample in samples if is_video(sample)), "")


# Images and Video share them.
_TAGS_OF: WeakKeyDictionary[Store, VideoTags] = WeakKeyDictionary()


def shared_video_tags(store: Store) -> VideoTags:
    return _TAGS_OF.setdefault(store, VideoTags(weakref.proxy(store)))


def is_video(sample: image.EncodedImage) -> bool:
    return sample.mime.startswith("video/") or (sample.mime == "image/gif" and is_animated(sample.data))


def is_animated(data: bytes) -> bool:
    return len(list(islice(gif_frames(data), 2))) == 2


class Frames:
    """The frames of a GIF. Decoding one takes decoding all before it."""

    def __init__(self, store: Store, cache: BoundedCache) -> None:
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
