"""Images as one ZIP, sent while it is made: however many there are, one of them is in memory."""

from __future__ import annotations

import json
import re
import time
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from starlette.requests import Request

from seamark.dashboards.images.asking import KIND, Attempts, RefusalError, attempts_of
from seamark.format.types import RunName, Tag
from seamark.kinds import image
from seamark.kinds.payload import DecodeError
from seamark.store import PayloadGoneError, PayloadList, Store, UnknownSeriesError

ENDINGS = {
    "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/bmp": "bmp",
    "video/mp4": "mp4", "video/webm": "webm",
}  # fmt: skip
# What no file system takes, and what would lead out of the folder that somebody unpacks into.
UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"|?*\\]')
EARLIEST, LATEST = (1980, 1, 1, 0, 0, 0), (2107, 12, 31, 23, 59, 58)


class Outlet:
    """A file that cannot seek: what was written is taken out again at once."""

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
class Names:
    """Paths inside the archive, each given once."""

    given: set[str] = field(default_factory=set)

    def of(self, run: str, tag: str, rest: str, ending: str) -> str:
        folder = "/".join(safe(part) for part in f"{run}/{tag}".split("/") if part)
        stem, number = f"{folder}/{rest}", 2
        path = f"{stem}.{ending}"
        while path.lower() in self.given:  # some file systems know no upper case
            path = f"{stem} ({number}).{ending}"
            number += 1
        self.given.add(path.lower())
        return path


def safe(part: str) -> str:
    cleaned = UNSAFE.sub("_", part).strip()[:120].rstrip(". ")
    return cleaned or "_"


@dataclass(frozen=True)
class ArchiveWish:
    """Every image of these series; with a `step`, the one that each shows at it. No runs are all runs."""

    tags: Sequence[Tag]
    runs: Sequence[RunName] = ()
    attempts: Attempts = "latest"
    step: int | None = None

    @classmethod
    def by(cls, request: Request) -> ArchiveWish:
        given = request.query_params
        tags, runs = [Tag(tag) for tag in given.getlist("tag")], [RunName(run) for run in given.getlist("run")]
        if not tags:
            raise RefusalError("no tag given")
        return cls(tags, runs, attempts_of(given.get("attempts", "latest")), step_of(given.get("step")))

    @classmethod
    def of_body(cls, body: bytes) -> ArchiveWish:
        try:
            wish = json.loads(body)
            tags, runs = [Tag(str(tag)) for tag in wish["tags"]], [RunName(str(run)) for run in wish.get("runs", ())]
            return cls(tags, runs, attempts_of(wish.get("attempts", "latest")), step_of(wish.get("step")))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise RefusalError(f"the body is no wish for an archive: {error}; want JSON with tags and runs") from None


def step_of(given: object) -> int | None:
    try:
        return None if given is None else int(str(given))
    except ValueError:
        raise RefusalError(f"step is not a whole number: {given!r}") from None


def archive(store: Store, wish: ArchiveWish) -> Iterator[bytes]:
    """The bytes of the ZIP, image by image."""
    outlet, names = Outlet(), Names()
    runs = wish.runs or [run.name for run in store.runs()]
    # Images are compressed already.
    with zipfile.ZipFile(outlet, "w", zipfile.ZIP_STORED) as target:
        for run in runs:
            for tag in wish.tags:
                for entry in members(store, run, tag, attempts=wish.attempts, step=wish.step, names=names):
                    target.writestr(*entry)
                    yield outlet.take()
    yield outlet.take()


def members(
    store: Store, run: RunName, tag: Tag, *, attempts: Attempts, step: int | None, names: Names
) -> Iterator[tuple[zipfile.ZipInfo, bytes]]:
    try:
        listed = store.payloads(run, tag, KIND, attempts=attempts)
    except UnknownSeriesError:
        return
    for position in chosen(listed, step):
        index, at, wall = int(listed.index[position]), int(listed.steps[position]), float(listed.walls[position])
        try:
            images = image.decode(store.payload(run, tag, KIND, index)).images
        except (DecodeError, PayloadGoneError, UnknownSeriesError) as error:
            # One that cannot be read is told in its place; the others are worth having.
            yield member(names.of(run, tag, f"step_{at:08d}", "error.txt"), wall), f"{error}\n".encode()
            continue
        for sample, picture in enumerate(images):
            rest = f"step_{at:08d}" + (f"_{sample}" if len(images) > 1 else "")
            yield member(names.of(run, tag, rest, ENDINGS.get(picture.mime, "bin")), wall), picture.data


def chosen(listed: PayloadList, step: int | None) -> Sequence[int]:
    """The last one at or before a step, or the first of all, as the page shows them."""
    if step is None or len(listed) == 0:
        return range(len(listed))
    before = np.flatnonzero(listed.steps <= step)
    return [int(before[np.argmax(listed.steps[before])]) if before.size else int(np.argmin(listed.steps))]


def member(path: str, wall: float) -> zipfile.ZipInfo:
    try:
        written = time.gmtime(wall)[:6]
    except (OverflowError, ValueError, OSError):
        written = EARLIEST
    return zipfile.ZipInfo(path, min(max(tuple(written), EARLIEST), LATEST))  # type: ignore[arg-type]
