"""What a trainer and a team server send one another, as msgpack; docs/uploading.md describes it.

A file is uploaded in pieces. A piece says where it belongs and what it must hash to, so that a piece that is sent twice
is stored once. The length that the server has is the truth: the client continues from there.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b
from typing import Literal

import msgspec

HASH_BYTES = 16
# Of one piece, after decompression. A piece is in memory as a whole.
MAX_PIECE_BYTES = 4 << 20
MAX_PIECES = 256
# Of one request. The server holds the pieces of a request in memory until they are stored.
MAX_REQUEST_BYTES = 8 << 20
MAX_RAW_BYTES = 16 << 20
MAX_QUESTIONS = 2000
MEDIA_TYPE = "application/vnd.msgpack"

# stored: appended now. had: the server had it already. gap: something in front of it is missing. differs: the server
# has other bytes there, so the file was replaced. refused: see the problem; the other pieces are not affected.
Outcome = Literal["stored", "had", "gap", "differs", "refused"]


class WireError(ValueError):
    """The request is malformed; the message is one sentence."""


class Whole(msgspec.Struct, frozen=True, array_like=True):
    """The content that replaces a file: the file changes when the last piece has arrived and the hash is right."""

    length: int
    hash: bytes


class Piece(msgspec.Struct, frozen=True, array_like=True):
    """Bytes of a file. `data` is compressed with zlib, `hash` and `length` are those of the raw bytes.

    Without `replaces` the bytes belong to the file at `offset`, otherwise to its new content.
    """

    run: str
    file: str
    offset: int
    length: int
    hash: bytes
    data: bytes
    replaces: Whole | None = None


class UploadRequest(msgspec.Struct, frozen=True):
    pieces: list[Piece]


class PieceResult(msgspec.Struct, frozen=True, array_like=True):
    """`length` is that of the file now, or of the part of its new content that has arrived."""

    outcome: Outcome
    length: int
    problem: str = ""


class UploadResponse(msgspec.Struct, frozen=True):
    """`results` are in the order of the pieces. A client waits `pause_secs` before its next request."""

    results: list[PieceResult]
    pause_secs: float = 0.0


class FileQuestion(msgspec.Struct, frozen=True, array_like=True):
    """Asks for the fingerprint of the first `length` bytes, or for their hash if `is_exact`."""

    run: str
    file: str
    length: int
    is_exact: bool = False


class LengthsRequest(msgspec.Struct, frozen=True):
    files: list[FileQuestion]


class FileAnswer(msgspec.Struct, frozen=True, array_like=True):
    """`compared` is the smaller of both lengths, and `hash` is of as many bytes. A file that is not there has none."""

    length: int
    compared: int
    hash: bytes
    problem: str = ""


class LengthsResponse(msgspec.Struct, frozen=True):
    files: list[FileAnswer]


def hash_bytes(data: bytes | memoryview) -> bytes:
    return blake2b(data, digest_size=HASH_BYTES).digest()


def make_piece(run: str, file: str, offset: int, data: bytes, *, replaces: Whole | None = None) -> Piece:
    """Level 1: event files shrink to a third, and a training must not notice the work."""
    return Piece(run, file, offset, len(data), hash_bytes(data), zlib.compress(data, 1), replaces)


def inflate(piece: Piece) -> bytes:
    """The raw bytes of a piece. Never inflates more than the piece claims. Raises WireError."""
    if not 0 <= piece.length <= MAX_PIECE_BYTES:
        raise WireError(f"a piece has at most {MAX_PIECE_BYTES:,} bytes, got {piece.length:,}: '{piece.file}'")
    inflater = zlib.decompressobj()
    try:
        data = inflater.decompress(piece.data, piece.length + 1)
    except zlib.error as error:
        raise WireError(f"the data of a piece cannot be decompressed ({error}): '{piece.file}'") from None
    if len(data) != piece.length or not inflater.eof or inflater.unused_data:
        raise WireError(f"a piece claims {piece.length:,} bytes, its data has another length: '{piece.file}'")
    if hash_bytes(data) != piece.hash:
        raise WireError(f"the hash of a piece does not fit its data; it was damaged on the way: '{piece.file}'")
    return data
