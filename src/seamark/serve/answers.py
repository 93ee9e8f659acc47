"""Answers: sentences for wrong questions, and nothing sent twice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from seamark.plugin import as_json as as_json
from seamark.plugin import json_bytes as json_bytes
from seamark.plugin import json_safe as json_safe

# A browser may keep it, but asks whether it is still the same.
REVALIDATE = {"cache-control": "private, no-cache"}


class BadRequestError(Exception):
    """The question cannot be answered; the message tells the asker why, in one sentence."""

    status_code = 400


class NotFoundError(BadRequestError):
    """What was asked for is not there."""

    status_code = 404


def as_error(message: str, *, status_code: int) -> Response:
    return as_json({"error": message}, status_code=status_code)


def as_tagged_json(request: Request, content: object) -> Response:
    return tagged(request, json_bytes(content), media_type="application/json")


def tagged(
    request: Request,
    body: bytes,
    *,
    media_type: str,
    etag: str | None = None,
    headers: Mapping[str, str] = REVALIDATE,
) -> Response:
    """The body, or 304 when the asker has it already. Without an `etag` it is made from the body."""
    etag = etag or etag_of(body)
    if has_already(request, etag):
        return Response(status_code=304, headers={**headers, "etag": etag})
    return Response(body, media_type=media_type, headers={**headers, "etag": etag})


def etag_of(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def has_already(request: Request, etag: str) -> bool:
    """Compared weakly: a compressed answer carries the same tag, marked W/."""
    held = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return etag in held or "*" in held
