"""Reads the files that a projector config names, block by block and up to a limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from seamark.kinds.projector.checkpoint import StoredTensor, TooLargeError, read_stored
from seamark.plugin import RequestError, not_found

# 24 million numbers: a hundred thousand points of 240 dimensions.
MAX_TENSOR_BYTES = 96 << 20
# Labels, bookmarks and sprites are read at once.
MAX_ASSET_BYTES = 64 << 20
# Parsing a longer text would take too long.
MAX_TEXT_BYTES = 512 << 20
MAX_LINE_BYTES = 1 << 20
BLOCK_BYTES = 1 << 20


@contextmanager
def errors_as_not_found(file: Path) -> Iterator[None]:
    """A file may be removed, or lose its permissions, after it was found."""
    try:
        yield
    except OSError as error:
        raise not_found(f"cannot read the file: {error.strerror or type(error).__name__}: '{file.name}'") from None


class NotTextError(ValueError):
    """The file does not contain tab-separated numbers."""


def read_tensor(file: Path, shape: Sequence[int], *, max_rows: int | None = None) -> NDArray[np.float32]:
    """Reads tab-separated numbers, else raw little-endian floats of the config's shape; at most `max_rows` rows."""
    try:
        return text_tensor(file, max_rows)
    except NotTextError:
        return raw_tensor(file, shape, max_rows)


def text_shape(file: Path) -> tuple[int, int] | None:
    """Rows and columns of tab-separated numbers, without converting more than the first row."""
    try:
        columns = text_tensor(file, 1).shape[1]
        with file.open("rb") as stream:
            rows = sum(bool(line.strip(b"\r\n")) for line in lines_of(stream))
    except (NotTextError, RequestError):
        return None
    return rows, columns


def text_tensor(file: Path, max_rows: int | None) -> NDArray[np.float32]:
    values, rows, columns = bytearray(), 0, 0
    with file.open("rb") as stream:
        for block in blocks_of(stream):
            try:
                # As in TensorBoard, a number that is out of range becomes infinite.
                with np.errstate(over="ignore"):
                    found = np.array([line.decode().split("\t") for line in block], np.float64).astype("<f4")
            except ValueError as error:  # words, rows of different lengths, or bytes that are not text
                raise NotTextError from error
            if found.ndim != 2 or columns not in (0, found.shape[1]):
                raise NotTextError
            columns = found.shape[1]
            wanted = found if max_rows is None else found[: max_rows - rows]
            rows += len(wanted)
            values += wanted.tobytes()
            check_tensor_size(len(values))
            if rows == max_rows:
                break
    if rows == 0:
        raise RequestError("the tensor's file is empty")
    return np.frombuffer(values, "<f4").reshape(rows, columns)


def raw_tensor(file: Path, shape: Sequence[int], max_rows: int | None) -> NDArray[np.float32]:
    size = file.stat().st_size
    if len(shape) != 2 or min(shape) < 0 or size != 4 * shape[0] * shape[1]:
        raise RequestError(
            f"the tensor's file has neither tab-separated numbers nor raw floats of its shape: "
            f"got {size} bytes, shape {list(shape)}"
        )
    rows = shape[0] if max_rows is None else min(max_rows, shape[0])
    check_tensor_size(4 * rows * shape[1])
    return np.fromfile(file, "<f4", count=rows * shape[1]).reshape(rows, shape[1])


def checkpoint_tensor(stored: StoredTensor, file: Path, *, max_rows: int | None = None) -> NDArray[np.float32]:
    try:
        return read_stored(stored, file, max_bytes=MAX_TENSOR_BYTES, max_rows=max_rows)
    except TooLargeError as error:
        raise too_large(str(error)) from error


def check_tensor_size(size: int) -> None:
    if size > MAX_TENSOR_BYTES:
        raise too_large(f"the tensor is too large: want at most {MAX_TENSOR_BYTES // 4:,} numbers")


def too_large(message: str) -> RequestError:
    return RequestError(f"{message}; request fewer rows with num_rows", code="too_large")


def blocks_of(stream: BinaryIO) -> Iterator[list[bytes]]:
    """The lines that are not empty, a megabyte of text at a time."""
    block: list[bytes] = []
    size = 0
    for line in lines_of(stream):
        bare = line.removesuffix(b"\n")
        if bare.strip(b"\r"):
            block.append(bare)
            size += len(bare)
        if size >= BLOCK_BYTES:
            yield block
            block, size = [], 0
    if block:
        yield block


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    size = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        size += len(line)
        if len(line) > MAX_LINE_BYTES:
            raise NotTextError
        if size > MAX_TEXT_BYTES:
            raise too_large(f"the tensor's file is too large: want at most {MAX_TEXT_BYTES >> 20} MB of text")
        yield line


def read_asset(file: Path) -> bytes:
    with errors_as_not_found(file), file.open("rb") as stream:
        data = stream.read(MAX_ASSET_BYTES + 1)
    if len(data) > MAX_ASSET_BYTES:
        raise RequestError(
            f"the file is too large: want at most {MAX_ASSET_BYTES >> 20} MB: '{file.name}'", code="too_large"
        )
    return data


def end_of_line(data: bytes, lines: int) -> int:
    """The position after the first `lines` lines."""
    end = 0
    for _ in range(lines):
        end = data.find(b"\n", end) + 1
        if end == 0:
            return len(data)
    return end
