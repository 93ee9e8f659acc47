"""Images and audio clips: several at each step, each fetched by a key of its own."""

from __future__ import annotations

import base64
import json
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np

from seamark.kinds import DecodeError
from seamark.kinds.audio import AudioClips, Clip
from seamark.kinds.image import EncodedImage, Images
from seamark.serve.tensorboard.catalogue import Catalogue, is_legacy
from seamark.serve.tensorboard.question import not_found
from seamark.store import PayloadList, SeriesInfo

# A list of tags tells the most samples at any step: series up to this size are read for it, larger ones sampled.
MAX_COUNTED_BYTES = 8 << 20
MAX_REMEMBERED = 100_000

Blob = EncodedImage | Clip


@dataclass(frozen=True, slots=True)
class BlobKey:
    """Where one image or clip lies. To clients it is an opaque word."""

    kind: str
    run: str
    tag: str
    index: int
    step: int
    sample: int

    def word(self) -> str:
        return base64.urlsafe_b64encode(json.dumps(astuple(self)).encode()).decode().rstrip("=")


@dataclass(frozen=True, slots=True)
class Listed:
    """One step that has the sample asked for."""

    step: int
    wall: float
    key: BlobKey


class Blobs:
    """Knows how many samples each payload holds, which only its bytes tell, so that they are read once."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._counts: OrderedDict[tuple[str, str, str, int, int, int], int] = OrderedDict()
        self._lock = threading.Lock()

    def most_samples(self, info: SeriesInfo) -> int:
        """The greatest number of samples at any step; of large series the first, the last and the longest are asked."""
        if is_legacy(info):
            return 1
        listed = self._catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
        if not len(listed):
            return 0
        asked: Sequence[int] = range(len(listed))
        if int(listed.lengths.sum()) > MAX_COUNTED_BYTES:
            asked = [0, int(np.argmax(listed.lengths)), len(listed) - 1]
        return max(self._count(info, listed, i) for i in asked)

    def having(self, info: SeriesInfo, sample: int) -> list[Listed]:
        """The steps that have at least this many samples, in order; of a step logged twice the first."""
        listed = self._catalogue.store.tensorboard_payloads(info.run, info.tag, info.kind)
        firsts = np.unique(listed.steps, return_index=True)[1]
        found = []
        for i in firsts[self._catalogue.wanted(info.kind, len(firsts))].tolist():
            count = self._count(info, listed, i)
            if count > sample:
                index, step = int(listed.index[i]), int(listed.steps[i])
                key = BlobKey(info.kind, info.run, info.tag, index, step, sample)
                found.append(Listed(step, float(listed.walls[i]), key))
        return found

    def read(self, word: str, kind: str) -> Blob:
        """The image or clip behind a key; one that has moved since, because its file was replaced, is gone."""
        key = key_of(word)
        if key is None or key.kind != kind:
            raise not_found(f"this is no key of {kind}: '{word}'")
        info = self._catalogue.find(kind, key.run, key.tag)
        listed = self._catalogue.store.payloads(info.run, info.tag, info.kind, attempts="all")
        if key.index >= len(listed) or int(listed.steps[key.index]) != key.step:
            raise not_found("what this key named has changed since; ask for the list again")
        samples = samples_of(self._catalogue.content(info, key.index))
        if key.sample >= len(samples):
            raise not_found(f"there is no sample {key.sample} at this step: it has {len(samples)}")
        return samples[key.sample]

    def _count(self, info: SeriesInfo, listed: PayloadList, i: int) -> int:
        if is_legacy(info):
            return 1
        key = (info.kind, info.run, info.tag, int(listed.index[i]), int(listed.steps[i]), int(listed.lengths[i]))
        with self._lock:
            if key in self._counts:
                self._counts.move_to_end(key)
                return self._counts[key]
        try:
            count = len(samples_of(self._catalogue.content(info, key[3])))
        except DecodeError:
            count = 0
        with self._lock:
            self._counts[key] = count
            if len(self._counts) > MAX_REMEMBERED:
                self._counts.popitem(last=False)
        return count


def samples_of(content: Images | AudioClips) -> Sequence[Blob]:
    return content.images if isinstance(content, Images) else content.clips


def key_of(word: str) -> BlobKey | None:
    try:
        found = json.loads(base64.urlsafe_b64decode(word.encode("ascii") + b"=" * (-len(word) % 4)))
    except (ValueError, RecursionError):
        return None
    texts, numbers = found[:3] if isinstance(found, list) else [], found[3:] if isinstance(found, list) else []
    is_key = (
        len(texts) == len(numbers) == 3
        and all(isinstance(text, str) for text in texts)
        and all(type(number) is int for number in numbers)
        and numbers[0] >= 0 <= numbers[2]
    )
    return BlobKey(*texts, *numbers) if is_key else None
