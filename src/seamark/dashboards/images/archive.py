"""Streams images as one ZIP file, with one image in memory at a time."""

from __future__ import annotations

import re
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
from msgspec import Meta

from seamark.dashboards.images.image_ref import KIND
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.payload import DecodeError
from seamark.plugin import RequestStruct
from seamark.plugin.parameters import Attempts, AttemptsParameter
from seamark.store import PayloadGoneError, PayloadList, RunStore, UnknownSeriesError

EXTENSIONS = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp",
    "video/mp4": "mp4", "video/webm": "webm",
}  # fmt: skip
# Characters that some file systems reject, or that could point outside of the folder that the archive is unpacked to.
UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
MIN_DATE, MAX_DATE = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)
StepParameter = Annotated[
    int | None, Meta(description="Only the image that each series shows at this step. Default: all of them.")
]


class ArchiveParameters(RequestStruct, kw_only=True):
    tag: Annotated[tuple[Tag, ...], Meta(min_length=1, description="The tag; repeat it for several.")]
    run: Annotated[tuple[RunName, ...], Meta(description="Only these runs; repeat it for several.")] = ()
    attempts: AttemptsParameter = "latest"
    step: StepParameter = None


class ArchiveBody(RequestStruct, kw_only=True):
    """For a selection that is too long for a URL."""

    tags: tuple[Tag, ...]
    runs: tuple[RunName, ...] = ()
    attempts: AttemptsParameter = "latest"
    step: StepParameter = None


@dataclass(frozen=True)
class ArchiveRequest:
    """No runs means all runs."""

    tags: Sequence[Tag]
    runs: Sequence[RunName] = ()
    attempts: Attempts = "latest"
    step: int | None = None


class StreamBuffer:
    """A file object that cannot seek; `take` returns what was written since the last call."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass

    def take(self) -> bytes:
        taken = b"".join(self._written)
        self._written.clear()
        return taken


@dataclass
class UniquePaths:
    """Makes paths inside the archive that are safe and differ from each other."""

    given: set[str] = field(default_factory=set)

    def make(self, run: str, tag: str, stem: str, extension: str) -> str:
        folder = "/".join(safe_name(part) for part in f"{run}/{tag}".split("/") if part)
        path, number = f"{folder}/{stem}.{extension}", 2
        while path.lower() in self.given:  # some file systems ignore case
            path = f"{folder}/{stem} ({number}).{extension}"
            number += 1
        self.given.add(path.lower())
        return path


def safe_name(part: str) -> str:
    cleaned = UNSAFE.sub("_", part).strip()[:120].rstrip(". ")
    return cleaned or "_"


def stream_archive(store: RunStore, request: ArchiveRequest) -> Iterator[bytes]:
    """The bytes of the ZIP file, image by image."""
    buffer, paths = StreamBuffer(), UniquePaths()
    runs = request.runs or [run.name for run in store.runs()]
    # Images are compressed already.
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as target:
        for run in runs:
            for tag in request.tags:
                for entry in members(store, run, tag, request, paths):
                    target.writestr(*entry)
                    yield buffer.take()
    yield buffer.take()


def members(
    store: RunStore, run: RunName, tag: Tag, request: ArchiveRequest, paths: UniquePaths
) -> Iterator[tuple[zipfile.ZipInfo, bytes]]:
    try:
        listed = store.payloads(run, tag, KIND, attempts=request.attempts)
    except UnknownSeriesError:
        return
    for position in positions_at(listed, request.step):
        index, step, wall = int(listed.index[position]), int(listed.steps[position]), float(listed.walls[position])
        stem = f"step_{step:08d}"
        try:
            images = image.decode(store.payload(run, tag, KIND, index)).images
        except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
            # A text file takes the place of an image that cannot be read.
            yield zip_info(paths.make(run, tag, stem, "error.txt"), wall), f"{error}\n".encode()
            continue
        for sample, picture in enumerate(images):
            name = f"{stem}_{sample}" if len(images) > 1 else stem
            yield zip_info(paths.make(run, tag, name, EXTENSIONS.get(picture.mime, "bin")), wall), picture.data


def positions_at(listed: PayloadList, step: int | None) -> Sequence[int]:
    """All positions; with a step the last one at or before it, else the first of all, as the page shows them."""
    if step is None or len(listed) == 0:
        return range(len(listed))
    before = np.flatnonzero(listed.steps <= step)
    return [int(before[np.argmax(listed.steps[before])]) if before.size else int(np.argmin(listed.steps))]


def zip_info(path: str, wall: float) -> zipfile.ZipInfo:
    try:
        written = time.gmtime(wall)[:6]
    except (OverflowError, ValueError, OSError):
        written = MIN_DATE
    return zipfile.ZipInfo(path, min(max(tuple(written), MIN_DATE), MAX_DATE))  # type: ignore[arg-type]
