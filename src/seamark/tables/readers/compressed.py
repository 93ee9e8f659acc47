"""Bytes of files, with a limit that also holds for what a .gz file becomes."""

from __future__ import annotations

import zlib
from pathlib import Path

from seamark.format.budget import hold
from seamark.tables.column import TableError
from seamark.tables.limits import MAX_FILE_BYTES

GZIP_SUFFIX = ".gz"
GZIP_MAGIC = b"\x1f\x8b"
BLOCK_BYTES = 4 << 20


def format_suffix(path: Path) -> str:
    """The suffix that names the format: ".csv" of "x.CSV.gz"."""
    suffix = path.suffix.lower()
    return Path(path.stem).suffix.lower() if suffix == GZIP_SUFFIX else suffix


def read_bytes(path: Path, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The content of a file, decompressed if it is gzip."""
    size = path.stat().st_size
    if size > max_bytes:
        raise TableError(f"the file is too large: it has {size:,} bytes, want at most {max_bytes:,}")
    hold(size)  # before: a sparse file has gigabytes that are not on the disk
    data = path.read_bytes()
    return decompressed(data, max_bytes) if data.startswith(GZIP_MAGIC) else data


def decompressed(data: bytes, max_bytes: int) -> bytes:
    """All members of a gzip file. Stops as soon as they have more bytes than allowed."""
    blocks, size = [], 0
    while data.startswith(GZIP_MAGIC):
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            try:
                block = member.decompress(data, BLOCK_BYTES)
            except zlib.error as error:
                raise TableError(f"the file is damaged: {error}") from error
            data = member.unconsumed_tail or member.unused_data
            if not block and not data and not member.eof:
                raise TableError("the file is cut off: its gzip data have no end")
            size += len(block)
            if size > max_bytes:
                raise TableError(f"the file is too large: it has more than {max_bytes:,} bytes when decompressed")
            hold(len(block))
            blocks.append(block)
    return b"".join(blocks)
