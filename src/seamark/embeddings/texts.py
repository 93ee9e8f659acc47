"""Texts: many strings in one buffer of UTF-8. A million Python strings take several times as much memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import overload

import numpy as np
from numpy.typing import NDArray

from seamark.format.budget import hold

BLOCK = 16_384
BLOCK_CELLS = 1 << 20
# Of a text beside its characters: its length, and its number or code.
TEXT_BYTES = 16


class Texts(Sequence[str]):
    """Never changed. Lone surrogates are kept."""

    def __init__(self, data: bytes | memoryview, offsets: NDArray[np.int64]) -> None:
        self.data = data
        self.offsets = offsets  # of each text, and the end of the last one

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Texts: ...
    def __getitem__(self, at: int | slice) -> str | Texts:
        if isinstance(at, slice):
            return self.take(np.arange(len(self))[at])
        if not -len(self) <= at < len(self):
            raise IndexError(f"there is no text {at}: there are {len(self)}")
        at %= len(self)
        return decode(self.data[int(self.offsets[at]) : int(self.offsets[at + 1])])

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), BLOCK):
            yield from self._block(start, min(start + BLOCK, len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]

    def _block(self, start: int, stop: int) -> list[str]:
        offsets = self.offsets[start : stop + 1].tolist()
        data = self.data[offsets[0] : offsets[-1]]
        text = decode(data)
        if len(text) == len(data):  # a byte for each character
            return [text[first - offsets[0] : last - offsets[0]] for first, last in pairwise(offsets)]
        return [decode(self.data[first:last]) for first, last in pairwise(offsets)]

    def take(self, places: NDArray[np.int64]) -> Texts:
        """The texts at some places, in that order."""
        source = np.frombuffer(self.data, np.uint8)
        starts, lengths = self.offsets[:-1][places], np.diff(self.offsets)[places]
        offsets = offsets_of(lengths)
        taken = bytearray(int(offsets[-1]))
        target = np.frombuffer(taken, np.uint8)
        for block in range(0, len(places), BLOCK):
            part = slice(block, block + BLOCK)
            first, last = int(offsets[block]), int(offsets[min(block + BLOCK, len(places))])
            target[first:last] = source[
                np.repeat(starts[part] - offsets[:-1][part], lengths[part]) + np.arange(first, last)
            ]
        return Texts(memoryview(taken), offsets)


class TextsBuilder:
    """Collects texts block by block; None is an empty text."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._lengths: list[NDArray[np.int64]] = []

    def add(self, texts: Sequence[str | None]) -> None:
        block = [text or "" for text in texts]
        hold(sum(map(len, block)) + TEXT_BYTES * len(block))
        joined = "".join(block)
        self._data.append(encode(joined))
        sizes = map(len, block) if joined.isascii() else (len(encode(text)) for text in block)
        self._lengths.append(np.fromiter(sizes, np.int64, len(block)))

    def build(self) -> Texts:
        lengths = np.concatenate(self._lengths) if self._lengths else np.zeros(0, np.int64)
        return Texts(b"".join(self._data), offsets_of(lengths))


def pack(texts: Iterable[str | None]) -> Texts:
    builder, source = TextsBuilder(), iter(texts)
    while block := list(islice(source, BLOCK)):
        builder.add(block)
    return builder.build()


def pack_columns(rows: Iterable[Sequence[str]], count: int) -> list[Texts]:
    """The first so many cells of each row as columns; those that a row does not have are empty."""
    builders, source = [TextsBuilder() for _ in range(count)], iter(rows)
    while block := list(islice(source, max(1, min(BLOCK, BLOCK_CELLS // max(1, count))))):
        for at, builder in enumerate(builders):
            builder.add([row[at] if at < len(row) else "" for row in block])
    return [builder.build() for builder in builders]


def offsets_of(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes | memoryview) -> str:
    return str(data, "utf-8", "surrogatepass")
