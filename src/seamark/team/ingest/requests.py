"""Requests of uploads: msgpack bodies, decoded within limits."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from seamark.plugin import RequestError
from seamark.team.ingest.entry import Entry
from seamark.upload import wire
from seamark.upload.names import name_problem

S = TypeVar("S", bound=msgspec.Struct)


def decode(body: bytes, struct: type[S]) -> S:
    """Raises RequestError."""
    try:
        return msgspec.msgpack.decode(body, type=struct)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise RequestError(f"the request body is not what this route takes: {error}", code="invalid_body") from None


def decode_pieces(body: bytes, project_id: str) -> list[Entry]:
    """The raw pieces of an upload. Raises RequestError."""
    pieces = decode(body, wire.UploadRequest).pieces
    if len(pieces) > wire.MAX_PIECES:
        raise RequestError(f"a request has at most {wire.MAX_PIECES} pieces, got {len(pieces):,}", code="too_large")
    claimed = sum(piece.length for piece in pieces if piece.length > 0)
    if claimed > wire.MAX_RAW_BYTES:
        raise RequestError(
            f"the pieces of a request have at most {wire.MAX_RAW_BYTES:,} bytes, got {claimed:,}", code="too_large"
        )
    return [entry_from(piece, project_id) for piece in pieces]


def entry_from(piece: wire.Piece, project_id: str) -> Entry:
    check_names(piece.run, piece.file)
    whole = piece.replaces
    if piece.offset < 0 or piece.offset + piece.length > (1 << 62):
        raise invalid(f"a piece begins at 0 or later, got {piece.offset}: '{piece.file}'")
    if whole is not None and (len(whole.hash) != wire.HASH_BYTES or piece.offset + piece.length > whole.length):
        raise invalid(f"a piece lies outside of the content that it belongs to: '{piece.file}'")
    try:
        return Entry(project_id, piece.run, piece.file, piece.offset, wire.inflate(piece), whole)
    except wire.WireError as error:
        raise invalid(str(error)) from None


def check_names(run: str, file: str = "file") -> None:
    """Raises RequestError."""
    problem = name_problem("run", run) or name_problem("file", file)
    if problem:
        raise invalid(problem)


def invalid(sentence: str) -> RequestError:
    return RequestError(sentence, code="invalid_body")
