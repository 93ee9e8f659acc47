"""The files of a published site: site.json, the index, and packs of blobs (docs/publishing.md).

publish/ writes them, web/src/data/site/files/ reads them in the page, and store/buckets/ reads the logs in them.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from msgspec import Struct

from seamark.format.seal import Encryption

MANIFEST = "site.json"
FORMAT = "seamark-site/2"
DATA = "data"
NOBODY = -1
LEVEL = 6
RAW_DEFLATE = -15
# The last block of a deflate stream, which nothing stored has: the page decompresses many blobs as one stream.
STREAM_END = b"\x03\x00"
# The list of log files, and what its files are made of.
LOGS_KEY = "logs"
RECORDS_MEDIA = "application/vnd.seamark.records"


class Form(Struct, frozen=True):
    """How the bytes of a blob are read. The page has the same fields (web/src/data/site/files/index_file.ts)."""

    media: str
    deflated: bool = False
    status: int = 200


class Entry(Struct, array_like=True, frozen=True):
    """A blob in a pack. Without keys nothing uses it any more."""

    owner: int  # index in SiteIndex.owners; NOBODY: of the site as a whole
    form: int  # index in SiteIndex.forms
    length: int  # as stored
    keys: list[str]


class Pack(Struct, frozen=True):
    file: str
    entries: list[Entry]


class SiteIndex(Struct, frozen=True):
    """What the page reads first. The fields are those of web/src/data/site/files/index_file.ts."""

    published: float
    title: str
    owners: list[str]
    forms: list[Form]
    packs: list[Pack]


class Part(Struct, frozen=True):
    """Where a part of the index file is."""

    offset: int
    length: int


class Manifest(Struct, frozen=True):
    """site.json, the only file with a fixed name: it is written last."""

    format: str
    file: str  # of the index
    index: Part
    ledger: Part  # the digests of all blobs, for the next publish
    page: list[str] = []  # the files of the page itself
    encryption: Encryption | None = None
    memo: Part | None = None  # packs.Memo, for the next publish


class LogFile(Struct, frozen=True):
    """A file of a log directory. Its content is that of some blobs, one after the other."""

    path: str  # below the log directory
    version: str  # of the content
    modified: float
    pieces: list[tuple[str, int]]  # the key of a blob, and the length of what it holds

    @property
    def size(self) -> int:
        return sum(length for _, length in self.pieces)


class BlobPosition(Struct, frozen=True):
    file: str
    offset: int
    length: int
    form: Form


def positions(index: SiteIndex) -> Iterator[tuple[str, BlobPosition]]:
    """The key and the position of each blob that is used."""
    for pack in index.packs:
        offset = 0
        for entry in pack.entries:
            for key in entry.keys:
                yield key, BlobPosition(pack.file, offset, entry.length, index.forms[entry.form])
            offset += entry.length


def deflate(content: bytes) -> bytes:
    """A stream that can go on: it ends with a byte, but without STREAM_END."""
    compressor = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW_DEFLATE)
    return compressor.compress(content) + compressor.flush(zlib.Z_SYNC_FLUSH)


def inflate(content: bytes, *, max_bytes: int = 0) -> bytes:
    """Raises ValueError for what is damaged, or larger than `max_bytes` if that is not 0."""
    decompressor = zlib.decompressobj(RAW_DEFLATE)
    try:
        inflated = decompressor.decompress(content + STREAM_END, max_bytes)
        inflated += b"" if max_bytes else decompressor.flush()
    except zlib.error as error:
        raise ValueError(f"a file of the site is damaged ({error})") from None
    if not decompressor.eof:
        raise ValueError("a file of the site is damaged or larger than it says")
    return inflated


def encode_records(records: list[bytes]) -> bytes:
    """Records of an event file without their frames: lengths and checksums are made again, which saves a third."""
    lengths = b"".join(len(record).to_bytes(4, "little") for record in records)
    return len(records).to_bytes(4, "little") + lengths + b"".join(records)


def decode_records(content: bytes, frame: Callable[[bytes], bytes]) -> bytes:
    """The framed records. Raises ValueError."""
    count = int.from_bytes(content[:4], "little")
    at = 4 + 4 * count
    framed = []
    for offset in range(4, min(at, len(content)), 4):
        length = int.from_bytes(content[offset : offset + 4], "little")
        framed.append(frame(content[at : at + length]))
        at += length
    if at != len(content):
        raise ValueError("records in a file of the site are damaged")
    return b"".join(framed)
