"""Finds tags whose images are videos."""

from __future__ import annotations

import logging
import weakref
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.media.image_frames import is_animated
from seamark.kinds.payload import DecodeError
from seamark.plugin import ResponseStruct
from seamark.store import PayloadGoneError, RunStore, UnknownSeriesError

LOG = logging.getLogger(__name__)
KIND = "images"
# Long enough for the tag, the description and the first bytes of the first image.
HEAD_BYTES = 16 * 1024
MARKS = (b"GIF8", b"ftyp", b"\x1aE\xdf\xa3")


class VideoTag(ResponseStruct):
    """A tag and the runs in which it is a video."""

    tag: Tag
    runs: list[RunName]


@dataclass
class VideoTags:
    """The tags whose first payload is a video. Results are cached: a tag does not change its type."""

    store: RunStore
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


# The tab and its route share them.
_TAGS_OF: WeakKeyDictionary[RunStore, VideoTags] = WeakKeyDictionary()


def shared_video_tags(store: RunStore) -> VideoTags:
    return _TAGS_OF.setdefault(store, VideoTags(weakref.proxy(store)))


def is_video(sample: image.EncodedImage) -> bool:
    return sample.mime.startswith("video/") or (sample.mime == "image/gif" and is_animated(sample.data))
