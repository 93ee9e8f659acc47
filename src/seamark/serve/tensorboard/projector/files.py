"""Reads the files that a projector config names, block by block and up to a limit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seamark.embeddings.form import EmbeddingError
from seamark.embeddings.readers.run_config import RunConfig
from seamark.embeddings.readers.text import NotNumbersError, line_blocks, parse_blocks
from seamark.kinds.projector.stored_rows import TooLargeError, read_stored
from seamark.kinds.projector.stored_tensor import StoredTensor
from seamark.plugin import RequestError, not_found

# 24 million numbers: a hundred thousand points of 240 dimensions.
MAX_TENSOR_BYTES = 96 << 20
# Labels, bookmarks and sprites are read at once.
MAX_ASSET_BYTES = 64 << 20
# Parsing a longer text would take too long.
MAX_TEXT_BYTES = 512 << 20


@contextmanager
def reading(name: str) -> Iterator[None]:
    """A file may be outside of its folder, or it is removed or loses its permissions after it was found."""
    try:
        yield
    except EmbeddingError as error:
        raise RequestError(str(error)) from error
    except OSError as error:
        short = name.rpartition("/")[2]
        raise not_found(f"cannot read the file: {error.strerror or type(error).__name__}: '{short}'") from None


def read_tensor(file: Path, shape: Sequence[int], *, max_rows: int | None = None) -> NDArray[np.float32]:
    """Reads tab-separated numbers, else raw little-endian floats of the config's shape; at most `max_rows` rows."""
    try:
        return text_tensor(file, max_rows)
    except NotNumbersError:
        return raw_tensor(file, shape, max_rows)


def text_shape(file: Path) -> tuple[int, int] | None:
    """Rows and columns of tab-separated numbers, without converting more than the first row."""
    try:
        columns = text_tensor(file, 1).shape[1]
        check_text_size(file.stat().st_size)
        with file.open("rb") as stream:
            rows = sum(bool(line.strip()) for data in line_blocks(stream) for line in data.split(b"\n"))
    except (EmbeddingError, RequestError):
        return None
    return rows, columns


def text_tensor(file: Path, max_rows: int | None) -> NDArray[np.float32]:
    blocks: list[NDArray[np.float32]] = []
    rows = size = 0
    with file.open("rb") as stream:
        for block in parse_blocks(stream):
            wanted = block if max_rows is None else block[: max_rows - rows]
            blocks.append(wanted)
            rows += len(wanted)
            size += wanted.nbytes
            check_tensor_size(size)
            check_text_size(stream.tell())
            if rows == max_rows:
                break
    if not blocks:
        raise RequestError("the tensor's file is empty")
    return np.concatenate(blocks)


def check_text_size(size: int) -> None:
    if size > MAX_TEXT_BYTES:
        raise too_large(f"the tensor's file is too large: want at most {MAX_TEXT_BYTES >> 20} MB of text")


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


def checkpoint_tensor(stored: StoredTensor, *, max_rows: int | None = None) -> NDArray[np.float32]:
    try:
        return read_stored(stored, max_bytes=MAX_TENSOR_BYTES, max_rows=max_rows)
    except TooLargeError as error:
        raise too_large(str(error)) from error


def check_tensor_size(size: int) -> None:
    if size > MAX_TENSOR_BYTES:
        raise too_large(f"the tensor is too large: want at most {MAX_TENSOR_BYTES // 4:,} numbers")


def too_large(message: str) -> RequestError:
    return RequestError(f"{message}; request fewer rows with num_rows", code="too_large")


def read_config_asset(found: RunConfig, path: str) -> bytes:
    with reading(path):
        file = found.asset(path)
        with file.open("rb") as stream:
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
