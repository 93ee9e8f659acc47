"""Which images are videos, and the single frames of a GIF for browsers that cannot take one apart."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from seamark.dashboards.images.asking import KIND, RefusalError, UnreadableImageError, Wanted
from seamark.dashboards.images.decoding import check_weight
from seamark.dashboards.images.thumbnails import MAX_FRAME_PIXELS, BoundedCache, as_plain, size_fault
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.image_frames import canvas_of, gif_frames
from seamark.kinds.payload import DecodeError
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

if TYPE_CHECKING:
    from PIL.Image import Image

# Tag, description and size come before the first image: its first bytes lie in here.
HEAD_BYTES = 16 * 1024
MARKS = (b"GIF8", b"ftyp", b"\x1aE\xdf\xa3")
MAX_FRAMES = 2000
# So long one request may take apart a GIF, and so many of its last frames are kept.
MAX_DECODING_SECS = 10.0
FRAMES_KEPT = 16
# A browser plays frames without a duration, or with less than two hundredths of a second, at ten a second.
SHORTEST_MS, USUAL_MS = 20, 100


@dataclass
class VideoTags:
    """The tags whose first payload is a video. What was seen once is remembered: a tag does not change its kind."""

    store: Store
    _seen: dict[tuple[RunName, Tag, float], str] = field(default_factory=dict)

    def listed(self) -> list[dict[str, object]]:
        """Every tag that is a video in one of its runs, with those runs."""
        found: dict[Tag, list[RunName]] = {}
        for run, by_kind in self.store.tags(KIND).items():
            for tag in by_kind.get(KIND, ()):
                if self.mime_of(run, tag):
                    found.setdefault(tag, []).append(run)
        return [{"tag": tag, "runs": runs} for tag, runs in sorted(found.items())]

    def has_any(self) -> bool:
        by_run = self.store.tags(KIND).items()
        return any(self.mime_of(run, tag) for run, by_kind in by_run for tag in by_kind.get(KIND, ()))

    def mime_of(self, run: RunName, tag: Tag) -> str:
        """The type of the first payload when it is a video, else ""."""
        try:
            listed = self.store.payloads(run, tag, KIND, attempts="all")
            if len(listed) == 0:
                return ""
            key = (run, tag, float(listed.walls[0]))
            if key not in self._seen:
                self._seen[key] = self._look(run, tag, int(listed.index[0]))
            return self._seen[key]
        except (UnknownSeriesError, PayloadGoneError):
            return ""

    def _look(self, run: RunName, tag: Tag, index: int) -> str:
        head = self.store.payload_part(run, tag, KIND, index, start=0, size=HEAD_BYTES)
        if not any(mark in head for mark in MARKS):
            return ""  # most images end here: of large ones little is read
        try:
            samples = image.decode(self.store.payload(run, tag, KIND, index)).images
        except DecodeError:
            return ""
        return next((sample.mime for sample in samples if is_video(sample)), "")


# Images and Video ask for the same.
_TAGS_OF: WeakKeyDictionary[Store, VideoTags] = WeakKeyDictionary()


def video_tags_of(store: Store) -> VideoTags:
    return _TAGS_OF.setdefault(store, VideoTags(weakref.proxy(store)))


def is_video(sample: image.EncodedImage) -> bool:
    return sample.mime.startswith("video/") or (sample.mime == "image/gif" and is_animated(sample.data))


def is_animated(data: bytes) -> bool:
    return len(list(islice(gif_frames(data), 2))) == 2


class Frames:
    """The pictures of a GIF, one by one. Those before the one asked for are decoded on the way."""

    def __init__(self, store: Store, cache: BoundedCache) -> None:
        self._store = store
        self._cache = cache

    def durations_ms(self, wanted: Wanted) -> list[int]:
        told = [frame.duration_ms for frame in islice(gif_frames(self._gif(wanted)), MAX_FRAMES)]
        return [duration if duration >= SHORTEST_MS else USUAL_MS for duration in told]

    def png(self, wanted: Wanted, frame: int, *, max_pixels: int | None = None) -> image.EncodedImage:
        """Raises TooHeavyError where more than `max_pixels` would have to be decoded."""
        found = self._cache.get((wanted, "frame", frame))
        return found or self._decoded(wanted, frame, max_pixels)

    def _decoded(self, wanted: Wanted, frame: int, max_pixels: int | None) -> image.EncodedImage:
        data = self._gif(wanted)
        if frame >= len(list(islice(gif_frames(data), MAX_FRAMES))):
            raise RefusalError(f"there is no frame {frame} in this GIF", status_code=404)
        width, height = canvas_of(data) or (0, 0)
        if width * height > MAX_FRAME_PIXELS:
            raise UnreadableImageError(
                f"too large to be shown frame by frame: {width:,} × {height:,} pixels, at most "
                f"{MAX_FRAME_PIXELS // 10**6} million are; download it to look at it"
            )
        check_weight(width * height * (frame + 1), max_pixels)
        try:
            for number, made in decoded_frames(data, frame):
                self._cache.put((wanted, "frame", number), made)
            return made
        except Exception as error:  # whatever Pillow raises, and that is a lot, it is the picture's fault
            raise UnreadableImageError(f"the GIF cannot be decoded: {error}") from error

    def _gif(self, wanted: Wanted) -> bytes:
        sample = wanted.image(self._store)
        if sample.mime != "image/gif":
            raise RefusalError(f"only a GIF is taken apart here, this is {sample.mime}", status_code=422)
        fault = size_fault(sample.data)
        if fault:
            raise UnreadableImageError(fault)
        return sample.data


def decoded_frames(data: bytes, last: int) -> Iterator[tuple[int, image.EncodedImage]]:
    """The frame `last`, and some before it, which are likely to be asked for as well."""
    from PIL import Image

    give_up_at = time.monotonic() + MAX_DECODING_SECS
    with Image.open(BytesIO(data), formats=("GIF",)) as picture:
        for number in range(last + 1):
            picture.seek(number)
            if number > last - FRAMES_KEPT:
                yield number, encoded_png(picture)
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"it took longer than {MAX_DECODING_SECS:g} s to come to frame {number:,}")


def encoded_png(picture: Image) -> image.EncodedImage:
    out = BytesIO()
    as_plain(picture.copy()).save(out, "PNG", compress_level=1)
    return image.EncodedImage("image/png", out.getvalue())
