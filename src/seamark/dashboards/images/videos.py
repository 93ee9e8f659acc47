"""Which images are videos, and the single frames of a GIF for browsers that cannot take one apart."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field
from io import BytesIO
from weakref import WeakKeyDictionary

from seamark.dashboards.images.asking import KIND, RefusalError, UnreadableImageError, Wanted
from seamark.dashboards.images.thumbnails import BoundedCache, as_plain, size_fault
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.payload import DecodeError
from seamark.store import PayloadGoneError, Store, UnknownSeriesError

# Tag, description and size come before the first image: its first bytes lie in here.
HEAD_BYTES = 16 * 1024
MARKS = (b"GIF8", b"ftyp", b"\x1aE\xdf\xa3")
MAX_FRAMES = 2000
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
    from PIL import Image

    try:
        with Image.open(BytesIO(data), formats=("GIF",)) as picture:
            return bool(getattr(picture, "is_animated", False))
    except (OSError, ValueError, EOFError, SyntaxError):
        return False


class Frames:
    """The pictures of a GIF, one by one. Those before the one asked for are decoded on the way, and kept."""

    def __init__(self, store: Store, cache: BoundedCache) -> None:
        self._store = store
        self._cache = cache
        self._turn = threading.BoundedSemaphore(1)

    def durations_ms(self, wanted: Wanted) -> list[int]:
        from PIL import Image

        with self._turn, Image.open(BytesIO(self._gif(wanted)), formats=("GIF",)) as picture:
            durations = []
            for number in range(min(MAX_FRAMES, getattr(picture, "n_frames", 1))):
                picture.seek(number)
                told = int(picture.info.get("duration", 0))
                durations.append(told if told >= SHORTEST_MS else USUAL_MS)
            return durations

    def png(self, wanted: Wanted, frame: int) -> image.EncodedImage:
        found = self._cache.get((wanted, "frame", frame))
        return found or self._decoded(wanted, frame)

    def _decoded(self, wanted: Wanted, frame: int) -> image.EncodedImage:
        from PIL import Image

        try:
            with self._turn, Image.open(BytesIO(self._gif(wanted)), formats=("GIF",)) as picture:
                for number in range(min(frame, MAX_FRAMES) + 1):
                    picture.seek(number)
                    made = encoded_png(picture)
                    self._cache.put((wanted, "frame", number), made)
                return made
        except EOFError:
            raise RefusalError(f"there is no frame {frame} in this GIF", status_code=404) from None
        except (OSError, ValueError, SyntaxError) as error:
            raise UnreadableImageError(f"the GIF cannot be decoded: {error}") from error

    def _gif(self, wanted: Wanted) -> bytes:
        sample = wanted.image(self._store)
        if sample.mime != "image/gif":
            raise RefusalError(f"only a GIF is taken apart here, this is {sample.mime}", status_code=422)
        fault = size_fault(image.size_of(sample.data))
        if fault:
            raise UnreadableImageError(fault)
        return sample.data


def encoded_png(picture: object) -> image.EncodedImage:
    from PIL.Image import Image

    assert isinstance(picture, Image)
    out = BytesIO()
    as_plain(picture.copy()).save(out, "PNG", compress_level=1)
    return image.EncodedImage("image/png", out.getvalue())
