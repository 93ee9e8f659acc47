"""Answers: JSON also for numbers JSON does not know, sentences for wrong questions, and nothing sent twice."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

# A browser may keep it, but asks whether it is still the same.
REVALIDATE = {"cache-control": "private, no-cache"}


class BadRequestError(Exception):
    """The question cannot be answered; the message tells the asker why, in one sentence."""

    status_code = 400


class NotFoundError(BadRequestError):
    """What was asked for is not there."""

    status_code = 404


def as_json(content: object, *, status_code: int = 200) -> Response:
    return Response(
        json_bytes(content), status_code, media_type="application/json", headers={"cache-control": "no-store"}
    )


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


def json_bytes(content: object) -> bytes:
    """NaN and infinities are strings, as in TensorBoard's answers; a browser refuses them as numbers."""
    try:
        text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    except ValueError:
        text = json.dumps(speakable(content), separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def speakable(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: speakable(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [speakable(entry) for entry in value]
    return value
