"""Tab-separated numbers: one line for each row."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import numpy as np

from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.readers.matrix import FLOAT32, MAX_MATRIX_BYTES, Matrix, as_float32, check_shape

# 100,000 dimensions fit on a line.
MAX_LINE_BYTES = 4 << 20
BLOCK_BYTES = 1 << 20
# A number takes up to 24 characters.
MAX_TEXT_BYTES = 6 * MAX_MATRIX_BYTES
MAX_SHOWN_CHARACTERS = 40


class NotNumbersError(EmbeddingError):
    """The file does not have the same number of tab-separated numbers on every line."""


def text_matrix(path: Path) -> Matrix:
    def blocks() -> Iterator[FloatMatrix]:
        with path.open("rb") as stream:
            yield from parse_blocks(stream)

    if path.stat().st_size > MAX_TEXT_BYTES:
        raise EmbeddingError(f"the file is too large: it has {path.stat().st_size:,} bytes of text")
    return Matrix("text", blocks)


def parse_blocks(stream: BinaryIO) -> Iterator[FloatMatrix]:
    """The rows, a few thousand at a time. Empty lines are skipped."""
    columns, line, size = 0, 1, 0
    for text in text_blocks(stream):
        block = parse_text(text, line, columns)
        line += text.count("\n")
        if len(block):
            columns = block.shape[1]
            size += block.nbytes
            check_shape((size // (FLOAT32.itemsize * columns), columns), "the file")
            yield block


def text_blocks(stream: BinaryIO) -> Iterator[str]:
    """Whole lines, about a megabyte at a time."""
    line = 1
    while data := stream.read(BLOCK_BYTES):
        data += stream.readline(MAX_LINE_BYTES)
        if len(data) > BLOCK_BYTES and not data.endswith(b"\n") and stream.read(1):
            raise NotNumbersError(f"line {line + data.count(bytes([10])):,} is too long: want at most 4 MB")
        try:
            yield data.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError:
            raise NotNumbersError("the file is not text") from None
        line += data.count(b"\n")


def parse_text(text: str, first_line: int, columns: int) -> FloatMatrix:
    """Parses the lines of one block; `columns` is that of the lines before, or 0."""
    if not text.strip("\r\n"):
        return np.empty((0, columns), FLOAT32)
    try:
        # As in TensorBoard, numbers are rounded to 64 bits and then to 32.
        values = np.loadtxt(io.StringIO(text), np.float64, delimiter="\t", comments=None, ndmin=2)
    except ValueError:
        raise line_error(text, first_line, columns) from None
    if columns not in (0, values.shape[1]):
        raise line_error(text, first_line, columns)
    return as_float32(values)


def line_error(text: str, first_line: int, columns: int) -> NotNumbersError:
    """Names the first line that is wrong."""
    for number, line in enumerate(text.split("\n"), first_line):
        cells = line.rstrip("\r").split("\t")
        if cells == [""]:
            continue
        for cell in cells:
            try:
                float(cell)
            except ValueError:
                return NotNumbersError(f"line {number:,} has '{cell[:MAX_SHOWN_CHARACTERS]}', want a number")
        columns = columns or len(cells)
        if len(cells) != columns:
            return NotNumbersError(f"line {number:,} has {len(cells):,} numbers, the lines before it have {columns:,}")
    return NotNumbersError(f"the lines from {first_line:,} on are not tab-separated numbers")


def first_row_length(path: Path) -> int:
    """How many numbers are on the first line."""
    with path.open("rb") as stream:
        line = stream.readline(MAX_LINE_BYTES)
    try:
        return int(parse_text(line.decode("utf-8-sig"), 1, 0).shape[1])
    except UnicodeDecodeError:
        return 0


def begins_with_numbers(path: Path) -> bool:
    try:
        return first_row_length(path) > 0
    except NotNumbersError:
        return False
