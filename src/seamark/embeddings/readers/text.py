"""Tab-separated numbers: one line for each row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from seamark._core import parse_numbers
from seamark.embeddings.form import EmbeddingError, FloatMatrix
from seamark.embeddings.readers.matrix import FLOAT32, Matrix, check_shape
from seamark.format.budget import pass_through

SEPARATOR = "\t"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# 100,000 dimensions fit on a line.
MAX_LINE_BYTES = 4 << 20
BLOCK_BYTES = 1 << 20
# 1,000,000 rows of 256 numbers have 5 GB; more take minutes.
MAX_TEXT_BYTES = 8 << 30
MAX_SHOWN_CHARACTERS = 40


class NotNumbersError(EmbeddingError):
    """The file does not have the same number of tab-separated numbers on every line."""


def text_matrix(path: Path) -> Matrix:
    def blocks() -> Iterator[FloatMatrix]:
        with path.open("rb") as stream:
            yield from parse_blocks(stream)

    check_text_size(path)
    return Matrix("text", blocks)


def check_text_size(path: Path) -> None:
    size = path.stat().st_size
    if size > MAX_TEXT_BYTES:
        raise EmbeddingError(
            f"the file is too large: it has {size:,} bytes of text, want at most {MAX_TEXT_BYTES:,}; "
            "save the vectors as .npy"
        )


def parse_blocks(stream: BinaryIO) -> Iterator[FloatMatrix]:
    """The rows, a few thousand at a time. Empty lines are skipped."""
    columns, line, size = 0, 1, 0
    for data in line_blocks(stream):
        block = parse_lines(data, line, columns)
        line += data.count(b"\n")
        if block is not None:
            columns = block.shape[1]
            size += block.nbytes
            check_shape((size // (FLOAT32.itemsize * columns), columns), "the file")
            yield block


def line_blocks(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines, about a megabyte at a time."""
    line = 1
    while data := stream.read(BLOCK_BYTES):
        data += stream.readline(MAX_LINE_BYTES)
        if len(data) > BLOCK_BYTES and not data.endswith(b"\n") and stream.read(1):
            number = line + data.count(b"\n")
            raise NotNumbersError(f"line {number:,} is too long: want at most {MAX_LINE_BYTES >> 20} MB")
        pass_through(len(data))
        yield data.removeprefix(BYTE_ORDER_MARK) if line == 1 else data
        line += data.count(b"\n")


def parse_lines(data: bytes, first_line: int, columns: int) -> FloatMatrix | None:
    """The rows of one block; None if all lines are empty. `columns` is that of the lines before, or 0."""
    try:
        values, found = parse_numbers(data, SEPARATOR)
    except ValueError:
        raise line_error(data, first_line, columns) from None
    if found and columns not in (0, found):
        raise line_error(data, first_line, columns)
    return values.reshape(-1, found) if found else None


def line_error(data: bytes, first_line: int, columns: int) -> NotNumbersError:
    """Names the first line that is wrong."""
    for number, line in enumerate(data.split(b"\n"), first_line):
        try:
            cells = line.rstrip(b"\r").decode("utf-8").split(SEPARATOR)
        except UnicodeDecodeError:
            return NotNumbersError(f"line {number:,} is not text")
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
    """How many numbers are on the first line; 0 if it has something else."""
    with path.open("rb") as stream:
        line = stream.readline(MAX_LINE_BYTES).removeprefix(BYTE_ORDER_MARK)
    try:
        row = parse_lines(line, 1, 0)
    except NotNumbersError:
        return 0
    return 0 if row is None else int(row.shape[1])
