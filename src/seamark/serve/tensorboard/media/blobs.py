"""Images and audio clips: several at each step, each addressed by a key."""

from __future__ import annotations

import base64
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from seamark.kinds import DecodeError
from seamark.kinds.audio import AudioClips, Clip
from seamark.kinds.image import EncodedImage, Images
from seamark.plugin import not_found
from seamark.serve.tensorboard.catalogue import Catalogue
from seamark.serve.tensorboard.metadata import metadata_of
from seamark.store import PayloadList, SeriesInfo

LOG = logging.getLogger(__name__)
# Tag listings need the greatest number of samples at any step. Larger series are not read whole for it.
MAX_COUNTED_BYTES = 8 << 20
MAX_CACHED_COUNTS = 100_000

Blob = EncodedImage | Clip


@dataclass(frozen=True, slots=True)
class BlobKey:
    """Identifies one image or clip. Clients get it as an opaque string."""

    kind: str
    run: str
    tag: str
    index: int
    step: int
    sample: int

    def encode(self) -> str:
        return base64.urlsafe_b64encode(json.dumps(astuple(self)).encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class BlobStep:
    """One step that has the requested sample."""

    step: int
    wall: float
    key: BlobKey


class Blobs:
    """Reads images and clips. Caches how many samples each payload has, which takes decoding it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._counts: OrderedDict[tuple[str, str, str, int, int, int], int] = OrderedDict()
        self._lock = threading.Lock()

    def max_samples(self, info: SeriesInfo) -> int:
        """The greatest number of samples at any step; in large series of the first, last and longest payload."""
        if metadata_of(info).is_legacy:
            return 1
        listed = self._catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
        if not len(listed):
            return 0
        positions: Sequence[int] = range(len(listed))
        if int(listed.lengths.sum()) > MAX_COUNTED_BYTES:
            positions = [0, int(np.argmax(listed.lengths)), len(listed) - 1]
        return max(self._count(info, listed, i) for i in positions)

    def steps_with(self, info: SeriesInfo, sample: int) -> list[BlobStep]:
        """The steps that have this sample, in order; if a step was logged twice, its first payload."""
        listed = self._catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
        firsts = np.unique(listed.steps, return_index=True)[1]
        found = []
        for i in firsts[self._catalogue.sample_positions(info.kind, len(firsts))].tolist():
            if self._count(info, listed, i) > sample:
                index, step = int(listed.index[i]), int(listed.steps[i])
                key = BlobKey(info.kind, info.run, info.tag, index, step, sample)
                found.append(BlobStep(step, float(listed.walls[i]), key))
        return found

    def read(self, encoded_key: str, kind: str) -> Blob:
        """The image or clip of a key. Not found if its file was replaced since the key was made."""
        key = decode_key(encoded_key)
        if key is None or key.kind != kind:
            raise not_found(f"this is not a key of {kind}: '{encoded_key}'")
        info = self._catalogue.find(kind, key.run, key.tag)
        listed = self._catalogue.store.payloads(info.run, info.tag, info.kind, attempts="all")
        if key.index >= len(listed) or int(listed.steps[key.index]) != key.step:
            raise not_found("the data of this key has changed; request the list again")
        samples = samples_of(self._catalogue.content(info, key.index))
        if key.sample >= len(samples):
            raise not_found(f"there is no sample {key.sample} at this step: it has {len(samples)}")
        return samples[key.sample]

    def _count(self, info: SeriesInfo, listed: PayloadList, i: int) -> int:
        if metadata_of(info).is_legacy:
            return 1
        key = (info.kind, info.run, info.tag, int(listed.index[i]), int(listed.steps[i]), int(listed.lengths[i]))
        with self._lock:
            if key in self._counts:
                self._counts.move_to_end(key)
                return self._counts[key]
        try:
            count = len(samples_of(self._catalogue.content(info, key[3])))
        except DecodeError as error:
            LOG.info("left out: step %s of '%s' in '%s': %s", key[4], info.tag, info.run, error)
            count = 0
        with self._lock:
            self._counts[key] = count
            if len(self._counts) > MAX_CACHED_COUNTS:
                self._counts.popitem(last=False)
        return count


def samples_of(content: Images | AudioClips) -> Sequence[Blob]:
    return content.images if isinstance(content, Images) else content.clips


def decode_key(encoded: str) -> BlobKey | None:
    """None if it is not a key."""
    try:
        found = json.loads(base64.urlsafe_b64decode(encoded.encode("ascii") + b"=" * (-len(encoded) % 4)))
    except (ValueError, RecursionError):
        return None
    texts, numbers = (found[:3], found[3:]) if isinstance(found, list) else ([], [])
    is_key = (
        len(texts) == len(numbers) == 3
        and all(isinstance(text, str) for text in texts)
        and all(type(number) is int for number in numbers)
        and numbers[0] >= 0 <= numbers[2]
    )
    return BlobKey(*texts, *numbers) if is_key else None
