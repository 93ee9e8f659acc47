"""Members of zip files, read block by block: what their headers claim about sizes is not believed."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from seamark.format.budget import pass_through

# zipfile unpacks bz2 and lzma without a limit: 50 bytes become 50 MB at once.
METHODS = {zipfile.ZIP_STORED: "none", zipfile.ZIP_DEFLATED: "deflate"}
OTHER_METHODS = {zipfile.ZIP_BZIP2: "bzip2", zipfile.ZIP_LZMA: "lzma"}
BLOCK_BYTES = 1 << 20


class PackingError(ValueError):
    """A member that cannot be read within limits. The message is a sentence for people."""


@contextmanager
def open_member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    """Raises PackingError for a packing that is not unpacked in bounded blocks."""
    info = archive.getinfo(name)
    if info.compress_type not in METHODS:
        packing = OTHER_METHODS.get(info.compress_type, f"method {info.compress_type}")
        raise PackingError(
            f"'{name[:80]}' is packed in a way that is not read: got {packing}, want {' or '.join(METHODS.values())}; "
            "pack the file again"
        )
    with archive.open(info) as stream:
        yield stream


def blocks_of(stream: IO[bytes], size: int) -> Iterator[bytes]:
    """So many bytes, or fewer if the stream ends; each block counts before the next is unpacked."""
    while size > 0 and (block := stream.read(min(size, BLOCK_BYTES))):
        pass_through(len(block))
        size -= len(block)
        yield block
