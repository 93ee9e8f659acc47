"""Responses: JSON with non-finite numbers as strings, errors in one form, and ETags."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from seamark.format.numbers import json_number
from seamark.plugin.errors import CODE_BY_STATUS, RequestError

JSON = "application/json"
# A detail of an error that is sent as a header, too: whole seconds.
RETRY_AFTER = "retry_after_secs"
NO_STORE: Mapping[str, str] = {"cache-control": "no-store"}
# A browser may store the response, but checks with the server that it is current before using it.
REVALIDATE: Mapping[str, str] = {"cache-control": "private, no-cache"}
# For a URL that names its content by wall time as well: it never refers to other content.
IMMUTABLE: Mapping[str, str] = {"cache-control": "private, max-age=31536000, immutable"}


class ErrorResponse(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """The body of every error."""

    error: str
    code: str


def json_response(content: object, status: int = 200, *, headers: Mapping[str, str] = NO_STORE) -> Response:
    return Response(json_bytes(content), status, media_type=JSON, headers=dict(headers))


def error_response(error: RequestError, *, headers: Mapping[str, str] | None = None) -> Response:
    content = {"error": str(error), "code": error.code, **error.details}
    retry = {"retry-after": str(error.details[RETRY_AFTER])} if RETRY_AFTER in error.details else {}
    return json_response(content, error.status, headers={**NO_STORE, **retry, **(headers or {})})


def http_error_response(status: int, message: str, *, headers: Mapping[str, str] | None = None) -> Response:
    """For a status without a RequestError, as a framework raises it."""
    content = {"error": message, "code": CODE_BY_STATUS.get(status, "bad_request" if status < 500 else "internal")}
    return json_response(content, status, headers={**NO_STORE, **(headers or {})})


def json_bytes(content: object) -> bytes:
    """JSON with NaN and infinities as strings, as in TensorBoard's responses, since JSON has no such numbers.

    msgspec is fifteen times as fast as the standard library, but writes NaN as null and rejects lone surrogates, which
    stand for bytes of a file name that are not UTF-8. Its result is used if it has neither.
    """
    try:
        encoded = msgspec.json.encode(content)
        if b"null" not in encoded:
            return encoded
    except (TypeError, ValueError):  # a type or a string that only the standard library can write
        pass
    try:
        text = json.dumps(content, separators=(",", ":"), allow_nan=False, default=msgspec.to_builtins)
    except ValueError:
        text = json.dumps(json_safe(content), separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def json_safe(value: Any) -> Any:
    """The value with the strings "NaN", "Infinity" and "-Infinity" in place of non-finite numbers."""
    if isinstance(value, msgspec.Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, dict):
        return {key: json_safe(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(entry) for entry in value]
    return value


def etag_json_response(request: Request, content: object) -> Response:
    return etag_response(request, json_bytes(content), media_type=JSON)


def etag_response(
    request: Request,
    body: bytes,
    *,
    media_type: str,
    etag: str | None = None,
    headers: Mapping[str, str] = REVALIDATE,
) -> Response:
    """The body, or 304 when the client has it already. Without an `etag`, a hash of the body is used."""
    etag = etag or make_etag(body)
    if has_etag(request, etag):
        return Response(status_code=304, headers={**headers, "etag": etag})
    return Response(body, media_type=media_type, headers={**headers, "etag": etag})


def make_etag(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=12).hexdigest()}"'


def has_etag(request: Request, etag: str) -> bool:
    """Whether the client has this version. Compared weakly: a compressed response carries the same ETag, marked W/."""
    held = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return etag in held or "*" in held
