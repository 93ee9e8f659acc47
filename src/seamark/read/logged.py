"""Logged payloads other than scalars, such as images and texts; read from the event file on access."""

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
    from seamark.store import Attempts, RunStore


@dataclass(frozen=True, slots=True)
class PayloadRef:
    """Identifies one payload in the store."""

    store: RunStore
    kind: str
    run: RunName
    tag: Tag
    index: int  # as in Store.payload
    metadata: bytes


class Logged:
    """One payload. `value` is the decoded payload; raises DecodeError if it is damaged."""

    def __init__(self, ref: PayloadRef, step: int, wall_time: float) -> None:
        self._ref = ref
        self.step = step
        self.wall_time = wall_time

    @property
    def run(self) -> str:
        return self._ref.run

    @property
    def tag(self) -> str:
        return self._ref.tag

    @property
    def data(self) -> bytes:
        """The encoded payload, as in the event file."""
        ref = self._ref
        return ref.store.payload_part(ref.run, ref.tag, ref.kind, ref.index, start=0, size=sys.maxsize)

    @cached_property
    def value(self) -> Any:
        from seamark.kinds.registry import decode

        ref = self._ref
        try:
            return decode(ref.kind, self.data, metadata=ref.metadata)
        except DecodeError as error:
            raise DecodeError(f"{error}: {ref.tag!r} at step {self.step:,} of run '{ref.run}'") from error

    @property
    def text(self) -> str:
        """The strings of a text, one per line."""
        return "\n".join(self.value.strings.ravel().tolist())

    def __repr__(self) -> str:
        return f"<{self._ref.kind} {self.tag!r} of '{self.run}' at step {self.step:,}>"


class LoggedImages(Logged):
    """The images of one step, in the encoding they were logged in."""

    def __len__(self) -> int:
        return len(self.value.images)

    def pixels(self, position: int = 0) -> NDArray[np.uint8]:
        """[height, width, channels], or [height, width] for greyscale. Needs Pillow."""
        image = self.value.images[position]
        library("PIL")
        from PIL import Image, UnidentifiedImageError

        try:
            with Image.open(BytesIO(image.data)) as opened:
                if opened.mode != "P":
                    return np.asarray(opened)
                # Palette indices are not colours.
                return np.asarray(opened.convert("RGBA" if "transparency" in opened.info else "RGB"))
        except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
            raise DecodeError(
                f"Pillow cannot read this image ({error}), {image.mime} of {len(image.data):,} bytes: "
                f"{self.tag!r} at step {self.step:,} of run '{self.run}'"
            ) from error


class LoggedList(Sequence[Logged]):
    """The payloads of one tag, in order of run and step. Payloads are read on access."""

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
        """The run, step and wall_time of each payload."""
        index = {run: at for at, run in enumerate(self._runs)}
        codes = np.array([index[item.run] for item in self._items], np.int32)
        return Frame({"run": Coded(self._runs, codes), "step": self.step, "wall_time": self.wall_time})


def logged(store: RunStore, runs: Sequence[RunName], tag: Tag, kind: str, attempts: Attempts) -> LoggedList:
    items: list[Logged] = []
    item_type = LoggedImages if kind == "images" else Logged
    metadata = {info.run: info.metadata for run in runs for info in store.series(run=run, kind=kind) if info.tag == tag}
    for run in runs:
        if run not in metadata:
            continue
        listed = store.payloads(run, tag, kind, attempts=attempts)
        columns = (listed.index.tolist(), listed.steps.tolist(), listed.walls.tolist())
        for index, step, wall in zip(*columns, strict=True):
            items.append(item_type(PayloadRef(store, kind, run, tag, index, metadata[run]), step, wall))
    return LoggedList(items, runs)
