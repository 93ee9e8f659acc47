"""What was logged besides numbers: images, histograms, texts …, read from the event file when it is looked at."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from seamark.format.types import RunName, Tag
from seamark.kinds.payload import DecodeError
from seamark.read.frame import Coded, Frame, library

if TYPE_CHECKING:
    from seamark.store import Store
    from seamark.store.store import Attempts


@dataclass(frozen=True, slots=True)
class Place:
    """Where one payload is to be had."""

    store: Store
    kind: str
    run: RunName
    tag: Tag
    index: int  # as in Store.payload
    metadata: bytes


class Logged:
    """One payload. `value` is what its kind decodes it to; one that is damaged raises a DecodeError that names it."""

    def __init__(self, place: Place, step: int, wall_time: float) -> None:
        self._place = place
        self.step = step
        self.wall_time = wall_time

    @property
    def run(self) -> str:
        return self._place.run

    @property
    def tag(self) -> str:
        return self._place.tag

    @property
    def data(self) -> bytes:
        """As it lies in the event file."""
        at = self._place
        return at.store.payload_part(at.run, at.tag, at.kind, at.index, start=0, size=sys.maxsize)

    @cached_property
    def value(self) -> Any:
        from seamark.kinds.registry import decode

        at = self._place
        try:
            return decode(at.kind, self.data, metadata=at.metadata)
        except DecodeError as error:
            raise DecodeError(f"{error}: {at.tag!r} at step {self.step:,} of run '{at.run}'") from error

    @property
    def text(self) -> str:
        """Of a text: all its strings, one below the other."""
        return "\n".join(self.value.strings.ravel().tolist())

    def __repr__(self) -> str:
        return f"<{self._place.kind} {self.tag!r} of '{self.run}' at step {self.step:,}>"


class LoggedImages(Logged):
    """The images of one step, encoded as they were logged."""

    def __len__(self) -> int:
        return len(self.value.images)

    def pixels(self, position: int = 0) -> NDArray[np.uint8]:
        """[height, width, channels], or [height, width] for shades of grey. Needs Pillow."""
        image = self.value.images[position]
        library("PIL")
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(BytesIO(image.data)) as opened:
                if opened.mode != "P":
                    return np.asarray(opened)
                # A palette's numbers are no colours.
                return np.asarray(opened.convert("RGBA" if "transparency" in opened.info else "RGB"))
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise DecodeError(
                f"no picture that Pillow can read ({error}), {image.mime} of {len(image.data):,} bytes: "
                f"{self.tag!r} at step {self.step:,} of run '{self.run}'"
            ) from error


class LoggedList(Sequence[Logged]):
    """The payloads of one tag, in order of run and step. Steps and times are known; the rest is read when asked for."""

    def __init__(self, items: Sequence[Logged], runs: Sequence[str]) -> None:
        self._items = items
        self._runs = list(runs)

    @overload
    def __getitem__(self, at: int) -> Any: ...
    @overload
    def __getitem__(self, at: slice) -> LoggedList: ...
    def __getitem__(self, at: int | slice) -> Any:
        return LoggedList(self._items[at], self._runs) if isinstance(at, slice) else self._items[at]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __repr__(self) -> str:
        return f"<LoggedList: {len(self):,} of {len({item.run for item in self._items}):,} runs>"

    @property
    def step(self) -> NDArray[np.int64]:
        return np.array([item.step for item in self._items], np.int64)

    @property
    def wall_time(self) -> NDArray[np.float64]:
        return np.array([item.wall_time for item in self._items], np.float64)

    def frame(self) -> Frame:
        """run, step and wall_time of each, without what was logged."""
        places = {run: place for place, run in enumerate(self._runs)}
        codes = np.array([places[item.run] for item in self._items], np.int32)
        return Frame({"run": Coded(self._runs, codes), "step": self.step, "wall_time": self.wall_time})


def logged(store: Store, runs: Sequence[RunName], tag: Tag, kind: str, attempts: Attempts) -> LoggedList:
    items: list[Logged] = []
    shape = LoggedImages if kind == "images" else Logged
    metadata = {info.run: info.metadata for run in runs for info in store.series(run=run, kind=kind) if info.tag == tag}
    for run in runs:
        if run not in metadata:
            continue
        listed = store.payloads(run, tag, kind, attempts=attempts)
        columns = (listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist())
        for index, step, wall in zip(*columns, strict=True):
            items.append(shape(Place(store, kind, run, tag, index, metadata[run]), step, wall))
    return LoggedList(items, runs)
